//! In a crate that forbids and denies all that it can.
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs)]
#![deny(
    absolute_paths_not_starting_with_crate,
    elided_lifetimes_in_paths,
    explicit_outlives_requirements,
    let_underscore_drop,
    macro_use_extern_crate,
    missing_copy_implementations,
    missing_debug_implementations,
    redundant_lifetimes,
    single_use_lifetimes,
    trivial_casts,
    trivial_numeric_casts,
    unit_bindings,
    unnameable_types,
    unreachable_pub,
    unused_import_braces,
    unused_lifetimes,
    unused_qualifications,
    unused_results,
    variant_size_differences
)]
#![deny(clippy::all, clippy::pedantic, clippy::nursery, clippy::cargo)]
#![deny(
    clippy::allow_attributes,
    clippy::arithmetic_side_effects,
    clippy::as_conversions,
    clippy::default_numeric_fallback,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::missing_docs_in_private_items,
    clippy::missing_inline_in_public_items,
    clippy::mod_module_files,
    clippy::panic,
    clippy::pattern_type_mismatch,
    clippy::semicolon_outside_block,
    clippy::shadow_reuse,
    clippy::std_instead_of_core,
    clippy::string_slice,
    clippy::unwrap_used
)]

use redis_keys::KeySegment;
use redis_keys::prelude::*;

/// Text and a number.
#[derive(Clone, Debug, RedisKey)]
#[redis_key(strict:basic.info:{name}:v.{page}:string, value = Json<u64>, ttl = 1h, jitter = 10%, renew = read, max_bytes = 1KB)]
pub struct BasicInfo<'n> {
    /// Text.
    pub name: &'n str,
    /// A number.
    pub page: u32,
}

/// A type parameter.
#[derive(Clone, Copy, Debug, RedisKey)]
#[redis_key(strict:any:{0}:string, value = u64, ttl = never, reason = "a fixed table", rebuild = "from the table")]
pub struct Any<T>(pub T);

/// A newtype.
#[derive(Clone, Copy, Debug, KeySegment)]
pub struct UserId(pub u64);

/// Names.
#[derive(Clone, Copy, Debug, KeySegment)]
pub enum Section {
    /// Two words.
    BasicInfo,
    /// Another name.
    #[redis_key(rename = "orders")]
    PastOrders,
}

/// Parameters of types of one's own.
#[derive(Clone, Copy, Debug, RedisKey)]
#[redis_key(strict:of:{section}:{id}:string, value = u64, ttl = 1h)]
pub struct Own {
    /// The section.
    pub section: Section,
    /// Whose.
    pub id: UserId,
}

/// A private key.
#[derive(Clone, Copy, Debug, RedisKey)]
#[redis_key(strict:private:all:string, value = u64, ttl = 1h)]
struct Private;

/// Uses it.
#[inline]
pub fn read() -> Command<Option<u64>> {
    Private.get()
}

#[test]
fn strict_crates_have_keys_too() {
    crate::assert_key(&BasicInfo { name: "ada", page: 7 }, "strict:basic.info:ada:v.7:string");
    crate::assert_key(&Any(7_u8), "strict:any:7:string");
    crate::assert_key(&Own { section: Section::PastOrders, id: UserId(7) }, "strict:of:orders:7:string");
    drop(read());
}

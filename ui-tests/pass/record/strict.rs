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

use redis_keys::prelude::*;

/// Text and numbers.
#[derive(Clone, Debug, RedisHash)]
pub struct Profile {
    /// Text.
    #[redis_hash(rename = "n")]
    pub name: String,
    /// A number.
    pub page: Option<u32>,
    /// Another one.
    #[redis_hash(default, ttl = 10m)]
    pub code: u8,
    /// An object.
    #[redis_hash(value = Json<Vec<u8>>)]
    pub object: Vec<u8>,
}

/// A type parameter.
#[derive(Clone, Copy, Debug, RedisHash)]
pub struct Any<T> {
    /// Anything.
    pub value: T,
}

/// A private record.
#[derive(Clone, Copy, Debug, RedisHash)]
struct Private {
    /// A number.
    number: u8,
}

/// Uses it.
#[must_use]
#[inline]
pub fn read() -> usize {
    let Private { number } = Private { number: 5 };
    usize::from(number).saturating_add(Private::FIELDS.len())
}

#[test]
fn strict_crates_have_records_too() {
    assert_eq!((super::names::<Profile>(), read()), (vec!["n", "page", "code", "object"], 6));
    assert_eq!(Any::<u8>::VALUE.name(), "value");
}

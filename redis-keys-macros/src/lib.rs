//! The derive macros of [`redis-keys`], which documents and re-exports them.
//!
//! They are a shell: tokens become text, `redis-keys-schema` says what is wrong with the text, and the byte ranges of its
//! answer become spans again. What is right becomes trait implementations.
//!
//! [`redis-keys`]: https://docs.rs/redis-keys

mod code;
mod expand;
mod fallback;
mod generics;
mod input;
mod meeting;
mod policy;
mod record;
mod rendered;
mod report;
mod segment;
mod siblings;
#[cfg(test)]
mod tests;
mod traits;
mod types;

use proc_macro2::TokenStream;

use input::Input;
use types::Types;

/// Declares a key of Redis: its name, its type, what it holds and when it expires.
///
/// ```text
/// /// What the profile card shows.
/// #[derive(RedisKey)]
/// #[redis_key(user:basic.info:{user_id}:string, value = Json<Profile>, ttl = 1h, jitter = 5m)]
/// struct BasicInfo { user_id: u64 }
/// ```
///
/// The template stands first: segments separated by `:`, words by `.`, each of `a` to `z` and `0` to `9`; the module first,
/// the type of the value last; `{field}` for each field of the struct, `{#field}` where it is the hash tag of a cluster,
/// `{field % 1000}` where a number is cut into shards, with `{field}` beside it where the key is to be read back.
/// The options follow, and all of it may be quoted:
///
/// | option | means |
/// |---|---|
/// | `value = T` | what is stored, in a collection each element: a whole number, a float, `bool`, `String`, `Vec<u8>`, `bytes::Bytes`, `Json<P>`, `MessagePack<P>`, `Postcard<P>`, `Protobuf<P>`, one of these compressed as in `Zstd<Json<P>>` (`Gzip`, `Snappy`, `Lz4`), or a form of your own; for a stream and for a hash without `field` a record, a struct with `#[derive(RedisHash)]` |
/// | `field = F` | the names of a hash's open fields |
/// | `ttl = 1h30m` | the expiry, mandatory: `ms` `s` `m` `h` `d` `w`; `ttl = never` needs a `reason` |
/// | `jitter = 5m`, `jitter = 10%` | up to so much is added at random |
/// | `ttl_from_end_of = month` | the ttl counts from the end of the field of that name: a `Year`, `Month`, `Day` or `Hour` of `redis_keys::bucket`, which is called `year`, `month`, `day` or `hour`; the `day` may be a date of `chrono`, `jiff` or `time` |
/// | `renew = write`, `read`, `below(10m)` | when the expiry starts anew |
/// | `copies = 8` | a hot string is kept under 8 keys, with `{copy}` in the template for the number of each; its hash tag, if it has one, is `{#copy}` |
/// | `max_bytes = 64KB` | a larger string or bitmap is refused; 10KB if nothing is said, 1MB at most |
/// | `max_len = 1000` | more elements are refused; 5000 if nothing is said, which is also the most |
/// | `max_member_bytes = 1KB` | larger elements are refused; 4KB if nothing is said |
/// | `keep_last = 100` | a list or a stream drops its oldest elements instead; `~100` lets a stream keep a few more |
/// | `keep_top = 100` | a zset drops the members of the lowest scores instead |
/// | `reason = "…"`, `owner = "…"` | for whoever reviews the keys |
/// | `allow(lint, reason = "…")` | opts out of a lint |
/// | `crate = path` | where redis-keys lives, if it is renamed |
///
/// And of a field, where it is text or bytes:
///
/// | option | means |
/// |---|---|
/// | `#[redis_key(digest)]` | 128 bits of its SHA-256 in hexadecimal digits stand in the key, the same ones for ever; with the feature `digest` |
/// | `#[redis_key(base32)]` | it stands in the key in base32, RFC 4648 in lower case and without padding, and can be read back; empty text is refused, as it would print nothing; with the feature `base32` |
///
/// What the project says of all of its keys stands in its `redis-keys.toml`.
#[proc_macro_derive(RedisKey, attributes(redis_key))]
pub fn derive_redis_key(item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    redis_key(item.into()).into()
}

/// Declares a record: a struct whose fields are the fields of a hash, or of a stream's entry.
///
/// ```text
/// #[derive(RedisHash)]
/// struct Profile {
///     name: String,
///     #[redis_hash(rename = "mail")]
///     email: Option<String>,
///     #[redis_hash(value = Json<Address>)]
///     address: Address,
/// }
/// ```
///
/// A field is mandatory, unless it is an `Option` or has a `default`; at least one field is. The struct gets a constant for
/// each field, such as `Profile::EMAIL`. What can be said of a field, in quotes or not:
///
/// | option | means |
/// |---|---|
/// | `rename = "mail"` | the name under which it is stored |
/// | `default` | where it is missing it is its type's `Default` |
/// | `value = Json<P>` | its stored form, where it is not stored as it is |
/// | `ttl = 10m` | it expires by itself, so that it is an `Option` or has a `default`; Redis 7.4 or Valkey 9 is needed |
///
/// And of the struct: `crate = path`, where redis-keys lives, if it is renamed.
#[proc_macro_derive(RedisHash, attributes(redis_hash))]
pub fn derive_redis_hash(item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    record::redis_hash(item.into()).into()
}

/// Makes an enum of names, or a struct around one value, the type of a parameter.
///
/// ```text
/// #[derive(KeySegment)]
/// enum Section {
///     BasicInfo,                          // prints `basic.info`
///     #[redis_key(rename = "orders")]
///     PastOrders,
/// }
///
/// #[derive(KeySegment)]
/// struct UserId(u64);                     // prints what its field prints
/// ```
///
/// The variants of an enum have no fields, and no two of them print the same. A word begins at each hump, and an acronym is one
/// word: `HTTPSession` prints `http.session`. Letters of both cases in it are humps, too: `IPv6` prints `i.pv6`, which
/// `rename = "ipv6"` puts right. Whether a newtype can be a shard, a digest or
/// in base32 follows from what is in it. Of the item itself can be said `#[redis_key(crate = path)]`, where redis-keys lives
/// if it is renamed.
#[proc_macro_derive(KeySegment, attributes(redis_key))]
pub fn derive_key_segment(item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    segment::key_segment(item.into()).into()
}

/// The implementations for a right declaration; for a wrong one its errors, and stand-ins.
fn redis_key(item: TokenStream) -> TokenStream {
    let item = match syn::parse2(item) {
        Ok(item) => item,
        Err(error) => return error.into_compile_error(),
    };
    let input = Input::new(&item);
    let mut known = policy::known(|| input.place());
    let mut checked = redis_keys_schema::check(&input.item(), &known.policy);
    let types = Types::read(&input, &checked.declaration, &mut checked.diagnostics);
    if let Some(sibling) = checked.sibling.take() {
        checked.warnings.extend(siblings::meet(&input, &sibling));
    }
    checked.warnings.splice(0..0, known.warnings());
    let mut tokens = known.told(&types::crate_path(&input, &checked.declaration));
    tokens.extend(report::warnings(&input, checked.warnings));
    if checked.diagnostics.is_empty() {
        tokens.extend(expand::expand(&input, &checked.declaration, &types));
        return tokens;
    }
    checked.diagnostics.sort_by_key(|diagnostic| diagnostic.place.position());
    let refused = report::refused_fields(&checked.diagnostics);
    tokens.extend(report::compile_errors(&input, checked.diagnostics));
    tokens.extend(fallback::expand(&input, &checked.declaration, &types, &refused));
    tokens
}

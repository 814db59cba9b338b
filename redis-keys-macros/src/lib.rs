//! The derive macros of [`redis-keys`], which documents and re-exports them.
//!
//! They let `redis-keys-syntax` read an item and find the tokens to underline. A valid item expands to trait
//! implementations, an invalid one to its errors and fallback implementations.
//!
//! [`redis-keys`]: https://docs.rs/redis-keys

mod built;
mod editor;
mod item;
mod key;
mod overlap;
mod policy;
mod record;
mod report;
mod segment;
#[cfg(test)]
mod tests;
mod tokens;
mod underived;

/// Declares a Redis key: its name, its type, its value and its expiry.
///
/// ```text
/// /// The data of the profile card.
/// #[derive(RedisKey)]
/// #[redis_key(user:basic.info:{user_id}:string, value = Json<Profile>, ttl = 1h, jitter = 5m)]
/// struct BasicInfo { user_id: u64 }
/// ```
///
/// The template comes first. It has at least three segments, separated by `:`: the module, at least one more, and the
/// type. A segment consists of words of `a` to `z` and `0` to `9`, separated by `.`. A parameter names a field of the
/// struct: `{field}`, `{#field}` for the hash tag, or `{field % 1000}` for a number reduced to a shard. The options
/// follow. You can quote the template and the values.
#[doc = include_str!("../docs/options.md")]
///
/// Attributes of a field that is text or bytes:
///
/// | attribute | meaning |
/// |---|---|
/// | `#[redis_key(digest)]` | renders the first 128 bits of the SHA-256 in hexadecimal digits, which cannot be parsed back; feature `digest` |
/// | `#[redis_key(base32)]` | renders base32, RFC 4648 in lower case without padding, which can be parsed; rejects empty text; feature `base32` |
/// | `#[redis_key(slug)]` | writes a slug, for example `green-tea`, as `green.tea`, which can be parsed; `slug = 60` bounds the bytes |
/// | `#[redis_key(no_colon)]` | rejects text with `:`, for a key with `legacy` or `formerly` |
///
/// The file `redis-keys.toml` has the project's policy for all keys. The guide explains more in [Declaring keys].
///
/// [stored_forms]: https://docs.rs/redis-keys/latest/redis_keys/guide/stored_forms/index.html
/// [policy]: https://docs.rs/redis-keys/latest/redis_keys/guide/policy/index.html
/// [Declaring keys]: https://docs.rs/redis-keys/latest/redis_keys/guide/declaration/index.html
#[proc_macro_derive(RedisKey, attributes(redis_key))]
pub fn derive_redis_key(item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    key::redis_key(item.into()).into()
}

/// Reports a key without `#[derive(RedisKey)]`, which reads this attribute.
///
/// If the derive comes first, the attribute belongs to the derive.
#[proc_macro_attribute]
pub fn redis_key(arguments: proc_macro::TokenStream, item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    underived::redis_key(&arguments.into(), &item.into()).into()
}

/// Declares a record: a struct whose fields become the fields of a hash or of a stream's entries.
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
/// A field is mandatory unless it is an `Option` or has a `default`. At least one field must be mandatory. The struct
/// gets a constant for each field, for example `Profile::EMAIL`. A field's options, whose values you can quote:
///
/// | option | meaning |
/// |---|---|
/// | `rename = "mail"` | the field's name in Redis |
/// | `default` | uses the type's `Default` if the field is missing, for fields that older versions did not write |
/// | `value = Json<P>` | the field's stored form, if it differs from its type |
/// | `ttl = 10m` | the field expires by itself; only for an `Option` or with `default`; requires Redis 7.4 or Valkey 9 |
/// | `allow(plain_secret, reason = "…")` | stores a field with a name such as `token` as plain text, against the lint `plain_secret` |
///
/// The struct's option is `crate = path`, the path to redis-keys, if renamed.
#[proc_macro_derive(RedisHash, attributes(redis_hash))]
pub fn derive_redis_hash(item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    record::redis_hash(item.into()).into()
}

/// Implements `KeySegment` for an enum of unit variants or a newtype, so that it can be a parameter of a key.
///
/// ```text
/// #[derive(KeySegment)]
/// enum Section {
///     BasicInfo,                          // renders as `basic.info`
///     #[redis_key(rename = "orders")]
///     PastOrders,
/// }
///
/// #[derive(KeySegment)]
/// struct UserId(u64);                     // renders as its field
/// ```
///
/// The variants of an enum must render differently. An upper-case letter starts a word, and an acronym is one word:
/// `HTTPSession` renders as `http.session`. `IPv6` renders as `i.pv6`, unless it has `rename = "ipv6"`. A newtype
/// supports shards, digests and base32 if its field does. The item's option is `#[redis_key(crate = path)]`, the path to
/// redis-keys, if renamed.
#[proc_macro_derive(KeySegment, attributes(redis_key))]
pub fn derive_key_segment(item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    segment::key_segment(item.into()).into()
}

//! The derive macros of [`redis-keys`], which documents and re-exports them.
//!
//! They let `redis-keys-syntax` read an item and find the tokens to underline. A valid item expands to trait implementations, an
//! invalid one to its errors and fallback implementations.
//!
//! [`redis-keys`]: https://docs.rs/redis-keys

mod catalogue;
mod editor;
mod generics;
mod item;
mod key;
mod overlap;
mod policy;
mod position;
#[cfg(test)]
mod random_tokens;
mod record;
mod report;
mod segment;
mod tokens;

/// Declares a Redis key: its name, its type, its value and its expiry.
///
/// ```text
/// /// What the profile card shows.
/// #[derive(RedisKey)]
/// #[redis_key(user:basic.info:{user_id}:string, value = Json<Profile>, ttl = 1h, jitter = 5m)]
/// struct BasicInfo { user_id: u64 }
/// ```
///
/// The template comes first. It has at least three segments, separated by `:`: the module, at least one more, and the type.
/// Segments consist of words of `a` to `z` and `0` to `9`, separated by `.`. `{field}` is a parameter, with the name of a field
/// of the struct, `{#field}` a parameter that is the hash tag, `{field % 1000}` a number reduced to a shard. The options follow.
/// The template and the values can be quoted.
///
/// | option | meaning |
/// |---|---|
/// | `value = T` | what the key stores, in a collection each element: a [stored form], such as `u64`, `String` or `Json<Profile>`; for a stream and for a hash without `field` a record: a struct with `#[derive(RedisHash)]` |
/// | `field = F` | the stored form of a hash's field names, unless the hash is a record |
/// | `ttl = 1h30m` | the expiry, in `ms` `s` `m` `h` `d` `w`; mandatory; `ttl = never` requires a `reason` |
/// | `jitter = 5m`, `jitter = 10%` | adds a random delay of up to this to the expiry |
/// | `ttl_from_end_of = month` | the ttl counts from the end of the field `year`, `month`, `day` or `hour`, whose type is the bucket of that name in `redis_keys::bucket`; a `day` can also be a date of `chrono`, `jiff` or `time` |
/// | `renew = write`, `read`, `below(10m)` | restarts the expiry: at each write; at each write and read; at a read that finds less than this left |
/// | `null_ttl = 5m` | makes a string a cached key, which loads its value once for all who ask: how long it remembers that there is no value |
/// | `lease = 10s` | how long others wait for one that loads the value of a cached key; 10s by default, 100ms to 5m. How long a job that was taken is nobody else's; 1m by default, 1s to 1h |
/// | `refresh = 80%` | loads the value of a cached key again when this share of its ttl has passed, 50% to 95%; others read the old value meanwhile |
/// | `value = Lock` | makes a string a lock, which is held by one owner at a time, at most for the ttl |
/// | `limit = 100 / 1m` | makes a string a rate limit, without `value` and `ttl`: how many are allowed in which period |
/// | `burst = 20` | how many a rate limit allows at once; all of them by default |
/// | `value = Job<F>` | makes a zset a queue of jobs with the stored form `F`, each of which is done at least once |
/// | `tries = 5` | how often a job is taken before it counts as dead; 5 by default, 1 to 60; all tries take at most the ttl |
/// | `copies = 8` | stores a hot string under 8 keys, with `{copy}`, or `{#copy}` as the hash tag, in the template |
/// | `max_bytes = 64KB` | rejects larger strings and bitmaps; 10KB by default, at most 1MB |
/// | `max_len = 1000` | rejects further elements; 5000 by default, which is also the maximum |
/// | `max_member_bytes = 1KB` | rejects larger elements; 4KB by default, at most 1MB |
/// | `keep_last = 100` | drops the oldest elements of a list or stream instead; `~100` lets a stream keep a few more; 5000 at most, for a stream 1,000,000 |
/// | `keep_top = 100` | drops the members with the lowest scores of a zset instead |
/// | `reason = "…"`, `owner = "…"` | for reviewers, and for programs that read the schema |
/// | `allow(lint, reason = "…")` | opts out of a lint |
/// | `crate = path` | path to redis-keys, if renamed |
///
/// The encoding of a field that is text or bytes:
///
/// | option | meaning |
/// |---|---|
/// | `#[redis_key(digest)]` | renders 128 bits of its SHA-256 in hexadecimal digits; feature `digest` |
/// | `#[redis_key(base32)]` | renders it in base32, RFC 4648 in lower case without padding, which can be parsed; rejects empty text; feature `base32` |
///
/// The project's policy for all keys is in its `redis-keys.toml`. The guide explains all of this in [Declaring keys].
///
/// [stored form]: https://docs.rs/redis-keys/latest/redis_keys/stored/index.html
/// [Declaring keys]: https://docs.rs/redis-keys/latest/redis_keys/guide/declaration/index.html
#[proc_macro_derive(RedisKey, attributes(redis_key))]
pub fn derive_redis_key(item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    key::redis_key(item.into()).into()
}

/// Declares a record: a struct whose fields are those of a hash or of a stream's entries.
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
/// A field is mandatory unless it is an `Option` or has a `default`. At least one field must be mandatory. The struct gets a
/// constant for each field, such as `Profile::EMAIL`. The options of a field, whose values can be quoted:
///
/// | option | meaning |
/// |---|---|
/// | `rename = "mail"` | the name of the stored field |
/// | `default` | a missing field becomes its type's `Default` |
/// | `value = Json<P>` | its stored form, if it is not its type |
/// | `ttl = 10m` | its own expiry; only for an `Option` or with `default`; requires Redis 7.4 or Valkey 9 |
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
/// `HTTPSession` renders as `http.session`. `IPv6` renders as `i.pv6`, unless it has `rename = "ipv6"`. A newtype supports what its
/// field supports: shards, digests, base32. The item's option is `#[redis_key(crate = path)]`, the path to redis-keys, if renamed.
#[proc_macro_derive(KeySegment, attributes(redis_key))]
pub fn derive_key_segment(item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    segment::key_segment(item.into()).into()
}

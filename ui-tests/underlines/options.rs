//! Underlines in the options.
use redis_keys::prelude::*;

struct Profile;

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64)]
//          ^^^^^^^^^^^^^^^^^^^^^
// expiry: add `ttl = 1h`, or `ttl = never, reason = "…"` for a key that must never expire
struct NoExpiry {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, expire = 3600)]
//                                              ^^^^^^
// declaration: write `ttl = 3600s`
struct OtherName {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 3600)]
//                                                    ^^^^
// expiry: write `3600s`
struct NoUnit {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = Duration::from_secs(60))]
//                                                    ^^^^^^^^^^^^^^^^^^^^^^^
// expiry: write `1m`
struct Expression {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = never)]
//                                                    ^^^^^
// long-lived: add `reason = "…"`
struct NoReason {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 600w)]
//                                                    ^^^^
// long-lived: write `3650d` or less, or `ttl = never, reason = "…"`
struct AsGoodAsNever {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(cache:name:{id}:string, value = u64, ttl = 1h, allow(missing_jitter, because = "it is one"))]
//                                                                               ^^^^^^^
// declaration: write `reason = "it is one"`
struct ReasonByAnotherName {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(cache:name:{id}:string, value = u64, ttl = 1h, allow = missing_jitter)]
//                                                         ^^^^^^^^^^^^^^^^^^^^^^
// declaration: write `allow(missing_jitter, reason = "…")`
struct LintWithoutBrackets {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:name:{d}:string, value = u64, ttl = 1h, ttl_from_end_of = d)]
//                                                                         ^
// expiry: write `month`, and rename the field `d` to `month`, with `{month}` in the template
struct SpanByItsField {
    d: redis_keys::parameter::bucket::Month,
}

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = never, reason = "", renew = read)]
//                                                                    ^^  ^^^^^
// declaration: write a few words
// renewal: remove it, or give the key a `ttl`
struct ReasonThatIsNone {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, jitter = 2h, renew = raed, max_bytes = 2MB)]
//                                                                 ^^          ^^^^              ^^^
// jitter: write `6m`
// renewal: write `read`
// value-size: write `1MB` or less, or divide the value into several keys
struct Shares {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = json<Profile>, ttl = 1h, jiter = 5m, max_len = 5, ttl = 2h)]
//                                         ^^^^                     ^^^^^       ^^^^^^^      ^^^
// stored-form: write `Json`
// declaration: did you mean `jitter`?
// collection-size: write `max_bytes`, or remove it
// declaration: keep one of them
struct Several {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, ttl = 1h)]
//                         ^^^^^^
// stored-form: add `value = String`, or `value = Json<Profile>` for an object
struct NoValue {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, cache(null_ttl = 2h, lease = 6m, refresh = 48m))]
//                                                                         ^^          ^^            ^^^
// expiry: write `6m`
// expiry: write `5m` or less
// expiry: write `80%`
struct CachedName {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = "1 hour", renew = read, cache(null_ttl = 5m, refresh = 20%))]
//                                                    ^^^^^^^^  ^^^^^                                        ^^^
// expiry: write `1h`
// renewal: remove it
// expiry: write `80%`
struct RenewedCachedName {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, cache(refresh = 80%, lease = 10s))]
//                                                        ^^^^^
// expiry: write `cache(null_ttl = 5m, refresh = 80%, lease = 10s)`
struct UncachedName {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(rate:api:{id}:string, limit(100 / 1 min, burst = 5), jitter = 1s)]
//                                      ^^^^^^^^^^^              ^^^^^^
// rate-limit: write `100 / 1m`
// jitter: remove it
struct Limit {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(rate:calls:{id}:string, limit(1 / 365d, burst = 20), value = u64)]
//                                                          ^^   ^^^^^
// long-lived: write `10` or less
// stored-form: remove it
struct LongLimit {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(order:lock:{id}:list, lock, ttl = 30s)]
//                                ^^^^
// expiry: end the template with `:string`, or remove `lock`
struct LockOfAList {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(queue:mail:{id}:zset, value = Vec<String>, ttl = 1h, jobs)]
//                                        ^^^^^^^^^^^
// stored-form: write `String`
struct JobsOfMany {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(queue:mail:{id}:zset, value = String, ttl = 1h, renew = read, jobs(lease = 20m))]
//                                                          ^^^^^                      ^^^
// renewal: remove it
// jobs: write `12m` or less, or `ttl = 1h40m`
struct Jobs {
    id: u64,
}

#[derive(RedisKey)]
struct NoAttribute {
//     ^^^^^^^^^^^
// declaration: `#[redis_key(no:attribute:{id}:string, value = String, ttl = 1h)]`
    id: u64,
}

#[derive(RedisKey)]
#[redis_key]
//^^^^^^^^^
// declaration: `#[redis_key(empty:attribute:string, value = String, ttl = 1h)]`
struct EmptyAttribute;

#[derive(RedisKey)]
#[redis_key(user:name:all:string, value = u64, ttl = 1h)]
#[redis_key(jitter = 5m)]
//^^^^^^^^^^^^^^^^^^^^^^
// declaration: move its options into the first
struct TwoAttributes;

#[derive(RedisKey)]
#[redis_key(user:name:all:string, value = u64, ttl = 1h)]
enum Enum {
//   ^^^^
// declaration: declare a struct whose fields are the key's parameters
    One,
}

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h)]
struct FieldAttribute {
    #[redis_key(digst)]
//              ^^^^^
// declaration: did you mean `digest`?
    id: u64,
}

fn main() {}

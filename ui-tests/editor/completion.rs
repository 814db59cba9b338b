//! Completions in a declaration. The cursor is in front of the marked part.
use redis_keys::prelude::*;

struct Profile;

#[derive(RedisKey)]
#[redis_key(user:name:{user_id}:{year}:string, value = Json<Profile>, ttl = 1h)]
//                                           ^
// completion: string, set, zset
//                                                          ^
// completion: Profile, Vec
//                                                                 ^
// completion: Profile
//                                                                      ^
// completion: jitter, renew, cache, lock, limit, max_bytes
// completion without: value
struct Valid {
    user_id: u64,
    year: u32,
}

#[derive(RedisKey)]
#[redis_key(user:place:{us}:string, value = u64, ttl = 1h)]
//                      ^^
// diagnostic: no field `us`
//                        ^
// completion: user_id
// completion without: get, Profile, string
struct BeginOfPlaceholder {
    user_id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:place:{}:string, value = u64, ttl = 1h)]
//                     ^
// diagnostic: missing field name in the placeholder
//                      ^
// completion: user_id
struct EmptyPlaceholder {
    user_id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:town:{user_id}:st, value = u64, ttl = 1h)]
//                              ^^
// diagnostic: unknown key type `st`
//                                ^
// completion: string, set
// completion without: Profile, user_id
struct BeginOfType {
    user_id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:road:{user_id}:string, value = Prof, ttl = 1h)]
//                                                  ^
// completion: Profile
struct BeginOfValue {
    user_id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:street:{user_id}:string, value = , ttl = 1h)]
//                                        ^^^^^
// diagnostic: missing value
//                                               ^
// completion: Profile, Json
// completion without: ttl
struct NoValue {
    user_id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:house:{user_id}:hash, field = , value = u64, ttl = 1h)]
//                                     ^^^^^
// diagnostic: missing value
//                                            ^
// completion: Profile, String
struct NoField {
    user_id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:flat:{user_id}:list, value = Json<Vec<Pro>>, tt = 1h, )]
//                                                        ^
// completion: Profile
//                                                            ^^
// diagnostic: unknown option `tt`
//                                                              ^
// completion: ttl, keep_last
// completion without: value
//                                                                     ^
// completion: ttl, keep_last
struct BeginOfOption {
    user_id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:logins:{user}:{month}:set, value = u64, ttl = 1h, ttl_from_end_of = mo)]
//                                                                                   ^^
// diagnostic: month
//                                                                                     ^
// completion: month
struct EndOfMonth<'u> {
    /// Whose.
    user: &'u str,
    month: redis_keys::parameter::bucket::Month,
}

#[derive(RedisKey)]
#[redis_key(user:lock:{user_id}:string, lo, ttl = 1h)]
//                              ^^^^^^
// diagnostic: missing `value`
//                                      ^^
// diagnostic: unknown option `lo`
//                                        ^
// completion: lock
struct BeginOfLock {
    user_id: u64,
}

#[derive(RedisKey)]
#[redis_key(queue:mail:{user_id}:zset, value = Json<Pro>, ttl = 1h, jobs(tr = 5))]
//                                                     ^
// completion: Profile
//                                                                       ^^
// diagnostic: unknown option `tr`
//                                                                         ^
// completion: tries, lease
struct BeginOfJob {
    user_id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:photo:{user_id}:string, value = u64, ttl = 1h, jitter = 5m, cache(null_ttl = 5m, ne = 10s))]
//                                                                                                ^^
// diagnostic: unknown option `ne`
//                                                                                                  ^
// completion: lease, refresh, near, stale
struct BeginOfNear {
    user_id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:visit:{user_id}:string, value = u64, ttl = , renew = )]
//                                                    ^^^
// diagnostic: missing value
//                                                          ^
// completion: never
// completion without: ttl, Profile
//                                                            ^^^^^
// diagnostic: missing value
//                                                                    ^
// completion: write, read, below
// completion without: Profile, never
struct NoTime {
    user_id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:seen:{user_id}:string, value = u64, ttl = 1h, renew = wr)]
//                                                                     ^^
// diagnostic: expected `write`, `read` or `below(…)`
//                                                                       ^
// completion: write
struct BeginOfRenewal {
    user_id: u64,
}

#[derive(RedisHash)]
struct Record {
    name: String,
    #[redis_hash(value = Json<Pro>)]
    //                           ^
    // completion: Profile
    profile: Profile,
    #[redis_hash(re = "mail")]
    //           ^^
    // diagnostic: unknown option `re`
    //             ^
    // completion: rename, default
    email: String,
}

fn methods(key: Valid) {
    key.unlink();
    //  ^
    // completion: unlink, get, set, ttl
    // completion without: del, smembers, hgetall, set_ex
}

fn main() {}

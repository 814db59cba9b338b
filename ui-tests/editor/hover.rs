//! Hover texts of the words of a declaration, and their definitions.
use redis_keys::prelude::*;

/// A person.
#[derive(serde::Serialize, serde::Deserialize)]
struct Profile;
//     ^^^^^^^
// references: struct Profile;
// references: #[redis_key(user:basic.info:{user_id}:string, value = Json<Profile>, ttl = 1h, jitter = 5m)]
// rename Person: struct Person;
// rename Person: #[redis_key(user:basic.info:{user_id}:string, value = Json<Person>, ttl = 1h, jitter = 5m)]

/// The data of the profile card.
#[derive(RedisKey)]
#[redis_key(user:basic.info:{user_id}:string, value = Json<Profile>, ttl = 1h, jitter = 5m)]
//          ^^^^
// hover: `user:basic.info:{user_id}:string`, a string that expires after 1h, plus up to 5m of jitter
// hover without: overlap
// token: namespace
//               ^^^^^
// hover: none
// token: generic
//                                    ^^^^^^
// hover: trait StringKey
// definition: pub trait StringKey: RedisKey {
// token: interface
//                                            ^^^^^
// hover: the stored form of the value
// hover without: StringKey
// token: property
//                                                    ^^^^
// hover: struct Json
// definition: pub struct Json<P>;
//                                                         ^^^^^^^
// hover: A person.
// definition: struct Profile;
//                                                                   ^^^
// hover: the expiry
//                                                                         ^^
// hover: none
//                                                                             ^^^^^^
// hover: adds a random delay
struct BasicInfo {
//     ^^^^^^^^^
// hover: The data of the profile card.
// references: struct BasicInfo {
// references: let key = BasicInfo { user_id: 7 };
// rename Card: struct Card {
// rename Card: let key = Card { user_id: 7 };
    user_id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:settings:{id}:hash, value = String, field = String, ttl = never, reason = "set by users", rebuild = "from the database")]
//                             ^^^^
// hover: trait HashKey
// definition: pub trait HashKey: RedisKey {
//                                                   ^^^^^
// hover: the stored form of a hash's field names
//                                                                                ^^^^^^
// hover: why the key never expires
struct Settings {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:sizes:{id}:hash, value = Sizes, ttl = 1h)]
//                          ^^^^
// hover: trait RecordKey
//                                        ^^^^^
// definition: struct Sizes {
struct SizesOfUser {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:badges:{id}:string, value = u64, ttl = 1h, jitter = 5m, cache(null_ttl = 5m, lease = 10s, refresh = 80%, near = 10s, stale = 1h))]
//          ^^^^
// hover: with near copies of up to 10s, with expired values for up to 1h when a load fails
//                           ^^^^^^
// hover: trait CachedKey
// definition: pub trait CachedKey: RedisKey {
//                                                                       ^^^^^
// hover: makes a string a cached key
//                                                                             ^^^^^^^^
// hover: remembers that there is no value
//                                                                                            ^^^^^
// hover: how long other callers wait
//                                                                                                         ^^^^^^^
// hover: after this share of its ttl
//                                                                                                                        ^^^^
// hover: keeps a copy in memory
//                                                                                                                                     ^^^^^
// hover: if the loader fails
struct Badges {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(order:lock:{id}:string, lock, ttl = 30s)]
//          ^^^^^
// hover: a lock that expires after 30s
//                          ^^^^^^
// hover: trait LockKey
// definition: pub trait LockKey: RedisKey {
//                                  ^^^^
// hover: makes a string a lock
struct OrderLock {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(rate:api:{id}:string, limit(100 / 1m, burst = 20))]
//          ^^^^
// hover: a rate limit of 100 per 1m in bursts of up to 20
//                        ^^^^^^
// hover: trait LimitKey
//                                ^^^^^
// hover: makes a string a rate limit
//                                                ^^^^^
// hover: the number that is allowed at once
struct ApiLimit {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(queue:mail:{id}:zset, value = Json<Address>, ttl = 1d, jobs(lease = 1m, tries = 5))]
//          ^^^^^
// hover: a queue of jobs that expires after 1d
//                          ^^^^
// hover: trait JobKey
//                                        ^^^^
// hover: struct Json
//                                             ^^^^^^^
// hover: The address of a person.
//                                                                 ^^^^
// hover: makes a zset a queue of jobs
//                                                                      ^^^^^
// hover: how long a worker owns a job
//                                                                                  ^^^^^
// hover: how often a job is taken
struct Jobs {
    id: u64,
}

#[derive(RedisHash)]
struct Sizes {
    shoe: u8,
}

/// The address of a person.
#[derive(serde::Serialize, serde::Deserialize)]
struct Address;

#[derive(RedisHash)]
struct Person {
    name: String,
    #[redis_hash(value = Json<Address>)]
    //           ^^^^^
    // hover: The stored form
    //                   ^^^^
    // hover: struct Json
        //                        ^^^^^^^
    // hover: The address of a person.
    address: Address,
}

#[derive(KeySegment)]
enum Section {
    #[redis_key(rename = "one")]
    //          ^^^^^^
    // hover: The words that the variant renders as
    First,
}

fn main() {
    let key = BasicInfo { user_id: 7 };
    let _ = key.get();
}

//! Underlines in parameters that are not printed as they are, and in their attributes.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(shop:tags:{#shop}:{copy}:string, value = u64, ttl = 1h, copies = 2)]
//                    ^^^^^^^
// copies: write `{shop}`, and `{#copy}` if the key needs a hash tag
struct CopiesInOneSlot {
    shop: u64,
}

#[derive(RedisKey)]
#[redis_key(shop:name:{shop}:{copy}:string, value = u64, ttl = 1h, copies = 0)]
//                                                                          ^
// copies: write `8`
struct NoCopies {
    shop: u64,
}

#[derive(RedisKey)]
#[redis_key(shop:town:{shop % 99999999999}:string, value = u64, ttl = 1h)]
//                            ^^^^^^^^^^^
// parameters: write `{shop % 1000}`
struct TooManyShards {
    shop: u64,
}

#[derive(RedisKey)]
#[redis_key(user:follows:{id % 1}:set, value = u64, ttl = 1h)]
//                             ^
// parameters: write `{id % 1000}`
struct OneShard {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:follows:{name % 1000}:set, value = u64, ttl = 1h)]
struct ShardOfText {
    name: String,
//        ^^^^^^
// Shardable: use an integer
}

#[derive(RedisKey)]
#[redis_key(user:follows:{name % 1000}:set, value = u64, ttl = 1h)]
struct ShardOfADigest {
    #[redis_key(digest)]
//              ^^^^^^
// parameters: remove the attribute
    name: u64,
}

#[derive(RedisKey)]
#[redis_key(user:fans:{name}:set, value = u64, ttl = 1h)]
struct NoFeature {
    #[redis_key(digest)]
    name: String,
//        ^^^^^^
// digest: cargo add redis-keys --features digest
}

#[derive(RedisKey)]
#[redis_key(user:recent:{id}:{copy}:list, value = u64, ttl = 1h, copies = 8)]
//                                                               ^^^^^^
// copies: divide a large key into shards or buckets
struct CopiesOfAList {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:name:{id}:{copy % 8}:string, value = u64, ttl = 1h, copies = 8)]
//                          ^^^^^^^^
// copies: write `{copy}`
struct ShardOfACopy {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:tasks:{month}:set, value = u64, ttl = 1h, renew = write, ttl_from_end_of = month)]
//                                                         ^^^^^
// renewal: keep one of `renew` and `ttl_from_end_of`
struct RenewedTasks {
    month: u32,
}

#[derive(RedisKey)]
#[redis_key(user:tasks:{month}:set, value = u64, ttl = 1h, ttl_from_end_of = month)]
struct NoMonth {
    month: u32,
//         ^^^
// BucketEnd: the field is a `Year`, `Month`, `Week`, `Day` or `Hour` of `redis_keys::parameter::bucket`
}

fn main() {}

//! Limits of the policy that are lower than those of the rules.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = String, ttl = 31d, max_bytes = 5KB)]
struct Large {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:names:{id}:set, value = String, ttl = 1h, max_len = 101, max_member_bytes = 1KB)]
struct Many {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key("user:recent:{id}:list", value = String, ttl = "1h", keep_last = "200")]
struct Recent {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:best:{id}:zset, value = String, ttl = 1h, keep_top = 200)]
struct Best {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:avatar:{id}:string, value = String, ttl = never, reason = "drawn by hand", rebuild = "from the files")]
struct ForEver {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:preferences:{shop}:{id}:string, value = String, ttl = 1h)]
struct Long {
    shop: u32,
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:preferences.of.theirs:{shop}:{id}:string, value = String, ttl = 1h)]
struct LongForTheCompiler {
    shop: std::num::NonZeroU8,
    id: std::num::NonZeroU8,
}

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = String, ttl = 1h, max_bytes = 2MB)]
struct ToldOnce {
    id: u64,
}

fn main() {
    let _ = (Large { id: 1 }.get(), Many { id: 1 }.scard(), Recent { id: 1 }.llen(), Best { id: 1 }.zcard());
    let _ = (ForEver { id: 1 }.get(), Long { shop: 1, id: 1 }.get(), ToldOnce { id: 1 }.get());
    let one = std::num::NonZeroU8::MIN;
    let _ = LongForTheCompiler { shop: one, id: one }.get();
}

use redis_keys::prelude::*;

struct Profile {
    name: String,
}

#[derive(RedisKey)]
#[redis_key(user:profile:{user_id}:string, value = Profile, ttl = 1h)]
struct UserProfile {
    user_id: u64,
}

#[derive(RedisKey)]
#[redis_key(shop:price:{amount}:string, value = u64, ttl = 10m)]
struct Price {
    amount: f64,
}

fn main() {}

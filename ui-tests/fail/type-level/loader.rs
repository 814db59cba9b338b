// A loader returns an option.
use redis_keys::{
    SharedConnection, cache::Cache,
    prelude::*,
};

#[derive(RedisKey)]
#[redis_key(user:name:{user_id}:string, value = String, ttl = 1h, jitter = 5m, null_ttl = 5m)]
struct Name {
    user_id: u64,
}

async fn name<C: SharedConnection>(cache: &Cache<C>) {
    let load = async || Ok::<_, ()>("Ada".to_owned());
    let _ = cache.get_or_load(&Name { user_id: 42 }, load).await;
}

fn main() {}

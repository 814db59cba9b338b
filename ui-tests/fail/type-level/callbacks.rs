// What a loader and a handler of jobs return.
use redis_keys::{
    SharedConnection,
    cache::Cache,
    jobs::{Job, Worker},
    prelude::*,
};

// A loader returns an option.
#[derive(RedisKey)]
#[redis_key(user:name:{user_id}:string, value = String, ttl = 1h, jitter = 5m, cache(null_ttl = 5m))]
struct Name {
    user_id: u64,
}

async fn name<C: SharedConnection>(cache: &Cache<C>) {
    let load = async || Ok::<_, ()>("Ada".to_owned());
    let _ = cache.get_or_load(&Name { user_id: 42 }, load).await;
}

// A handler of jobs returns a result without a value, or an outcome.
#[derive(RedisKey)]
#[redis_key(queue:thumbnail:{shard}:zset, value = u64, ttl = 1d, jobs)]
struct Thumbnails {
    shard: u8,
}

async fn work<C: SharedConnection>(con: C) {
    let handler = |job: Job<u64>| async move { Ok::<_, ()>(job.value) };
    let _ = Worker::new(con, Thumbnails { shard: 3 }).run(handler);
}

async fn forget<C: SharedConnection>(con: C) {
    let handler = |_: Job<u64>| async move {};
    let _ = Worker::new(con, Thumbnails { shard: 3 }).run(handler);
}

fn main() {}

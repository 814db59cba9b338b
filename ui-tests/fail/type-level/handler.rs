// A handler of jobs returns a result without a value, or an outcome.
use redis_keys::{
    SharedConnection,
    jobs::{Job, Worker},
    prelude::*,
};

#[derive(RedisKey)]
#[redis_key(queue:thumbnail:{shard}:zset, value = Job<u64>, ttl = 1d)]
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

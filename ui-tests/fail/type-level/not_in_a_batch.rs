// What runs by itself says how it is written in a batch.
use redis_keys::{atomic, batch, batch_iter, prelude::*};

#[derive(RedisKey)]
#[redis_key(user:name:{id}:{copy}:string, value = u64, ttl = 1h, copies = 8)]
struct Hot {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:seen:{id}:set, value = u64, ttl = 1h)]
struct SeenIds {
    id: u64,
}

fn main() {
    let (hot, seen) = (Hot { id: 1 }, SeenIds { id: 1 });
    let _ = batch((hot.any_copy().get(), seen.scard()));
    let _ = batch((hot.get(),));
    let _ = batch(hot.get());
    let _ = batch_iter([hot.get()]);
    let _ = atomic((hot.get(), seen.scard()));
    let _ = batch((seen.purge(), seen.scard()));
    let _ = batch((seen.scard(), 5));
}

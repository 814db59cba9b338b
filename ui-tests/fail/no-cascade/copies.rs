// A wrong hot key causes no errors where it is used.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:basicInfo:{id}:{copy}:string, value = u64, ttl = 1h, copies = 8)]
struct Hot {
    id: u64,
}

fn main() {
    let hot = Hot { id: 1 };
    let _ = (hot.get(), hot.set(&1), hot.keys(), hot.copy(1).get());
}

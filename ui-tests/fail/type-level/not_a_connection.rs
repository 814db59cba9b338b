// Commands run on connections.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:name:{user_id}:string, value = String, ttl = 1h)]
struct Name {
    user_id: u64,
}

struct Pool;

fn run(mut pool: Pool) {
    let name = Name { user_id: 42 };
    let _ = name.get().query(&mut pool);
    let _ = batch([name.get()]).query(&mut pool);
    let _ = name.set("Ada").query(&mut pool);
}

fn main() {}

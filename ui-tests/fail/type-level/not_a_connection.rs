// Commands and caches need connections.
use redis_keys::{cache::Cache, prelude::*, redis};

// Commands run on connections.
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

// A cache needs a connection that is asynchronous and can be cloned.
#[derive(Clone)]
struct Plain;

fn not_a_cache_connection_run(pool: Plain, client: redis::Client, connection: redis::Connection) {
    let _ = Cache::new(pool);
    let _ = Cache::new(client);
    let _ = Cache::new(connection);
}

fn main() {}

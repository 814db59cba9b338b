// A cache needs a connection that is asynchronous and can be cloned.
use redis_keys::{cache::Cache, redis};

#[derive(Clone)]
struct Pool;

fn run(pool: Pool, client: redis::Client, connection: redis::Connection) {
    let _ = Cache::new(pool);
    let _ = Cache::new(client);
    let _ = Cache::new(connection);
}

fn main() {}

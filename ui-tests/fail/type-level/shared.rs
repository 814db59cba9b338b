// `run` takes a shared connection by reference.
use std::time::Duration;

use redis_keys::{Connection, prelude::*, redis};

#[derive(RedisKey)]
#[redis_key(user:name:{user_id}:string, value = String, ttl = 1h)]
struct Name {
    user_id: u64,
}

#[derive(RedisKey)]
#[redis_key(queue:mail:all:list, value = String, ttl = 1d)]
struct Mail;

// In a function that has a reference, it is `.run(con)`.
async fn by_reference(con: &Connection) {
    let _ = Name { user_id: 42 }.get().run(&con).await;
}

// A synchronous connection and a client are none.
async fn others(con: redis::Connection, client: redis::Client) {
    let _ = Name { user_id: 42 }.get().run(&con).await;
    let _ = batch([Name { user_id: 42 }.get()]).run(&client).await;
}

// A command that waits would hold up the others.
async fn waiting(con: &Connection) {
    let _ = Mail.blpop(Duration::from_secs(1)).run(con).await;
}

fn main() {}

// A command that waits needs a connection of its own, and the message says how to get one.
use std::time::Duration;

use redis_keys::{Connection, prelude::*, redis};

#[derive(RedisKey)]
#[redis_key(queue:mail:all:list, value = String, ttl = 1d)]
struct Mail;

async fn waiting(con: &mut Connection, multiplexed: &mut redis::aio::MultiplexedConnection) {
    let _ = Mail.blpop(Duration::from_secs(1)).query_async(con).await;
    let _ = Mail.blpop(Duration::from_secs(1)).query_async(multiplexed).await;
    let _ = Mail.blpop(Duration::from_secs(1)).query_async(&mut con.blocking()).await;
}

fn main() {}

//! A pool of `deadpool-redis`: several connections, each used by one task at a time.
//!
//! Most programs need only one shared connection, that of `redis_keys::connect`. A pool helps if commands delay
//! others, such as those with large replies.
//!
//! ```sh
//! REDIS_URL=redis://127.0.0.1/ cargo run --example deadpool --features deadpool
//! ```
//!
//! The address contains user and password: `redis://USER:PASSWORD@HOST:PORT/DATABASE`, or `redis://:PASSWORD@HOST/`
//! without a user. With the feature `tls-rustls`, `rediss://…` connects with TLS and the certificates of the system.
//!
//! A pool for a cluster is `deadpool_redis::cluster::Pool`. Pass its guard as `&mut *con`, so that redis-keys
//! recognizes the connection to a cluster, and batches run on all nodes at the same time.

use std::env;
use std::error::Error;
use std::time::Duration;

use deadpool_redis::{Manager, Pool, Runtime};
use redis_keys::batch_iter;
use redis_keys::prelude::*;
use redis_keys::redis::AsyncConnectionConfig;

/// The page that a user viewed last.
#[derive(RedisKey)]
#[redis_key(user:seen:{user_id}:string, value = String, ttl = 30d, renew = write)]
struct LastPage {
    user_id: u64,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    run(&env::var("REDIS_URL").unwrap_or_else(|_| "redis://127.0.0.1/".to_owned())).await
}

fn pool(url: &str) -> Result<Pool, Box<dyn Error>> {
    let config = AsyncConnectionConfig::new()
        .set_connection_timeout(Some(Duration::from_secs(2)))
        .set_response_timeout(Some(Duration::from_secs(1)));
    let pool = Pool::builder(Manager::new_with_config(url, config)?)
        .max_size(16)
        // The limits for waiting until a task returns a connection, for creating one, and for the PING before each use.
        // Connections that broke while they were idle are replaced.
        .wait_timeout(Some(Duration::from_secs(2)))
        .create_timeout(Some(Duration::from_secs(2)))
        .recycle_timeout(Some(Duration::from_secs(1)))
        .runtime(Runtime::Tokio1);
    Ok(pool.build()?)
}

pub(crate) async fn run(url: &str) -> Result<(), Box<dyn Error>> {
    let pool = pool(url)?;
    let mut con = pool.get().await?;
    batch_iter((0..10).map(|user_id| LastPage { user_id }.set("the start page"))).query_async(&mut con).await?;
    let seen = LastPage::get_many((8..12).map(|user_id| LastPage { user_id })).query_async(&mut con).await?;
    println!("{seen:?}");
    Ok(())
}

//! One connection that all tasks share and that reconnects automatically: the right choice for most services.
//!
//! ```sh
//! REDIS_URL=redis://127.0.0.1/ cargo run --example connection_manager --features connection_manager
//! ```
//!
//! The address contains user and password: `redis://USER:PASSWORD@HOST:PORT/DATABASE`, or `redis://:PASSWORD@HOST/`
//! without a user. With the feature `tls-rustls`, `rediss://…` connects with TLS and the certificates of the system;
//! `redis::Client::build_with_tls` takes others.

use std::env;
use std::error::Error;
use std::time::Duration;

use redis_keys::batch;
use redis_keys::prelude::*;
use redis_keys::redis::Client;
use redis_keys::redis::aio::{ConnectionManager, ConnectionManagerConfig};
use tokio::task::JoinSet;

/// The views of a page today.
#[derive(RedisKey)]
#[redis_key(page:visits:{page}:string, value = u64, ttl = 1d)]
struct Views {
    page: u32,
}

/// The title of a page.
#[derive(RedisKey)]
#[redis_key(page:title:{page}:string, value = String, ttl = 1h, jitter = 5m)]
struct Title {
    page: u32,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    run(&env::var("REDIS_URL").unwrap_or_else(|_| "redis://127.0.0.1/".to_owned())).await
}

async fn connect(url: &str) -> Result<ConnectionManager, Box<dyn Error>> {
    let config = ConnectionManagerConfig::new()
        .set_connection_timeout(Some(Duration::from_secs(2)))
        // A command without a reply by then fails; the server may still execute it.
        .set_response_timeout(Some(Duration::from_secs(1)))
        // Reconnects after 100, 200, 400 … ms, up to 2 s. Commands that were in flight are not repeated, since the
        // server may have executed them.
        .set_number_of_retries(6)
        .set_min_delay(Duration::from_millis(100))
        .set_max_delay(Duration::from_secs(2))
        // Further commands wait.
        .set_concurrency_limit(1_000);
    Ok(Client::open(url)?.get_connection_manager_with_config(config).await?)
}

pub(crate) async fn run(url: &str) -> Result<(), Box<dyn Error>> {
    let con = connect(url).await?;
    let mut tasks = JoinSet::new();
    for page in 0..10 {
        // A clone is the same connection.
        let con = con.clone();
        tasks.spawn(async move {
            let title = format!("page {page}");
            batch((Title { page }.set(&title), Views { page }.incr())).run(&con).await
        });
    }
    while let Some(done) = tasks.join_next().await {
        let ((), views) = done??;
        println!("{views} views");
    }
    Ok(())
}

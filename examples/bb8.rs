//! A pool of `bb8`: several connections, each used by one task at a time.
//!
//! Most programs need only one shared connection, that of `redis_keys::connect`. A pool helps if commands delay
//! others, such as those with large replies.
//!
//! ```sh
//! REDIS_URL=redis://127.0.0.1/ cargo run --example bb8 --features bb8
//! ```
//!
//! The address contains user and password: `redis://USER:PASSWORD@HOST:PORT/DATABASE`, or `redis://:PASSWORD@HOST/`
//! without a user. With the feature `tls-rustls`, `rediss://…` connects with TLS and the certificates of the system;
//! `redis::Client::build_with_tls` takes others.

use std::env;
use std::error::Error;
use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use bb8::{CustomizeConnection, Pool};
use redis_keys::batch_iter;
use redis_keys::prelude::*;
use redis_keys::redis::aio::MultiplexedConnection;
use redis_keys::redis::{Client, RedisError};

/// The page that a user viewed last.
#[derive(RedisKey)]
#[redis_key(user:last.seen:{user_id}:string, value = String, ttl = 30d, renew = write)]
struct LastPage {
    user_id: u64,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    run(&env::var("REDIS_URL").unwrap_or_else(|_| "redis://127.0.0.1/".to_owned())).await
}

/// Sets the response time-out of each new connection.
#[derive(Debug)]
struct ResponseTimeout(Duration);

impl CustomizeConnection<MultiplexedConnection, RedisError> for ResponseTimeout {
    fn on_acquire<'a>(
        &'a self,
        con: &'a mut MultiplexedConnection,
    ) -> Pin<Box<dyn Future<Output = Result<(), RedisError>> + Send + 'a>> {
        con.set_response_timeout(self.0);
        Box::pin(async { Ok(()) })
    }
}

async fn connect(url: &str) -> Result<Pool<Client>, Box<dyn Error>> {
    let pool = Pool::builder()
        .max_size(16)
        .min_idle(2)
        // The time that a task waits for a connection while the pool retries.
        .connection_timeout(Duration::from_secs(2))
        .retry_connection(true)
        .idle_timeout(Duration::from_secs(5 * 60))
        // Sends PING before each use, so that no task gets a connection that broke while it was idle.
        .test_on_check_out(true)
        .connection_customizer(Box::new(ResponseTimeout(Duration::from_secs(1))));
    Ok(pool.build(Client::open(url)?).await?)
}

pub(crate) async fn run(url: &str) -> Result<(), Box<dyn Error>> {
    let pool = connect(url).await?;
    let mut con = pool.get().await?;
    // The guard dereferences to the connection, so commands take `&mut *con`.
    batch_iter((0..10).map(|user_id| LastPage { user_id }.set("the start page"))).query_async(&mut *con).await?;
    let seen = LastPage::get_many((8..12).map(|user_id| LastPage { user_id })).query_async(&mut *con).await?;
    println!("{seen:?}");
    Ok(())
}

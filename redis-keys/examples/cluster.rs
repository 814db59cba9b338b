//! A connection to a cluster, which all tasks share. It sends each command to the node of its key, and follows slots that move.
//!
//! A task that runs many batches should have a connection of its own: see `redis_keys::batch`.
//!
//! ```sh
//! REDIS_URL=redis://10.0.0.1/,redis://10.0.0.2/ cargo run --example cluster --features cluster-async
//! ```
//!
//! The addresses of some nodes are enough. They contain user and password: `redis://USER:PASSWORD@HOST:PORT/`. With the
//! feature `tls-rustls`, `rediss://…` connects to all nodes with TLS and the certificates of the system; the builder's `certs`
//! takes others.

use std::{env, error::Error, time::Duration};

use redis_keys::{
    atomic, batch_iter,
    prelude::*,
    redis::{cluster::ClusterClient, cluster_async::ClusterConnection},
};

/// How often a page was viewed today. Each page has a slot of its own.
#[derive(RedisKey)]
#[redis_key(page:views:{page}:string, value = u64, ttl = 1d)]
struct Views {
    page: u32,
}

/// The number of items in a cart. `#` makes the cart the hash tag, so that its keys are in one slot.
#[derive(RedisKey)]
#[redis_key(cart:count:{#cart}:string, value = u64, ttl = 7d)]
struct Count {
    cart: u64,
}

/// The price of these items, in cents.
#[derive(RedisKey)]
#[redis_key(cart:sum:{#cart}:string, value = u64, ttl = 7d)]
struct Sum {
    cart: u64,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    run(&env::var("REDIS_URL").unwrap_or_else(|_| "redis://127.0.0.1:7000/".to_owned())).await
}

async fn connect(urls: &str) -> Result<ClusterConnection, Box<dyn Error>> {
    let client = ClusterClient::builder(urls.split(','))
        .connection_timeout(Duration::from_secs(2))
        // The limits for each attempt, and for all attempts of a command.
        .response_timeout(Duration::from_secs(1))
        .overall_response_timeout(Some(Duration::from_secs(3)))
        // A command is retried if its node fails or its slot has moved. So a write whose reply was lost can be executed
        // twice.
        .retries(5)
        .min_retry_wait(50)
        .max_retry_wait(1_000);
    Ok(client.build()?.get_async_connection().await?)
}

pub(crate) async fn run(urls: &str) -> Result<(), Box<dyn Error>> {
    let mut con = connect(urls).await?;
    // Each goes to the node of its key, to all nodes at the same time.
    let views = batch_iter((0..100).map(|page| Views { page }.incr())).query_async(&mut con).await?;
    println!("{} views", views.iter().sum::<u64>());
    // On one node, without commands of other clients in between.
    let (count, sum) =
        atomic((Count { cart: 42 }.incr(), Sum { cart: 42 }.incr_by(1999))).query_async(&mut con).await?;
    println!("{count} items for {sum} cents");
    Ok(())
}

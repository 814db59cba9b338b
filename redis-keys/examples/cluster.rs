//! A connection to a cluster that tasks share. It knows which node has which key, and follows when that changes. A task that
//! runs many batches has one of its own: see `redis_keys::command::Many`.
//!
//! ```sh
//! REDIS_URL=redis://10.0.0.1/,redis://10.0.0.2/ cargo run --example cluster --features cluster-async
//! ```
//!
//! Some of the nodes are enough. User and password stand in the address: `redis://USER:PASSWORD@HOST:PORT/`. With the feature
//! `tls-rustls`, `rediss://…` is the same over TLS, for all nodes; the certificates are those of the system, and the builder's
//! `certs` takes others.

use std::{env, error::Error, time::Duration};

use redis_keys::{
    atomic, batch_iter,
    prelude::*,
    redis::{cluster::ClusterClient, cluster_async::ClusterConnection},
};

/// How often a page was seen today. Each page is in a slot of its own.
#[derive(RedisKey)]
#[redis_key(page:views:{page}:string, value = u64, ttl = 1d)]
struct Views {
    page: u32,
}

/// How many things are in a cart. The keys of one cart are in one slot, as `#` says.
#[derive(RedisKey)]
#[redis_key(cart:count:{#cart}:string, value = u64, ttl = 7d)]
struct Count {
    cart: u64,
}

/// What they cost, in cents.
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
        // For each attempt, and for all attempts of a command together.
        .response_timeout(Duration::from_secs(1))
        .overall_response_timeout(Some(Duration::from_secs(3)))
        // A command is tried again where its node is lost or its slot has moved. So a write whose answer was lost can be done
        // twice.
        .retries(5)
        .min_retry_wait(50)
        .max_retry_wait(1_000);
    Ok(client.build()?.get_async_connection().await?)
}

pub(crate) async fn run(urls: &str) -> Result<(), Box<dyn Error>> {
    let mut con = connect(urls).await?;
    // Each goes to the node that has its key, all nodes at the same time.
    let views = batch_iter((0..100).map(|page| Views { page }.incr())).query_async(&mut con).await?;
    println!("seen {} times", views.iter().sum::<u64>());
    // On one node, and between them no other client's.
    let (count, sum) =
        atomic((Count { cart: 42 }.incr(), Sum { cart: 42 }.incr_by(1999))).query_async(&mut con).await?;
    println!("{count} things for {sum} cents");
    Ok(())
}

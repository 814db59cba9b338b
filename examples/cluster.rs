//! A connection to a cluster, which all tasks share. It sends each command to the node of its key, and follows slots
//! that move.
//!
//! ```sh
//! REDIS_URL=redis://10.0.0.1/,redis://10.0.0.2/ cargo run --example cluster --features cluster
//! ```
//!
//! The addresses of some nodes are enough. They contain user and password: `redis://USER:PASSWORD@HOST:PORT/`. With the
//! feature `tls-rustls`, `rediss://…` connects to all nodes with TLS and the certificates of the system;
//! `Client::build_with_tls` takes others.

use std::env;
use std::error::Error;
use std::time::Duration;

use redis_keys::cluster::{self, Connection};
use redis_keys::prelude::*;
use redis_keys::redis::Client;
use redis_keys::{ConnectOptions, atomic, batch_iter};

/// The views of a page today. Each page has a slot of its own.
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

fn connect(urls: &str) -> Result<Connection, Box<dyn Error>> {
    let clients: Vec<_> = urls.split(',').map(Client::open).collect::<Result<_, _>>()?;
    // The limit for each attempt. After it, a write may have been executed, and is not sent again.
    let options = ConnectOptions::new().with_time_limit(Duration::from_secs(2));
    Ok(cluster::connect_with(&clients, options)?)
}

pub(crate) async fn run(urls: &str) -> Result<(), Box<dyn Error>> {
    let con = connect(urls)?;
    // Each goes to the node of its key, to all nodes at the same time.
    let views = batch_iter((0..100).map(|page| Views { page }.incr())).run(&con).await?;
    println!("{} views", views.iter().sum::<u64>());
    // On one node, without commands of other clients in between.
    let (count, sum) = atomic((Count { cart: 42 }.incr(), Sum { cart: 42 }.incr_by(1999))).run(&con).await?;
    println!("{count} items for {sum} cents");
    Ok(())
}

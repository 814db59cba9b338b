//! A connection to a cluster that does not freeze, and repeats no write that may have been executed.
//!
//! [`connect`] returns a [`Connection`], on which everything in this crate works: commands, batches, atomic groups and
//! scans. Clones share one connection to each node.
//!
//! ```no_run
//! use redis_keys::{batch_iter, cluster, prelude::*};
//!
//! /// The views of a page today. Each page has a slot of its own.
//! #[derive(RedisKey)]
//! #[redis_key(page:views:{page}:string, value = u64, ttl = 1d)]
//! struct Views {
//!     page: u32,
//! }
//!
//! # async fn count() -> Result<(), Box<dyn std::error::Error>> {
//! let con = cluster::connect("redis://10.0.0.1/")?;
//! let views = batch_iter((0..100).map(|page| Views { page }.incr())).run(&con).await?;
//! println!("{} views", views.iter().sum::<u64>());
//! # Ok(()) }
//! ```
//!
//! # Beside `redis::cluster_async::ClusterConnection`
//!
//! | | this one | redis-rs's |
//! |---|---|---|
//! | a write whose reply was lost | an error, [`SendStatus::Maybe`](crate::SendStatus::Maybe) | is sent again |
//! | many commands while slots move | go on | can freeze the connection |
//! | batches | travel in pipelines by node | 10 commands in flight |
//! | replicas | are not read | can be read |
//! | commands that are not this crate's | with keys in one slot | also with keys in several slots, or for several nodes |
//! | redis-rs's own subscriptions | no: use a [`Subscriber`](crate::subscriber::Subscriber) | yes |
//!
//! A command is sent again if that is harmless:
//!
//! - if the node could not be reached, or has replied that it did not execute the command (MOVED, ASK, TRYAGAIN,
//!   CLUSTERDOWN, MASTERDOWN, LOADING, READONLY, and NOSCRIPT for a script of this crate);
//! - if the connection was lost and the command only reads.
//!
//! The attempts go on for about half a minute in all, which is longer than a failover takes with the server's default
//! `cluster-node-timeout`. They take longer if a node does not even refuse connections, because each of the up to 44
//! attempts to reach it then lasts for the connection time-out. If you want to wait for less, drop the future. Commands
//! of a batch that were not sent by then are never sent.
//!
//! Until a node has answered for the first time, a command waits for the time limit of
//! [`ConnectOptions`](crate::ConnectOptions), a second by default, and then fails with
//! [`SendStatus::No`](crate::SendStatus::No). If every node refuses, for example a wrong password, it fails at once.

mod connection;
mod dispatch;
mod view;

pub use connection::{Connection, connect, connect_with};

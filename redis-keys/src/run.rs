//! Sending commands: on synchronous, asynchronous and cluster connections, and while waiting.
//!
//! State machines that perform no I/O decide the next command. A driver asks one for it, sends it and resumes it with
//! the reply, so that the synchronous and the asynchronous driver are the same few lines and cannot differ:
//!
//! - [`exchange::Exchange`] sends one submission over one connection: in pipelines or command by command, with second
//!   attempts for scripts that the server does not know.
//! - [`batch::BatchRun`] leads a batch from submission to submission: the commands, the lookup of wrong types, the
//!   follow-ups.
//! - [`blocking::BlockingRun`] leads a command that waits from attempt to attempt.
//!
//! A single redis command, the usual case, is sent without a state machine, unless its reply is not yet the result. On
//! asynchronous cluster connections, submissions are sent without an exchange: on this crate's by the module
//! [`cluster`], and on redis-rs's by the module `redis_rs_cluster`. On clusters, commands with keys in several slots
//! are split (see `split`).

// Replies are read here: arithmetic on them must not overflow, and nothing is indexed by them.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing))]

#[cfg(feature = "aio")]
pub(crate) mod asynchronous;
pub(crate) mod batch;
pub(crate) mod blocking;
#[cfg(any(feature = "cache", feature = "tower"))]
pub(crate) mod breaker;
#[cfg(feature = "cluster")]
pub mod cluster;
#[cfg(feature = "aio")]
mod connection;
pub(crate) mod exchange;
#[cfg(feature = "cluster")]
mod lanes;
#[cfg(feature = "aio")]
mod lookups;
#[cfg(feature = "aio")]
mod mutex;
#[cfg(feature = "aio")]
pub(crate) mod pushes;
#[cfg(feature = "cluster")]
pub(crate) mod redis_rs_cluster;
pub(crate) mod runnable;
#[cfg(feature = "aio")]
mod server_connection;
#[cfg(feature = "aio")]
pub(crate) mod shared;
pub(crate) mod slot_range;
mod split;
pub(crate) mod sync;
#[cfg(feature = "aio")]
pub(crate) mod time_limit;
#[cfg(feature = "aio")]
pub(crate) mod timer;
pub(crate) mod update;

#[cfg(feature = "aio")]
pub use blocking::{BlockingConnection, ExclusiveConnection};
#[cfg(feature = "aio")]
pub use connection::{ConnectOptions, Connection, connect, connect_with};
pub(crate) use runnable::{debug_key, runnable};

/// A synchronous connection: every [`redis::ConnectionLike`], such as [`redis::Connection`], the guard of a pool, and a
/// connection to a cluster.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a synchronous connection",
    label = "not a synchronous connection",
    note = "on an asynchronous connection, write `.query_async(&mut con).await`, or for a scan `.stream(&mut con)`",
    note = "a pool has connections: write `.query(&mut pool.get()?)`",
    note = "a connection of another version of redis-rs is of another type: open it with `redis_keys::redis`"
)]
pub trait SyncConnection: redis::ConnectionLike {}

#[diagnostic::do_not_recommend]
impl<C: redis::ConnectionLike + ?Sized> SyncConnection for C {}

/// An asynchronous connection: every [`redis::aio::ConnectionLike`], such as [`Connection`],
/// [`redis::aio::MultiplexedConnection`], the guard of a pool, and a connection to a cluster.
#[cfg(feature = "aio")]
#[cfg_attr(docsrs, doc(cfg(feature = "aio")))]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an asynchronous connection",
    label = "not an asynchronous connection",
    note = "open a connection: write `redis_keys::connect(\"redis://127.0.0.1/\")?`",
    note = "a pool has connections: write `.query_async(&mut pool.get().await?)`; pass a guard as `&mut *guard`",
    note = "on a synchronous connection, write `.query(&mut con)`, or for a scan `.iter(&mut con)`",
    note = "a connection of another version of redis-rs is of another type: open it with `redis_keys::redis`"
)]
pub trait AsyncConnection: redis::aio::ConnectionLike {}

#[cfg(feature = "aio")]
#[diagnostic::do_not_recommend]
impl<C: redis::aio::ConnectionLike + ?Sized> AsyncConnection for C {}

/// An asynchronous connection that can be shared, such as [`Connection`] and an asynchronous connection to a cluster.
///
/// Every asynchronous connection that can be cloned implements it. Use it as the bound in code that is generic over its
/// connection. Types that run in several tasks, such as [`Cache`](crate::guide::caching), have this bound too.
#[cfg(feature = "aio")]
#[cfg_attr(docsrs, doc(cfg(feature = "aio")))]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an asynchronous connection that can be shared",
    label = "expected an asynchronous connection that is `Clone`",
    note = "in a function that has a reference `con`, write `.run(con)`, and for a `Cache`, `Locks` or `Worker` `con.clone()`",
    note = "to open a connection, write `redis_keys::connect(\"redis://127.0.0.1/\")?`: no pool is needed",
    note = "on the guard of a pool, write `.query_async(&mut *guard)`, and on a synchronous connection `.query(&mut con)`",
    note = "a connection of another version of redis-rs is of another type: open it with `redis_keys::redis`"
)]
pub trait SharedConnection: AsyncConnection + Clone + Send + Sync + 'static {}

#[cfg(feature = "aio")]
#[diagnostic::do_not_recommend]
impl<C: AsyncConnection + Clone + Send + Sync + 'static> SharedConnection for C {}

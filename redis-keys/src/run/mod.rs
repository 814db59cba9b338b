//! How commands are sent: on synchronous, asynchronous and cluster connections, and while waiting.
//!
//! What to send next is decided by state machines that perform no I/O. A driver asks one what to send, sends it and resumes it
//! with the reply, so that the synchronous and the asynchronous driver are the same few lines and cannot differ:
//!
//! - [`exchange::Exchange`] sends one submission over one connection: in pipelines or command by command, with second attempts
//!   for scripts that the server does not know.
//! - [`batch::BatchRun`] leads a batch from submission to submission: the commands, the lookup of wrong types, the follow-ups.
//! - [`blocking::BlockingRun`] leads a command that waits from attempt to attempt.
//!
//! A single redis command, the usual case, is sent without a machine. It gets one where its reply is not yet the result. On an
//! asynchronous cluster connection of redis-rs the module `cluster` sends the submissions instead of an exchange, and on the one of
//! this crate the module `cluster_connection`. Those to clusters send commands with keys in several slots as `split` says.

// Replies are read here: arithmetic on them must not overflow, and nothing is indexed by them.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing))]

#[cfg(feature = "aio")]
pub(crate) mod asynchronous;
pub(crate) mod backoff;
pub(crate) mod batch;
pub(crate) mod blocking;
#[cfg(any(feature = "cache", feature = "tower"))]
pub(crate) mod breaker;
#[cfg(feature = "cluster-async")]
pub(crate) mod cluster;
#[cfg(feature = "cluster-async")]
pub mod cluster_connection;
pub(crate) mod connection;
pub(crate) mod exchange;
mod split;
pub(crate) mod sync;
#[cfg(any(feature = "cache", feature = "jobs", feature = "lock", feature = "tower"))]
pub(crate) mod time_limit;
#[cfg(feature = "aio")]
pub(crate) mod timer;
pub(crate) mod topology;

#[cfg(feature = "aio")]
pub use blocking::BlockingConnection;
#[cfg(feature = "aio")]
pub use connection::AsyncConnection;
#[cfg(any(feature = "cache", feature = "jobs", feature = "lock", feature = "tower"))]
pub use connection::SharedConnection;
pub use connection::SyncConnection;

//! How commands are sent: on synchronous and asynchronous connections, on clusters, and while waiting.

#[cfg(feature = "aio")]
pub(crate) mod asynchronous;
pub(crate) mod blocking;
#[cfg(feature = "cluster-async")]
pub(crate) mod cluster;
pub(crate) mod sync;

#[cfg(feature = "aio")]
pub use blocking::BlockingConnection;

//! What a cache runs on, with a message for what it does not run on.

use crate::AsyncConnection;

/// An asynchronous connection that can be cloned, such as [`redis::aio::MultiplexedConnection`], a `ConnectionManager` and an
/// asynchronous connection to a cluster.
///
/// Every such type implements it: it is the bound for code that is generic over the connection of a [`Cache`](super::Cache).
#[diagnostic::on_unimplemented(
    message = "a `Cache` cannot use `{Self}`",
    label = "expected an asynchronous connection that is `Clone`",
    note = "write `Cache::new(client.get_connection_manager().await?)`, with the feature `connection-manager`",
    note = "a cache needs no pool: all its calls share one connection"
)]
pub trait CacheConnection: AsyncConnection + Clone + Send + Sync + 'static {}

#[diagnostic::do_not_recommend]
impl<C: AsyncConnection + Clone + Send + Sync + 'static> CacheConnection for C {}

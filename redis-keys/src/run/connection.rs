//! What commands run on, with messages for what they do not run on.

/// A synchronous connection: every [`redis::ConnectionLike`], such as [`redis::Connection`], the guard of a pool, and a connection
/// to a cluster.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a synchronous connection",
    label = "not a synchronous connection",
    note = "on an asynchronous connection, write `.query_async(&mut con).await`, or for a scan `.stream(&mut con)`",
    note = "a pool has connections: write `.query(&mut pool.get()?)`"
)]
pub trait SyncConnection: redis::ConnectionLike {}

#[diagnostic::do_not_recommend]
impl<C: redis::ConnectionLike + ?Sized> SyncConnection for C {}

/// An asynchronous connection: every [`redis::aio::ConnectionLike`], such as [`redis::aio::MultiplexedConnection`], the guard of a
/// pool, and a connection to a cluster.
#[cfg(feature = "aio")]
#[cfg_attr(docsrs, doc(cfg(feature = "aio")))]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an asynchronous connection",
    label = "not an asynchronous connection",
    note = "a client opens connections: write `client.get_multiplexed_async_connection().await?`",
    note = "a pool has connections: write `.query_async(&mut pool.get().await?)`; pass a guard as `&mut *guard`",
    note = "on a synchronous connection, write `.query(&mut con)`, or for a scan `.iter(&mut con)`"
)]
pub trait AsyncConnection: redis::aio::ConnectionLike {}

#[cfg(feature = "aio")]
#[diagnostic::do_not_recommend]
impl<C: redis::aio::ConnectionLike + ?Sized> AsyncConnection for C {}

/// An asynchronous connection that can be cloned, such as [`redis::aio::MultiplexedConnection`], a `ConnectionManager` and an
/// asynchronous connection to a cluster.
///
/// Every such type implements it. It is the bound of what runs in several tasks, such as [`Cache`](crate::guide::caching), and of
/// code that is generic over its connection.
#[cfg(any(feature = "cache", feature = "jobs", feature = "lock", feature = "tower"))]
#[cfg_attr(docsrs, doc(cfg(any(feature = "cache", feature = "jobs", feature = "lock", feature = "tower"))))]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an asynchronous connection that can be cloned",
    label = "expected an asynchronous connection that is `Clone`",
    note = "write `client.get_connection_manager().await?`, with the feature `connection-manager`",
    note = "no pool is needed: all calls share one connection"
)]
pub trait SharedConnection: AsyncConnection + Clone + Send + Sync + 'static {}

#[cfg(any(feature = "cache", feature = "jobs", feature = "lock", feature = "tower"))]
#[diagnostic::do_not_recommend]
impl<C: AsyncConnection + Clone + Send + Sync + 'static> SharedConnection for C {}

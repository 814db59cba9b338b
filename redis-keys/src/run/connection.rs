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

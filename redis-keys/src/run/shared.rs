//! Running on a connection that is shared, through a reference.

use std::any::Any;

use redis::aio::ConnectionLike;
use redis::{Cmd, Pipeline, RedisFuture, Value};

#[cfg(feature = "cluster")]
use super::cluster;
use super::{Connection, SharedConnection};
use crate::{Command, Error};

/// A connection of this crate, which sends without being changed.
pub(crate) trait SendShared {
    fn send_one<'a>(&'a self, cmd: &'a Cmd) -> RedisFuture<'a, Value>;

    fn send_pipeline<'a>(&'a self, pipeline: &'a Pipeline, offset: usize, count: usize) -> RedisFuture<'a, Vec<Value>>;

    fn db(&self) -> i64;
}

/// A connection of this crate behind a reference, so that no clone is needed.
pub(crate) struct ByRef<'c, C>(&'c C);

impl<C: SendShared + Sync> ConnectionLike for ByRef<'_, C> {
    fn req_packed_command<'a>(&'a mut self, cmd: &'a Cmd) -> RedisFuture<'a, Value> {
        self.0.send_one(cmd)
    }

    fn req_packed_commands<'a>(
        &'a mut self,
        pipeline: &'a Pipeline,
        offset: usize,
        count: usize,
    ) -> RedisFuture<'a, Vec<Value>> {
        self.0.send_pipeline(pipeline, offset, count)
    }

    fn get_db(&self) -> i64 {
        self.0.db()
    }
}

/// The connection, if it is of this type.
#[inline]
fn by_ref<C: Any, O: Any>(con: &C) -> Option<ByRef<'_, O>> {
    (con as &dyn Any).downcast_ref().map(ByRef)
}

impl<T> Command<T> {
    /// Runs the command on an asynchronous connection that is shared, such as [`Connection`]. The future is `Send` if
    /// the result is.
    ///
    /// ```no_run
    /// use redis_keys::{Connection, prelude::*};
    ///
    /// #[derive(RedisKey)]
    /// #[redis_key(user:name:{user_id}:string, value = String, ttl = 1h)]
    /// struct Name { user_id: u64 }
    ///
    /// async fn greeting(con: &Connection) -> Result<String, redis_keys::Error> {
    ///     let name = Name { user_id: 42 }.get().run(con).await?;
    ///     Ok(format!("Hello, {}!", name.as_deref().unwrap_or("stranger")))
    /// }
    /// ```
    ///
    /// A connection that cannot be cloned, such as the guard of a pool, runs it by [`query_async`](Self::query_async).
    ///
    /// # Errors
    ///
    /// As [`query`](Self::query).
    #[cfg_attr(docsrs, doc(cfg(feature = "aio")))]
    #[inline]
    pub async fn run<C>(self, con: &C) -> Result<T, Error>
    where
        C: SharedConnection,
    {
        if let Some(mut con) = by_ref::<C, Connection>(con) {
            return self.query_async(&mut con).await;
        }
        #[cfg(feature = "cluster")]
        if let Some(mut con) = by_ref::<C, cluster::Connection>(con) {
            return self.query_async(&mut con).await;
        }
        self.query_async(&mut con.clone()).await
    }
}

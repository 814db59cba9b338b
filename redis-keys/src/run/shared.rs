//! Connections of this crate behind a reference, which need no clone to send.

use std::any::Any;

use redis::aio::ConnectionLike;
use redis::{Cmd, Pipeline, RedisFuture, Value};

/// A connection of this crate, which sends without being changed.
pub(crate) trait SharedSender {
    fn send_one<'a>(&'a self, cmd: &'a Cmd) -> RedisFuture<'a, Value>;

    fn send_pipeline<'a>(&'a self, pipeline: &'a Pipeline, offset: usize, count: usize) -> RedisFuture<'a, Vec<Value>>;

    fn db(&self) -> i64;
}

/// A connection of this crate behind a reference, so that no clone is needed.
pub(crate) struct ByRef<'c, C>(&'c C);

impl<C: SharedSender + Sync> ConnectionLike for ByRef<'_, C> {
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

impl<'c, C: Any> ByRef<'c, C> {
    /// The connection, if it is of this type.
    #[inline]
    pub(crate) fn recognize<A: Any>(con: &'c A) -> Option<Self> {
        (con as &dyn Any).downcast_ref().map(Self)
    }
}

//! Replaces a value with a value computed from it.

use std::borrow::Borrow;
use std::fmt;

use redis::Value;

use crate::accessor::Accessor;
use crate::command::arguments::value;
use crate::command::builder::Build as _;
use crate::command::value::Place;
use crate::command::{Decode, DecodeResult, Replies, ReplyContext, ReplyError, Step, expiry, flag, value};
use crate::error::Cause;
use crate::observe::command::Call;
use crate::run::update::{self, Change, MAX_ATTEMPTS};
use crate::types::string::{Input, Output};
use crate::{Command, Error, StringKey, lua};

/// A replacement of a value, computed from the old value, as returned by [`StringKey::update`].
#[must_use = "an update does nothing until `run` or `query` runs it"]
pub struct Update<'k, K, F> {
    key: &'k K,
    change: F,
}

const UPDATE: Accessor = Accessor::of("update");

/// The stored bytes, and the decoded value.
type Current<K> = (Option<Vec<u8>>, Option<Output<K>>);

impl<'k, K, F> Update<'k, K, F> {
    pub(super) fn new(key: &'k K, change: F) -> Self {
        Self { key, change }
    }
}

impl<K, F, N> Update<'_, K, F>
where
    K: StringKey,
    F: FnMut(Option<Output<K>>) -> N,
    N: Borrow<Input<K>>,
{
    /// Runs the update on a synchronous connection and returns the value that was written.
    ///
    /// # Errors
    ///
    /// The same as [`Command::query`], and if other clients changed the value in all 32 attempts. See [`StringKey::update`].
    pub fn query<C>(self, con: &mut C) -> Result<N, Error>
    where
        C: crate::SyncConnection + ?Sized,
    {
        let call = Call::start(UPDATE, K::SCHEMA);
        let new = call.span.in_scope(|| update::query(self, con));
        call.end_as(&new, |_| false);
        new
    }

    /// Runs the update on a shared asynchronous connection and returns the value that was written.
    ///
    /// # Errors
    ///
    /// The same as [`query`](Self::query).
    #[cfg(feature = "aio")]
    #[cfg_attr(docsrs, doc(cfg(feature = "aio")))]
    pub async fn run<C: crate::SharedConnection>(self, con: &C) -> Result<N, Error> {
        self.query_async(&mut con.clone()).await
    }

    /// Runs the update on an asynchronous connection and returns the value that was written.
    ///
    /// # Errors
    ///
    /// The same as [`query`](Self::query).
    #[cfg(feature = "aio")]
    #[cfg_attr(docsrs, doc(cfg(feature = "aio")))]
    pub async fn query_async<C>(self, con: &mut C) -> Result<N, Error>
    where
        C: crate::AsyncConnection + ?Sized,
    {
        let call = Call::start(UPDATE, K::SCHEMA);
        let new = call.span.within(update::query_async(self, con)).await;
        call.end_as(&new, |_| false);
        new
    }
}

impl<K, F, N> Change for Update<'_, K, F>
where
    K: StringKey,
    F: FnMut(Option<Output<K>>) -> N,
    N: Borrow<Input<K>>,
{
    type Current = Current<K>;
    type New = N;

    fn read(&self) -> Command<Current<K>> {
        let decode: Decode<Current<K>> = read_current::<K>;
        self.key.native("GET", ()).reply_one(decode)
    }

    fn write(&mut self, (before, old): Current<K>) -> (N, Command<bool>) {
        let new = (self.change)(old);
        let write = self.compare_and_set(before.as_deref(), new.borrow());
        (new, write)
    }

    #[cold]
    fn contended(&self) -> Error {
        let key = self.key.key().ok().map(|key| key.as_str().into());
        Error::new(K::SCHEMA, key, crate::SendStatus::Yes, Cause::Contended { attempts: MAX_ATTEMPTS })
    }
}

impl<K: StringKey, F> Update<'_, K, F> {
    fn compare_and_set(&self, before: Option<&[u8]>, new: &Input<K>) -> Command<bool> {
        let exists = if before.is_some() { "1" } else { "0" };
        let new = value::<K::Value>(new);
        let cmd = match expiry::draw(self.key) {
            Ok(Some(ms)) => self.key.script(&lua::UPDATE, (exists, before.unwrap_or_default(), new, ms)),
            Ok(None) => self.key.script(&lua::UPDATE, (exists, before.unwrap_or_default(), new, "")),
            Err(error) => return Command::refused(error),
        };
        cmd.reply(flag)
    }
}

/// Reads the value. A value that does not decode is an error: the new value depends on it.
fn read_current<K: StringKey>(replies: Replies, sent: &ReplyContext<'_>) -> DecodeResult<Current<K>> {
    let reply = replies.one();
    let before = match &reply {
        Value::BulkString(bytes) => Some(bytes.clone()),
        Value::Nil => None,
        _ => return Err(ReplyError::unexpected()),
    };
    value::read_at::<K::Value>(reply, Place::new(sent)).map(|old| Step::Done((before, old)))
}

impl<K: StringKey, F> fmt::Debug for Update<'_, K, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Update").field("schema", &K::SCHEMA.name).finish_non_exhaustive()
    }
}

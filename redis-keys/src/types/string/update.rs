//! Replacing a value with one computed from it.

use std::{borrow::Borrow, fmt};

use redis::Value;

use crate::{
    Command, Error, StringKey,
    command::{Decode, Replies, ReplyError, Sent, Step, arguments::value, builder::Build as _, flag, value},
    error::Cause,
    key::expiry,
    lua,
    run::backoff::Backoff,
    types::string::{Input, Output},
};

/// How often the update is tried while other clients change the value.
const MAX_ATTEMPTS: usize = 32;

/// A replacement of a value with one computed from it: what [`StringKey::update`] returns.
#[must_use = "an update does nothing until `query` or `query_async` runs it"]
pub struct Update<'k, K, F> {
    key: &'k K,
    change: F,
}

/// The stored bytes, and the value they decode to.
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
    /// As [`Command::query`], and if other clients changed the value in all 32 attempts. See [`StringKey::update`].
    pub fn query<C>(mut self, con: &mut C) -> Result<N, Error>
    where
        C: crate::SyncConnection + ?Sized,
    {
        let mut backoff = Backoff::new();
        for _ in 1..MAX_ATTEMPTS {
            if let Some(new) = self.attempt(con)? {
                return Ok(new);
            }
            backoff.wait();
        }
        self.attempt(con)?.ok_or_else(|| self.contended())
    }

    fn attempt<C>(&mut self, con: &mut C) -> Result<Option<N>, Error>
    where
        C: crate::SyncConnection + ?Sized,
    {
        let (before, old) = self.read().query(con)?;
        let new = (self.change)(old);
        let is_written = self.write(before.as_deref(), new.borrow()).query(con)?;
        Ok(is_written.then_some(new))
    }

    /// Runs the update on an asynchronous connection and returns the value that was written.
    ///
    /// # Errors
    ///
    /// As [`query`](Self::query).
    #[cfg(feature = "aio")]
    #[cfg_attr(docsrs, doc(cfg(feature = "aio")))]
    pub async fn query_async<C>(mut self, con: &mut C) -> Result<N, Error>
    where
        C: crate::AsyncConnection + ?Sized,
    {
        let mut backoff = Backoff::new();
        for _ in 1..MAX_ATTEMPTS {
            if let Some(new) = self.attempt_async(con).await? {
                return Ok(new);
            }
            backoff.wait_async().await;
        }
        self.attempt_async(con).await?.ok_or_else(|| self.contended())
    }

    #[cfg(feature = "aio")]
    async fn attempt_async<C>(&mut self, con: &mut C) -> Result<Option<N>, Error>
    where
        C: crate::AsyncConnection + ?Sized,
    {
        let (before, old) = self.read().query_async(con).await?;
        let new = (self.change)(old);
        let write = self.write(before.as_deref(), new.borrow());
        Ok(write.query_async(con).await?.then_some(new))
    }

    fn read(&self) -> Command<Current<K>> {
        let decode: Decode<Current<K>> = read_current::<K>;
        self.key.native("GET", ()).reply_one(decode)
    }

    fn write(&self, before: Option<&[u8]>, new: &Input<K>) -> Command<bool> {
        let exists = if before.is_some() { "1" } else { "0" };
        let new = value::<K::Value>(new);
        let cmd = match expiry::draw(self.key) {
            Ok(Some(ms)) => self.key.script(&lua::UPDATE, (exists, before.unwrap_or_default(), new, ms)),
            Ok(None) => self.key.script(&lua::UPDATE, (exists, before.unwrap_or_default(), new, "")),
            Err(error) => return Command::refused(error),
        };
        cmd.reply(flag)
    }

    #[cold]
    fn contended(&self) -> Error {
        let key = self.key.key().ok().map(|key| key.as_str().into());
        Error::new(K::SCHEMA, key, crate::Sent::Yes, Cause::Contended { attempts: MAX_ATTEMPTS })
    }
}

/// Reads the value. One that does not decode is an error, as the new value depends on it.
fn read_current<K: StringKey>(replies: Replies, _sent: &Sent<'_>) -> Result<Step<Current<K>>, ReplyError> {
    let reply = replies.one();
    let before = match &reply {
        Value::BulkString(bytes) => Some(bytes.clone()),
        Value::Nil => None,
        _ => return Err(ReplyError::unexpected()),
    };
    value::read::<K::Value>(reply).map(|old| Step::Done((before, old)))
}

impl<K: StringKey, F> fmt::Debug for Update<'_, K, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Update").field("schema", &K::SCHEMA.name).finish_non_exhaustive()
    }
}

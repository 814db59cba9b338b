//! Changing a value to another one that depends on it.

use std::{borrow::Borrow, fmt};

use redis::{Cmd, RedisWrite as _, Value};

use crate::{
    Command, Error, StringKey,
    command::{Decode, Fault, Replies, Sent, Step, flag, key_of, on_key, script_on_key, value},
    error::Cause,
    key::expiry,
    lua,
    types::string::{Input, Output},
};

/// So often the value is read again when somebody else has changed it meanwhile.
const ATTEMPTS: usize = 32;

/// A change of a value that depends on the value: [`StringKey::update`].
#[must_use = "an update does nothing until `query` or `query_async` runs it"]
pub struct Update<'k, K, F> {
    key: &'k K,
    change: F,
}

/// The bytes that were there, and what they mean.
type Read<K> = (Option<Vec<u8>>, Option<Output<K>>);

pub(crate) fn update<K, F>(key: &K, change: F) -> Update<'_, K, F> {
    Update { key, change }
}

impl<K, F, N> Update<'_, K, F>
where
    K: StringKey,
    F: FnMut(Option<Output<K>>) -> N,
    N: Borrow<Input<K>>,
{
    /// Runs the update on a synchronous connection. Gives what was written.
    ///
    /// # Errors
    ///
    /// As [`Command::query`], and when others have changed the value each time that it was read.
    pub fn query<C>(mut self, con: &mut C) -> Result<N, Error>
    where
        C: redis::ConnectionLike + ?Sized,
    {
        for _ in 0..ATTEMPTS {
            let (before, old) = self.read().query(con)?;
            let new = (self.change)(old);
            if self.write(before.as_deref(), new.borrow()).query(con)? {
                return Ok(new);
            }
        }
        Err(self.contended())
    }

    /// Runs the update on an asynchronous connection. Gives what was written.
    ///
    /// # Errors
    ///
    /// As [`query`](Self::query).
    #[cfg(feature = "aio")]
    #[cfg_attr(docsrs, doc(cfg(feature = "aio")))]
    pub async fn query_async<C>(mut self, con: &mut C) -> Result<N, Error>
    where
        C: redis::aio::ConnectionLike + ?Sized,
    {
        for _ in 0..ATTEMPTS {
            let (before, old) = self.read().query_async(con).await?;
            let new = (self.change)(old);
            let write = self.write(before.as_deref(), new.borrow());
            if write.query_async(con).await? {
                return Ok(new);
            }
        }
        Err(self.contended())
    }

    fn read(&self) -> Command<Read<K>> {
        let decode: Decode<Read<K>> = found::<K>;
        Command::one(K::SCHEMA, on_key(self.key, "GET", 0, 0), decode)
    }

    fn write(&self, before: Option<&[u8]>, new: &Input<K>) -> Command<bool> {
        Command::script(K::SCHEMA, &lua::UPDATE, write_cmd(self.key, before, new), flag)
    }

    #[cold]
    fn contended(&self) -> Error {
        let key = self.key.key().ok().map(|key| key.as_str().into());
        Error::new(K::SCHEMA, key, crate::Sent::Yes, Cause::Contended { attempts: ATTEMPTS })
    }
}

/// A value that does not decode can't be changed into another one, and is an error.
fn found<K: StringKey>(replies: Replies, _sent: &Sent<'_>) -> Result<Step<Read<K>>, Fault> {
    let reply = replies.one();
    let before = match &reply {
        Value::BulkString(bytes) => Some(bytes.clone()),
        Value::Nil => None,
        _ => return Err(Fault::unexpected()),
    };
    value::read::<K::Value>(reply).map(|old| Step::Done((before, old)))
}

fn write_cmd<K: StringKey>(key: &K, before: Option<&[u8]>, new: &Input<K>) -> Result<Cmd, Error> {
    let schema = K::SCHEMA;
    let room = before.map_or(0, <[u8]>::len) + value::room::<K::Value>(new, schema) + 24;
    let mut cmd = script_on_key(key, &lua::UPDATE, 4, room)?;
    cmd.write_arg(if before.is_some() { b"1" } else { b"0" });
    cmd.write_arg(before.unwrap_or_default());
    if let Err(cause) = value::push::<K::Value>(&mut cmd, new, schema) {
        return Err(Error::refused(schema, key_of(&cmd, 0), cause));
    }
    match expiry::draw(key)? {
        Some(ms) => _ = cmd.arg(ms),
        None => cmd.write_arg(b""),
    }
    Ok(cmd)
}

impl<K: StringKey, F> fmt::Debug for Update<'_, K, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Update").field("schema", &K::SCHEMA.name).finish_non_exhaustive()
    }
}

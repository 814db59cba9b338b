//! Reading one copy, and filling it from another one.

use std::fmt;

use redis::{Cmd, RedisWrite as _, Value};

use super::{any, other};
#[cfg(feature = "aio")]
use crate::command::is_cluster;
use crate::{
    Command, CopiedKey, Error, RedisKey as _, StringKey as _, TimeLeft,
    command::{Decode, Fault, Replies, Sent, Step, on_key},
    copied_key::Output,
    lifetime, value,
};

/// A read of one copy of a hot key: [`CopiedKey::get`].
///
/// It runs by itself, since what it sends next depends on what is found.
///
/// ```no_run
/// use redis_keys::{prelude::*, redis};
///
/// #[derive(RedisKey)]
/// #[redis_key(shop:banner:{shop}:{copy}:string, value = String, ttl = 10m, copies = 8)]
/// struct Banner { shop: u32 }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let mut con = redis::Client::open("redis://127.0.0.1/")?.get_connection()?;
/// let found: Option<String> = Banner { shop: 42 }.get().query(&mut con)?;
/// # Ok(()) }
/// ```
#[must_use = "a GET does nothing until `query` or `query_async` runs it"]
pub struct GetCopy<'k, K> {
    key: &'k K,
    first: u32,
    second: u32,
}

pub(crate) fn get<K: CopiedKey>(key: &K) -> GetCopy<'_, K> {
    let first = any::<K>();
    GetCopy { key, first, second: other::<K>(first) }
}

/// Whether the node of a copy does not serve it. On a cluster another copy is likely to be on another one.
fn is_lost<T>(first: &Result<T, Error>) -> bool {
    first.as_ref().is_err_and(Error::is_of_lost_node)
}

/// What stands in a copy: the bytes, what they mean, and how long they are to live.
type Seen<K> = Option<(Vec<u8>, Output<K>, TimeLeft)>;

impl<K: CopiedKey> GetCopy<'_, K> {
    /// Runs the read on a synchronous connection.
    ///
    /// # Errors
    ///
    /// As [`Command::query`], of the copy that was chosen. That a missing copy could not be filled is none, nor that the node of a
    /// cluster that has it does not serve it, where another copy was found.
    pub fn query<C>(self, con: &mut C) -> Result<Option<Output<K>>, Error>
    where
        C: redis::ConnectionLike + ?Sized,
    {
        let first = self.key.copy(self.first).get().query(con);
        // Of synchronous connections those to clusters alone take no pipelines.
        if is_lost(&first)
            && !con.supports_pipelining()
            && let Ok(Some(found)) = self.key.copy(self.second).get().query(con)
        {
            return Ok(Some(found));
        }
        if let Some(found) = first? {
            return Ok(Some(found));
        }
        let Some((bytes, found, left)) = self.look_elsewhere().query(con)? else { return Ok(None) };
        if let Some(fill) = self.fill(&bytes, left) {
            // What was asked for is there already.
            let _ = fill.query(con);
        }
        Ok(Some(found))
    }

    /// Runs the read on an asynchronous connection.
    ///
    /// # Errors
    ///
    /// As [`query`](Self::query).
    #[cfg(feature = "aio")]
    #[cfg_attr(docsrs, doc(cfg(feature = "aio")))]
    pub async fn query_async<C>(self, con: &mut C) -> Result<Option<Output<K>>, Error>
    where
        C: redis::aio::ConnectionLike + ?Sized,
    {
        let first = self.key.copy(self.first).get().query_async(con).await;
        if is_lost(&first)
            && is_cluster::<C>()
            && let Ok(Some(found)) = self.key.copy(self.second).get().query_async(con).await
        {
            return Ok(Some(found));
        }
        if let Some(found) = first? {
            return Ok(Some(found));
        }
        let second = self.look_elsewhere();
        let Some((bytes, found, left)) = second.query_async(con).await? else { return Ok(None) };
        if let Some(fill) = self.fill(&bytes, left) {
            let _ = fill.query_async(con).await;
        }
        Ok(Some(found))
    }

    fn look_elsewhere(&self) -> Command<Seen<K>> {
        let copy = self.key.copy(self.second);
        let cmds = on_key(&copy, "GET", 0, 0).and_then(|get| Ok(vec![get, on_key(&copy, "PTTL", 0, 0)?]));
        let decode: Decode<Seen<K>> = seen::<K>;
        match cmds {
            Ok(cmds) => Command::many(K::SCHEMA, cmds, decode),
            Err(error) => Command::refused(error),
        }
    }

    /// SET NX, so that what was written meanwhile stays. None where the other copy has gone away.
    fn fill(&self, bytes: &[u8], left: TimeLeft) -> Option<Command<()>> {
        let copy = self.key.copy(self.first);
        let ms = match left {
            TimeLeft::Left(left) => Some(u64::try_from(left.as_millis()).ok().filter(|ms| *ms > 0)?),
            // Where it should have an expiry somebody else has taken it away.
            TimeLeft::Never => lifetime::draw(&copy).ok()?,
            TimeLeft::Missing => return None,
        };
        let mut cmd = on_key(&copy, "SET", 4, bytes.len() + 32).ok()?;
        push(&mut cmd, bytes, ms);
        Some(Command::one(K::SCHEMA, Ok(cmd), filled))
    }
}

fn push(cmd: &mut Cmd, bytes: &[u8], ms: Option<u64>) {
    cmd.write_arg(bytes);
    if let Some(ms) = ms {
        cmd.write_arg(b"PX");
        cmd.arg(ms);
    }
    cmd.write_arg(b"NX");
}

fn seen<K: CopiedKey>(replies: Replies, _sent: &Sent<'_>) -> Result<Step<Seen<K>>, Fault> {
    let mut replies = replies.all();
    let (found, left) = (replies.next().unwrap_or_default(), replies.next().unwrap_or_default());
    let Value::Int(left) = left else { return Err(Fault::unexpected().of(1, 0)) };
    let bytes = match &found {
        Value::BulkString(bytes) => bytes.clone(),
        Value::Nil => return Ok(Step::Done(None)),
        _ => return Err(Fault::unexpected()),
    };
    let value = value::read_one::<K::Value>(found)?;
    Ok(Step::Done(Some((bytes, value, TimeLeft::from_pttl(left)))))
}

/// Whatever it was answered.
#[expect(clippy::unnecessary_wraps, reason = "decoders give results")]
fn filled(_replies: Replies, _sent: &Sent<'_>) -> Result<Step<()>, Fault> {
    Ok(Step::Done(()))
}

impl<K: CopiedKey> fmt::Debug for GetCopy<'_, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = self.key.copy(self.first).key();
        f.debug_struct("GetCopy").field("key", &key).finish_non_exhaustive()
    }
}

//! Reading one copy, and filling it from another one.

use std::{fmt, time::Duration};

use redis::{Cmd, RedisWrite as _, Value};

use super::{any, at_random, many};
#[cfg(feature = "aio")]
use crate::run::asynchronous::is_cluster;
use crate::{
    Command, CopiedKey, Error, RedisKey as _, StringKey as _, TimeLeft,
    command::{Decode, Fault, Replies, Sent, Step, on_key, value},
    key::expiry,
    types::copies::Output,
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
    /// Which of the others comes first.
    turn: u32,
}

pub(crate) fn get<K: CopiedKey>(key: &K) -> GetCopy<'_, K> {
    GetCopy { key, first: any::<K>(), turn: at_random(K::COPIES.saturating_sub(1)) }
}

/// Whether the node of a copy does not serve it. On a cluster another copy is likely to be on another one.
fn is_lost<T>(first: &Result<T, Error>) -> bool {
    first.as_ref().is_err_and(Error::is_of_lost_node)
}

/// What was found, or the error that was there before.
fn unless<T>(lost: Option<Error>, found: Result<Option<T>, Error>) -> Result<Option<T>, Error> {
    match (found, lost) {
        (Ok(None) | Err(_), Some(lost)) => Err(lost),
        (found, _) => found,
    }
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
            && let Ok(Some(found)) = self.key.copy(self.other(0)).get().query(con)
        {
            return Ok(Some(found));
        }
        if let Some(found) = first? {
            return Ok(Some(found));
        }
        let looked = match self.look_for_others() {
            Some(others) => others.query(con),
            None => Ok(Some(0)),
        };
        let (other, lost) = self.one_of(looked, !con.supports_pipelining())?;
        let Some(other) = other else { return Ok(None) };
        let Some((bytes, found, left)) = unless(lost, self.look_at(other).query(con))? else { return Ok(None) };
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
            && let Ok(Some(found)) = self.key.copy(self.other(0)).get().query_async(con).await
        {
            return Ok(Some(found));
        }
        if let Some(found) = first? {
            return Ok(Some(found));
        }
        let looked = match self.look_for_others() {
            Some(others) => others.query_async(con).await,
            None => Ok(Some(0)),
        };
        let (other, lost) = self.one_of(looked, is_cluster::<C>())?;
        let Some(other) = other else { return Ok(None) };
        let other = self.look_at(other).query_async(con).await;
        let Some((bytes, found, left)) = unless(lost, other)? else { return Ok(None) };
        if let Some(fill) = self.fill(&bytes, left) {
            let _ = fill.query_async(con).await;
        }
        Ok(Some(found))
    }

    /// The number of another copy. There is one less than there are copies, counted from 0.
    fn other(&self, number: u32) -> u32 {
        let step = (u64::from(self.turn) + u64::from(number)) % u64::from(K::COPIES.saturating_sub(1).max(1));
        let copy = (u64::from(self.first) + 1 + step) % u64::from(K::COPIES.max(1));
        u32::try_from(copy).unwrap_or_default()
    }

    /// Asks which of the others is there, where there is more than one.
    fn look_for_others(&self) -> Option<Command<Option<u32>>> {
        let others = 0..K::COPIES.saturating_sub(1);
        if others.len() < 2 {
            return None;
        }
        let cmds = others.map(|number| on_key(&self.key.copy(self.other(number)), "PTTL", 0, 0)).collect();
        Some(many(self.key, cmds, longest_there))
    }

    /// The one to be read, or none where all are missing. Where a node of a cluster is lost that has one of them it is the first
    /// of the rest, and the error is what remains should that be missing, too.
    fn one_of(&self, looked: Result<Option<u32>, Error>, cluster: bool) -> Result<(Option<u32>, Option<Error>), Error> {
        let lost = match looked {
            Err(error) if cluster && error.is_of_lost_node() => error,
            looked => return looked.map(|other| (other, None)),
        };
        let is_other =
            |number: &u32| self.key.copy(self.other(*number)).key().is_ok_and(|key| lost.key() != Some(key.as_str()));
        match (0..K::COPIES.saturating_sub(1)).find(is_other) {
            Some(other) => Ok((Some(other), Some(lost))),
            None => Err(lost),
        }
    }

    fn look_at(&self, other: u32) -> Command<Seen<K>> {
        let copy = self.key.copy(self.other(other));
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
            TimeLeft::Never => expiry::draw(&copy).ok()?,
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

/// The one that stays longest, by its number among those that were asked: one about to go may be gone when it is read.
fn longest_there(replies: Replies, _sent: &Sent<'_>) -> Result<Step<Option<u32>>, Fault> {
    let mut longest = None;
    for (command, reply) in (0..).zip(replies.all()) {
        let Value::Int(left) = reply else { return Err(Fault::unexpected().of(command, 0)) };
        let left = match TimeLeft::from_pttl(left) {
            TimeLeft::Left(left) => left,
            TimeLeft::Never => Duration::MAX,
            TimeLeft::Missing => continue,
        };
        if longest.is_none_or(|(known, _)| known < left) {
            longest = u32::try_from(command).ok().map(|number| (left, number));
        }
    }
    Ok(Step::Done(longest.map(|(_, number)| number)))
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

//! Reading one copy, and filling it from another one.

use std::convert::Infallible;
use std::time::Duration;

use redis::{RedisWrite as _, Value};

use super::{any, at_random, many};
use crate::accessor::Accessor;
use crate::command::value::Place;
use crate::command::{Decoded, Replies, ReplyContext, ReplyError, Step, expiry, not_batchable, on_key, value};
use crate::observe::command::Call;
use crate::run::debug_key;
use crate::types::copies::Output;
use crate::{Batch, Command, CopiedKey, Error, RedisKey as _, StringKey as _, TimeLeft};

/// A read of a hot key, as returned by [`CopiedKey::get`].
///
/// It cannot be part of a batch, since it sends further commands depending on the reply.
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
    /// The offset at which the order of the other copies starts.
    offset: u32,
}

const GET: Accessor = Accessor::of("get");

pub(crate) fn get<K: CopiedKey>(key: &K) -> GetCopy<'_, K> {
    GetCopy { key, first: any::<K>(), offset: at_random(K::COPIES.saturating_sub(1)) }
}

impl<K: CopiedKey> GetCopy<'_, K> {
    /// Runs the read on a synchronous connection.
    ///
    /// # Errors
    ///
    /// As [`Command::query`], for the copy that was chosen. A missing copy that cannot be filled is no error, nor is a
    /// lost cluster node if another copy was found.
    pub fn query<C>(self, con: &mut C) -> Result<Option<Output<K>>, Error>
    where
        C: crate::SyncConnection + ?Sized,
    {
        // Among synchronous connections only those to clusters do not support pipelines.
        let (mut run, mut next) = CopyRead::start(self, !con.supports_pipelining());
        let call = Call::start(GET, K::SCHEMA);
        let found = call.in_scope(|| {
            loop {
                next = match next {
                    Next::Get(command) => run.got(command.query(con)),
                    Next::Compare(command) => run.compared(command.query(con)),
                    Next::Read(command) => run.read(command.query(con)),
                    Next::Fill(command, value) => CopyRead::filled(command.query(con), value),
                    Next::Done(result) => return result,
                };
            }
        });
        call.end_as(&found, Option::is_none);
        found
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
        C: crate::AsyncConnection + ?Sized,
    {
        let (mut run, mut next) = CopyRead::start(self, crate::run::asynchronous::is_cluster::<C>());
        let call = Call::start(GET, K::SCHEMA);
        let run = async {
            loop {
                next = match next {
                    Next::Get(command) => run.got(command.query_async(con).await),
                    Next::Compare(command) => run.compared(command.query_async(con).await),
                    Next::Read(command) => run.read(command.query_async(con).await),
                    Next::Fill(command, value) => CopyRead::filled(command.query_async(con).await, value),
                    Next::Done(result) => return result,
                };
            }
        };
        let found = call.within(run).await;
        call.end_as(&found, Option::is_none);
        found
    }

    /// The number of another copy, from their position in a random order.
    fn other(&self, position: u32) -> u32 {
        let others = K::COPIES.saturating_sub(1);
        let step = self.offset.saturating_add(position).checked_rem(others).unwrap_or_default();
        self.first.saturating_add(1).saturating_add(step).checked_rem(K::COPIES).unwrap_or_default()
    }

    /// PTTL of the other copies.
    fn compare(&self) -> Command<Option<u32>> {
        let others = 0..K::COPIES.saturating_sub(1);
        let cmds = others.map(|position| on_key(&self.key.copy(self.other(position)), "PTTL", 0, 0)).collect();
        many(self.key, cmds, longest_lived)
    }

    /// GET and PTTL of another copy.
    fn read(&self, position: u32) -> Command<Content<K>> {
        let copy = self.key.copy(self.other(position));
        let cmds = on_key(&copy, "GET", 0, 0).and_then(|get| Ok(vec![get, on_key(&copy, "PTTL", 0, 0)?]));
        many(self.key, cmds, content::<K>)
    }

    /// SET NX of the missing copy, which keeps a value written in between. `None` if the other copy is gone.
    fn fill(&self, bytes: &[u8], left: TimeLeft) -> Option<Command<()>> {
        let copy = self.key.copy(self.first);
        let ms = match left {
            TimeLeft::Left(left) => Some(u64::try_from(left.as_millis()).ok().filter(|ms| *ms > 0)?),
            // If it should have an expiry, another client has removed it.
            TimeLeft::Never => expiry::draw(&copy).ok()?,
            TimeLeft::Missing => return None,
        };
        let mut cmd = on_key(&copy, "SET", 4, bytes.len().saturating_add(32)).ok()?;
        cmd.write_arg(bytes);
        if let Some(ms) = ms {
            cmd.arg("PX").arg(ms);
        }
        cmd.write_arg(b"NX");
        Some(Command::one(K::SCHEMA, Ok(cmd), ignored))
    }
}

/// A read that is being run: a state machine without I/O.
///
/// 1. GET of one copy. If its cluster node is lost, GET of another copy follows, which is likely to be on another node.
/// 2. If the copy is missing, PTTL of the others finds the one that lives longest.
/// 3. GET of that one, and SET NX of the missing copy with the value and the time that the other one has left.
struct CopyRead<'k, K> {
    get: GetCopy<'k, K>,
    is_cluster: bool,
    /// The error of a lost node, which is the result unless another copy is found.
    lost: Option<Error>,
}

/// The next step: send a command and resume with its result.
enum Next<K: CopiedKey> {
    /// Resume with [`got`](CopyRead::got).
    Get(Command<Option<Output<K>>>),
    /// Resume with [`compared`](CopyRead::compared).
    Compare(Command<Option<u32>>),
    /// Resume with [`read`](CopyRead::read).
    Read(Command<Content<K>>),
    /// Resume with [`filled`](CopyRead::filled) and the value.
    Fill(Command<()>, Output<K>),
    Done(Result<Option<Output<K>>, Error>),
}

/// The content of a copy: the bytes, the value and the time left.
type Content<K> = Option<(Vec<u8>, Output<K>, TimeLeft)>;

impl<'k, K: CopiedKey> CopyRead<'k, K> {
    fn start(get: GetCopy<'k, K>, is_cluster: bool) -> (Self, Next<K>) {
        let first = get.key.copy(get.first).get().unnamed();
        (Self { get, is_cluster, lost: None }, Next::Get(first))
    }

    fn is_lost_node(&self, error: &Error) -> bool {
        self.is_cluster && error.is_of_lost_node()
    }

    fn got(&mut self, result: Result<Option<Output<K>>, Error>) -> Next<K> {
        match (result, self.lost.take()) {
            (Ok(Some(value)), _) => Next::Done(Ok(Some(value))),
            (_, Some(lost)) => Next::Done(Err(lost)),
            (Err(error), None) if self.is_lost_node(&error) => {
                self.lost = Some(error);
                Next::Get(self.get.key.copy(self.get.other(0)).get().unnamed())
            }
            (Err(error), None) => Next::Done(Err(error)),
            // There is nothing to compare a single other copy with.
            (Ok(None), None) if K::COPIES < 3 => Next::Read(self.get.read(0)),
            (Ok(None), None) => Next::Compare(self.get.compare()),
        }
    }

    fn compared(&mut self, longest: Result<Option<u32>, Error>) -> Next<K> {
        match longest {
            Ok(Some(position)) => Next::Read(self.get.read(position)),
            Ok(None) => Next::Done(Ok(None)),
            Err(error) if self.is_lost_node(&error) => match self.first_besides(&error) {
                Some(position) => {
                    self.lost = Some(error);
                    Next::Read(self.get.read(position))
                }
                None => Next::Done(Err(error)),
            },
            Err(error) => Next::Done(Err(error)),
        }
    }

    /// The first of the other copies whose key an error does not name.
    fn first_besides(&self, lost: &Error) -> Option<u32> {
        let key = |position| self.get.key.copy(self.get.other(position)).key();
        (0..K::COPIES.saturating_sub(1))
            .find(|position| key(*position).is_ok_and(|key| lost.key() != Some(key.as_str())))
    }

    fn read(&mut self, content: Result<Content<K>, Error>) -> Next<K> {
        match (content, self.lost.take()) {
            (Ok(Some((bytes, value, left))), _) => match self.get.fill(&bytes, left) {
                Some(fill) => Next::Fill(fill, value),
                None => Next::Done(Ok(Some(value))),
            },
            (_, Some(lost)) => Next::Done(Err(lost)),
            (Ok(None), None) => Next::Done(Ok(None)),
            (Err(error), None) => Next::Done(Err(error)),
        }
    }

    /// The value is the result, whether the missing copy was filled or not.
    fn filled(_result: Result<(), Error>, value: Output<K>) -> Next<K> {
        Next::Done(Ok(Some(value)))
    }
}

/// The position of the copy that lives longest: one that expires soon may be gone when it is read.
fn longest_lived(replies: Replies, _sent: &ReplyContext<'_>) -> Decoded<Option<u32>> {
    let mut longest = None;
    for (command, reply) in (0..).zip(replies.all()) {
        let Value::Int(left) = reply else { return Err(ReplyError::unexpected().of(command, 0)) };
        let left = match TimeLeft::from_pttl(left) {
            TimeLeft::Left(left) => left,
            TimeLeft::Never => Duration::MAX,
            TimeLeft::Missing => continue,
        };
        if longest.is_none_or(|(known, _)| known < left) {
            longest = u32::try_from(command).ok().map(|position| (left, position));
        }
    }
    Ok(Step::Done(longest.map(|(_, position)| position)))
}

fn content<K: CopiedKey>(replies: Replies, sent: &ReplyContext<'_>) -> Decoded<Content<K>> {
    let mut replies = replies.all();
    let (value, left) = (replies.next().unwrap_or_default(), replies.next().unwrap_or_default());
    let Value::Int(left) = left else { return Err(ReplyError::unexpected().of(1, 0)) };
    let bytes = match &value {
        Value::BulkString(bytes) => bytes.clone(),
        Value::Nil => return Ok(Step::Done(None)),
        _ => return Err(ReplyError::unexpected()),
    };
    let value = value::read_one_at::<K::Value>(value, Place::new(sent))?;
    Ok(Step::Done(Some((bytes, value, TimeLeft::from_pttl(left)))))
}

/// Accepts any reply.
#[expect(clippy::unnecessary_wraps, reason = "decoders give results")]
fn ignored(_replies: Replies, _sent: &ReplyContext<'_>) -> Decoded<()> {
    Ok(Step::Done(()))
}

debug_key!([K: CopiedKey] GetCopy<'_, K>, "GetCopy", |get| get.key.copy(get.first).key());

#[doc(hidden)]
pub struct HotRead;

#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a read of a hot key cannot be part of a batch",
    label = "sends further commands depending on the reply",
    note = "in a batch, read a random copy: `.any_copy().get()` instead of `.get()`"
)]
pub trait Batchable<'k> {
    fn never() -> Infallible;
}

#[doc(hidden)]
impl<'k, K> Batch for GetCopy<'k, K>
where
    HotRead: Batchable<'k>,
{
    not_batchable!(HotRead);
}

//! Reads a copy, or another copy if the first is missing.

use std::convert::Infallible;

use redis::Value;

use super::{any, at_random, many};
use crate::accessor::Accessor;
use crate::command::{DecodeResult, Replies, ReplyContext, ReplyError, Step, not_batchable, on_key};
use crate::observe::command::Call;
use crate::run::debug_key;
use crate::types::copies::{CopiedKey, Output};
use crate::{Batch, Command, Error, RedisKey as _, StringKey as _};

/// A read of a hot key, as returned by [`CopiedKey::get`].
///
/// It cannot be part of a batch, because it sends further commands depending on the reply.
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
#[must_use = "a GET does nothing until `run` or `query` runs it"]
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
    /// The same as [`Command::query`], for the chosen copy. A lost cluster node is no error if another copy was found.
    pub fn query<C>(self, con: &mut C) -> Result<Option<Output<K>>, Error>
    where
        C: crate::SyncConnection + ?Sized,
    {
        // The only synchronous connections without pipelines are connections to clusters.
        let (mut run, mut next) = CopyRead::start(self, !con.supports_pipelining());
        let call = Call::start(GET, K::SCHEMA);
        let found = call.span.in_scope(|| {
            loop {
                next = match next {
                    Next::Get(command) => run.got(command.query(con)),
                    Next::Search(command) => run.searched(command.query(con)),
                    Next::Done(result) => return result,
                };
            }
        });
        call.end_as(&found, Option::is_none);
        found
    }

    /// Runs the read on a shared asynchronous connection.
    ///
    /// # Errors
    ///
    /// The same as [`query`](Self::query).
    #[cfg(feature = "aio")]
    #[cfg_attr(docsrs, doc(cfg(feature = "aio")))]
    pub async fn run<C: crate::SharedConnection>(self, con: &C) -> Result<Option<Output<K>>, Error> {
        self.query_async(&mut con.clone()).await
    }

    /// Runs the read on an asynchronous connection.
    ///
    /// # Errors
    ///
    /// The same as [`query`](Self::query).
    #[cfg(feature = "aio")]
    #[cfg_attr(docsrs, doc(cfg(feature = "aio")))]
    pub async fn query_async<C>(self, con: &mut C) -> Result<Option<Output<K>>, Error>
    where
        C: crate::AsyncConnection + ?Sized,
    {
        let (mut run, mut next) = CopyRead::start(self, crate::redis_rs::is_cluster::<C>());
        let call = Call::start(GET, K::SCHEMA);
        let run = async {
            loop {
                next = match next {
                    Next::Get(command) => run.got(command.query_async(con).await),
                    Next::Search(command) => run.searched(command.query_async(con).await),
                    Next::Done(result) => return result,
                };
            }
        };
        let found = call.span.within(run).await;
        call.end_as(&found, Option::is_none);
        found
    }

    /// Returns the number of another copy, given its position in a random order.
    fn other(&self, position: u32) -> u32 {
        let others = K::COPIES.saturating_sub(1);
        let step = self.offset.saturating_add(position).checked_rem(others).unwrap_or_default();
        self.first.saturating_add(1).saturating_add(step).checked_rem(K::COPIES).unwrap_or_default()
    }

    /// Returns EXISTS on the other copies.
    fn search(&self) -> Command<Vec<u32>> {
        let others = 0..K::COPIES.saturating_sub(1);
        let cmds = others.map(|position| on_key(&self.key.copy(self.other(position)), "EXISTS", 0, 0)).collect();
        many(self.key, cmds, existing)
    }

    fn read_other(&self, position: u32) -> Next<K> {
        Next::Get(self.key.copy(self.other(position)).get().unnamed())
    }
}

/// The state of a running read: a state machine without I/O.
///
/// 1. GET on one copy. If its cluster node is lost, GET on another copy follows, which is likely to be on another node.
/// 2. If the copy is missing, EXISTS on the others.
/// 3. GET on the first copy that exists, or on the next if it has just vanished.
///
/// A read does not fill a missing copy. The copies are in different slots, so no script can read one and write another,
/// and a client that has read a copy can be stopped for any time before it writes the other. If `unlink` returns in
/// between, the missing copy looks the same as before, and the server accepts the write. It is too late then to check
/// the source again and remove the copy, because others can read it until then. Only a marker in the missing copy could
/// prevent the write. The marker would be needed for as long as a client can be stopped, and `EXISTS` and `any_copy`
/// would take it for a value. Since only `set` writes copies, a value that `unlink` has removed stays away, whatever
/// the order in which it removes the copies.
struct CopyRead<'k, K> {
    get: GetCopy<'k, K>,
    is_cluster: bool,
    /// The other copies that exist, by position; `None` before the search.
    existing: Option<std::vec::IntoIter<u32>>,
    /// The error of a lost node, which becomes the result unless another copy is found.
    lost: Option<Error>,
}

/// The next step: send a command and resume with its result.
enum Next<K: CopiedKey> {
    /// Resume with [`got`](CopyRead::got).
    Get(Command<Option<Output<K>>>),
    /// Resume with [`searched`](CopyRead::searched).
    Search(Command<Vec<u32>>),
    Done(Result<Option<Output<K>>, Error>),
}

impl<'k, K: CopiedKey> CopyRead<'k, K> {
    fn start(get: GetCopy<'k, K>, is_cluster: bool) -> (Self, Next<K>) {
        let first = get.key.copy(get.first).get().unnamed();
        (Self { get, is_cluster, existing: None, lost: None }, Next::Get(first))
    }

    fn is_lost_node(&self, error: &Error) -> bool {
        self.is_cluster && error.is_of_lost_node()
    }

    fn got(&mut self, result: Result<Option<Output<K>>, Error>) -> Next<K> {
        match (result, self.lost.take()) {
            (Ok(Some(value)), _) => Next::Done(Ok(Some(value))),
            (_, Some(lost)) => Next::Done(Err(lost)),
            (Err(error), None) if self.existing.is_none() && self.is_lost_node(&error) => {
                self.lost = Some(error);
                self.get.read_other(0)
            }
            (Err(error), None) => Next::Done(Err(error)),
            (Ok(None), None) => self.read_next(),
        }
    }

    /// Reads the next copy that exists.
    fn read_next(&mut self) -> Next<K> {
        match &mut self.existing {
            Some(existing) => existing.next().map_or(Next::Done(Ok(None)), |position| self.get.read_other(position)),
            // If there is a single other copy, it is read without a search.
            None if K::COPIES < 3 => self.searched(Ok(vec![0])),
            None => Next::Search(self.get.search()),
        }
    }

    fn searched(&mut self, existing: Result<Vec<u32>, Error>) -> Next<K> {
        match existing {
            Ok(existing) => {
                self.existing = Some(existing.into_iter());
                self.read_next()
            }
            Err(error) if self.is_lost_node(&error) => match self.first_besides(&error) {
                Some(position) => {
                    self.existing = Some(Vec::new().into_iter());
                    self.lost = Some(error);
                    self.get.read_other(position)
                }
                None => Next::Done(Err(error)),
            },
            Err(error) => Next::Done(Err(error)),
        }
    }

    /// Returns the first of the other copies whose key is not the key named by an error.
    fn first_besides(&self, lost: &Error) -> Option<u32> {
        let key = |position| self.get.key.copy(self.get.other(position)).key();
        (0..K::COPIES.saturating_sub(1))
            .find(|position| key(*position).is_ok_and(|key| lost.key() != Some(key.as_str())))
    }
}

/// Reads the positions of the copies that exist.
fn existing(replies: Replies, _sent: &ReplyContext<'_>) -> DecodeResult<Vec<u32>> {
    let mut positions = Vec::new();
    for (position, reply) in (0_u32..).zip(replies.all()) {
        match reply {
            Value::Int(0) => {}
            Value::Int(1) => positions.push(position),
            _ => return Err(ReplyError::unexpected().of(position as usize, 0)),
        }
    }
    Ok(Step::Done(positions))
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

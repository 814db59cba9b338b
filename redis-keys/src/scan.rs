//! Iterating over collections and over the keys of a declaration, page by page.

// Replies are read here: arithmetic on them must not overflow, and nothing is indexed by them.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing))]

// A scan is a state machine without I/O: `ScanState` for the elements of one key, `KeyScanState` for all keys of a
// declaration.

mod collect;
pub(crate) mod keys;
pub(crate) mod state;
#[cfg(all(test, feature = "aio"))]
mod tests;

use collect::CollectState;
pub(crate) use collect::most_elements;
pub use keys::KeyScan;
use redis::{Cmd, RedisWrite as _};
use state::ScanState;
pub(crate) use state::{Page, items, page};

use crate::accessor::Accessor;
use crate::command::answers::{RunScan, not_a_future, not_in_a_batch};
use crate::command::arguments::checked_count;
use crate::command::rewrite::read_by;
use crate::command::table::size_of;
use crate::command::{Decode, begin, key_of, on_key};
use crate::error::Cause;
use crate::key::KeyText;
use crate::run::debug_key;
use crate::schema::Schema;
use crate::{Command, Error};

/// A read of a whole collection, page by page, as returned by `sscan zscan hscan lpages xpages`.
///
/// [`iter`](Self::iter) runs it on a synchronous connection, and `stream` on a shared asynchronous connection. Each
/// page is one redis command, which is sent when you have taken the elements of the previous page. To get all elements
/// in a `Vec`, use `collect` on a shared connection, [`query`](Self::query) on a synchronous connection, or
/// `query_async` on any asynchronous connection.
///
/// Other clients may write between two pages:
///
/// - Set, sorted set, hash: an element that is present from the first page to the last is returned, possibly more than
///   once. `collect` returns each element once. An element that is added or removed during the scan may or may not be
///   returned.
/// - Stream: an entry that is present from the first page to the last is returned once. An entry that is added before
///   the last page is read is returned too, and an entry that is removed before its page is read is not.
/// - List: if items are added or removed at the left end or in the middle, the items behind shift. Then items are
///   returned twice or skipped, by `collect` too. See [`lpages`].
///
/// A reply after which the scan would not advance is an error. More pages than a real server sends are an error too:
/// after 1,000 pages of a set, sorted set or hash, SCARD, ZCARD or HLEN is asked for.
///
/// The first page honors `renew`; the others do not change the expiry.
///
/// A cluster connection that reads from replicas reads the pages from them too. Because replicas may lag behind and
/// differ, even an element that is present throughout can be missed. To miss none, use a connection that reads from the
/// primaries.
///
/// ```no_run
/// use redis_keys::{prelude::*, redis};
///
/// #[derive(RedisKey)]
/// #[redis_key(user:followers:{user_id}:set, value = u64, ttl = 1d)]
/// struct Followers { user_id: u64 }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut con = redis::Client::open("redis://127.0.0.1/")?.get_connection()?;
/// for follower in (Followers { user_id: 42 }).sscan().iter(&mut con) {
///     println!("{}", follower?);
/// }
/// # Ok(()) }
/// ```
///
/// [`lpages`]: crate::ListKey::lpages
#[must_use = "a scan does nothing until its elements are taken"]
pub struct Scan<T> {
    schema: &'static Schema,
    accessor: Accessor,
    /// The redis command and the key, with which the commands of all pages begin.
    base: Result<Cmd, Error>,
    paging: Paging,
    /// The number of elements of a page, perhaps approximately.
    len: u32,
    /// The most bytes that `collect` may take.
    max_bytes: usize,
    decode: Decode<Page<T>>,
}

/// The most bytes of memory that `collect` may take, if no other number is set.
const MAX_BYTES: usize = 64 * 1024 * 1024;

/// The link from a page to the next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Paging {
    /// By its cursor.
    Cursor,
    /// By its number of items.
    Positions,
    /// By the id after its last entry, as a number of 128 bits.
    Ids,
}

/// A scan by cursor: SSCAN, ZSCAN or HSCAN.
pub(crate) fn by_cursor<K: KeyText, T>(key: &K, name: &str, decode: Decode<Page<T>>) -> Scan<T> {
    new::<K, T>(on_key(key, name, 3, 32), Paging::Cursor, decode)
}

/// A scan by positions: LRANGE.
pub(crate) fn by_positions<K: KeyText, T>(key: &K, len: u32, decode: Decode<Page<T>>) -> Scan<T> {
    new::<K, T>(on_key(key, "LRANGE", 2, 20), Paging::Positions, decode).with_count(len)
}

/// A scan by the ids of entries: XRANGE.
pub(crate) fn by_ids<K: KeyText, T>(key: &K, len: u32, decode: Decode<Page<T>>) -> Scan<T> {
    new::<K, T>(on_key(key, "XRANGE", 4, 64), Paging::Ids, decode).with_count(len)
}

fn new<K: KeyText, T>(base: Result<Cmd, Error>, paging: Paging, decode: Decode<Page<T>>) -> Scan<T> {
    Scan { schema: K::SCHEMA, accessor: Accessor::default(), base, paging, len: 100, max_bytes: MAX_BYTES, decode }
}

not_a_future!(AwaitedScan: [T] Scan<T> => Result<Vec<T>, Error>);
not_in_a_batch!(BatchedScan: [T] Scan<T> => Vec<T>);

impl<T> Scan<T> {
    /// Names the accessor, in reports.
    pub(crate) fn named(self, accessor: Accessor) -> Self {
        Self { accessor, ..self }
    }

    /// Sets COUNT: about how many elements the server visits for each page.
    ///
    /// It ranges from 1 to 500. The default is 100, and 0 counts as 1.
    pub fn with_count(mut self, elements: u32) -> Self {
        match (checked_count(elements), &self.base) {
            (Ok(len), _) => self.len = len.max(1),
            (Err(cause), Ok(cmd)) => self.base = Err(Error::refused(self.schema, key_of(cmd, 0), cause)),
            (Err(_), Err(_)) => {}
        }
        self
    }

    /// Sets the most bytes of memory that all elements in a `Vec` may take: 64MB by default.
    ///
    /// This includes the bytes of the replies and the memory that decoding adds.
    pub fn with_max_bytes(mut self, bytes: usize) -> Self {
        self.max_bytes = bytes;
        self
    }

    /// Returns the elements one by one, on a synchronous connection. The first error is the last item.
    pub fn iter<C>(self, con: &mut C) -> impl Iterator<Item = Result<T, Error>>
    where
        C: crate::SyncConnection + ?Sized,
    {
        let mut state = ScanState::new(self);
        std::iter::from_fn(move || {
            loop {
                if let Some(element) = state.element() {
                    return Some(element);
                }
                let page = state.page_command()?.query(con);
                state.resume(page);
            }
        })
    }

    /// Returns the elements one by one, on a shared asynchronous connection. The first error is the last item.
    ///
    /// ```no_run
    /// use futures_util::TryStreamExt;
    /// use redis_keys::{Connection, prelude::*};
    ///
    /// #[derive(RedisKey)]
    /// #[redis_key(user:followers:{user_id}:set, value = u64, ttl = 1d)]
    /// struct Followers { user_id: u64 }
    ///
    /// async fn followers(con: &Connection) -> Result<(), redis_keys::Error> {
    ///     let mut followers = Followers { user_id: 42 }.sscan().stream(con);
    ///     while let Some(follower) = followers.try_next().await? {
    ///         println!("{follower}");
    ///     }
    ///     Ok(())
    /// }
    /// ```
    #[cfg(feature = "aio")]
    #[cfg_attr(docsrs, doc(cfg(feature = "aio")))]
    pub fn stream<C>(self, con: &C) -> impl futures_util::Stream<Item = Result<T, Error>> + Send + Unpin + use<C, T>
    where
        C: crate::SharedConnection,
        T: Send,
    {
        Box::pin(futures_util::stream::unfold((ScanState::new(self), con.clone()), async |(mut state, mut con)| {
            loop {
                if let Some(element) = state.element() {
                    return Some((element, (state, con)));
                }
                let page = state.page_command()?.query_async(&mut con).await;
                state.resume(page);
            }
        }))
    }

    /// Reads the whole collection on a shared asynchronous connection: HGETALL, SMEMBERS or LRANGE 0 -1 in pages.
    ///
    /// Each member of a set or sorted set, each field of a hash and each entry of a stream is returned once. If other
    /// clients write between two pages, a field or score that changes has its first value, and items of a list can be
    /// returned twice or skipped: see [`Scan`].
    ///
    /// ```no_run
    /// use std::collections::HashMap;
    ///
    /// use redis_keys::prelude::*;
    ///
    /// #[derive(RedisKey)]
    /// #[redis_key(user:votes:{user_id}:hash, field = u64, value = i32, ttl = 1d, max_len = 1000)]
    /// struct Votes { user_id: u64 }
    ///
    /// # async fn read() -> Result<(), Box<dyn std::error::Error>> {
    /// let con = redis_keys::connect("redis://127.0.0.1/")?;
    /// let votes: Vec<(u64, i32)> = Votes { user_id: 42 }.hscan().collect(&con).await?;
    /// let by_item: HashMap<u64, i32> = votes.into_iter().collect();
    /// # Ok(()) }
    /// ```
    ///
    /// A small collection is a single page. For a larger collection, add `.with_count(500)` before it to read as few pages
    /// as possible.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`query`](Self::query).
    #[cfg(feature = "aio")]
    #[cfg_attr(docsrs, doc(cfg(feature = "aio")))]
    #[doc(alias("hgetall", "smembers", "lrange 0 -1", "zrange 0 -1", "getall", "members"))]
    pub async fn collect<C: crate::SharedConnection>(self, con: &C) -> Result<Vec<T>, Error> {
        self.query_async(&mut con.clone()).await
    }

    #[doc(hidden)]
    pub fn run<C, R>(self, _con: &C) -> R
    where
        Self: RunScan,
    {
        unreachable!("no scan has this bound")
    }

    /// Reads the whole collection on a synchronous connection: HGETALL, SMEMBERS or LRANGE 0 -1 in pages.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Command::query`]. Returns
    /// [`ErrorKind::CollectionSize`](crate::ErrorKind::CollectionSize) if the collection has more elements than its
    /// declaration allows, which other programs can have written, or takes more than
    /// [`with_max_bytes`](Self::with_max_bytes) of memory.
    #[doc(alias("hgetall", "smembers", "lrange 0 -1", "zrange 0 -1", "getall", "members"))]
    pub fn query<C>(self, con: &mut C) -> Result<Vec<T>, Error>
    where
        C: crate::SyncConnection + ?Sized,
    {
        let mut state = CollectState::new(self);
        while let Some(command) = state.command() {
            state.resume(command.query(con))?;
        }
        Ok(state.into_elements())
    }

    /// Reads the whole collection on an asynchronous connection, as [`collect`](Self::collect) does.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`query`](Self::query).
    #[cfg(feature = "aio")]
    #[cfg_attr(docsrs, doc(cfg(feature = "aio")))]
    pub async fn query_async<C>(self, con: &mut C) -> Result<Vec<T>, Error>
    where
        C: crate::AsyncConnection + ?Sized,
    {
        let mut state = CollectState::new(self);
        while let Some(command) = state.command() {
            state.resume(command.query_async(con).await)?;
        }
        Ok(state.into_elements())
    }

    /// The command for the page that begins at a position.
    fn page<P>(&self, position: u128, is_first: bool, decode: Decode<P>) -> Command<P> {
        let mut cmd = match &self.base {
            Ok(cmd) => cmd.clone(),
            Err(error) => return Command::refused(error.clone()).named(self.accessor),
        };
        match self.paging {
            Paging::Cursor => cmd.arg(position).arg("COUNT").arg(self.len),
            Paging::Positions => cmd.arg(position).arg(position.saturating_add(u128::from(self.len.saturating_sub(1)))),
            Paging::Ids => {
                cmd.write_arg_fmt(format_args!("{}-{}", position >> 64, position & u128::from(u64::MAX)));
                cmd.arg("+").arg("COUNT").arg(self.len)
            }
        };
        let page =
            if is_first { read_by(self.schema, cmd, decode) } else { Command::one(self.schema, Ok(cmd), decode) };
        page.named(self.accessor)
    }

    /// The command for the number of elements.
    fn size<P>(&self, decode: Decode<P>) -> Command<P> {
        let name = size_of(self.schema.kind).unwrap_or("EXISTS");
        let cmd = self.base.as_ref().map_err(Clone::clone);
        let cmd = cmd.map(|base| begin(name, key_of(base, 0).unwrap_or_default().as_bytes(), 0, 0));
        Command::one(self.schema, cmd, decode)
    }

    /// The error of a reply.
    #[cold]
    fn error(&self, cause: Cause) -> Error {
        let key = self.base.as_ref().ok().and_then(|cmd| key_of(cmd, 0));
        Error::new(self.schema, key, crate::SendStatus::Yes, cause)
    }
}

debug_key!([T] Scan<T>, "Scan", |scan| scan.base.as_ref().map(|cmd| key_of(cmd, 0).unwrap_or_default()));

//! Whole reads of collections, a page at a time.

pub(crate) mod keys;
#[cfg(all(test, feature = "aio"))]
mod tests;
mod walk;

pub use keys::KeyScan;

use std::fmt;

use redis::{Cmd, ConnectionLike, RedisWrite as _};

use crate::{
    Command, Error, RedisKey,
    command::{
        Decode, key_of,
        old_builder::{checked_count, read_by},
        on_key,
    },
    schema::Schema,
    types::stream::EntryId,
};

use walk::Walk;
pub(crate) use walk::{Page, items, page};

/// A whole read of a collection, a page at a time: `sscan zscan hscan lpages xpages`.
///
/// [`iter`](Self::iter) runs it on a synchronous connection and `stream` on an asynchronous one. Each page is
/// one redis command, sent when the elements of the one before have been taken; who stops taking stops asking.
///
/// Other clients may write meanwhile. What is there from the first page to the last is given, by a set, a sorted set or a hash
/// perhaps more than once; what comes or goes in between may be given or not. For a list see [`lpages`].
///
/// The first page honours `renew`, the others move no expiry.
///
/// A connection to a cluster that reads from replicas reads the pages there, too. A replica may be behind, and pages that come
/// from several of them do not go together: an element that was there from the first page to the last may be left out. Take a
/// connection that reads from the primaries where nothing may be.
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
    /// The redis command and the key, with which all pages begin.
    base: Result<Cmd, Error>,
    way: Way,
    /// How many elements a page has, or about so many.
    len: u32,
    decode: Decode<Page<T>>,
}

/// How a page says where the next one begins.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// By the cursor that it brings.
    Cursor,
    /// By how many items it brings.
    Positions,
    /// By the id behind its last entry.
    Ids,
}

/// A scan by cursor: SSCAN, ZSCAN or HSCAN.
pub(crate) fn by_cursor<K: RedisKey, T>(key: &K, name: &str, decode: Decode<Page<T>>) -> Scan<T> {
    Scan { schema: K::SCHEMA, base: on_key(key, name, 3, 32), way: Way::Cursor, len: 100, decode }
}

/// A scan by positions: LRANGE.
pub(crate) fn by_positions<K: RedisKey, T>(key: &K, len: u32, decode: Decode<Page<T>>) -> Scan<T> {
    let base = on_key(key, "LRANGE", 2, 20);
    Scan { schema: K::SCHEMA, base, way: Way::Positions, len: 100, decode }.count(len)
}

/// A scan by the ids of entries: XRANGE.
pub(crate) fn by_ids<K: RedisKey, T>(key: &K, len: u32, decode: Decode<Page<T>>) -> Scan<T> {
    let base = on_key(key, "XRANGE", 4, 64);
    Scan { schema: K::SCHEMA, base, way: Way::Ids, len: 100, decode }.count(len)
}

impl<T> Scan<T> {
    /// COUNT: about how many elements the server looks at for each page. From 1 to 500, and 100 unless told; 0 counts as 1.
    pub fn count(mut self, elements: u32) -> Self {
        match (checked_count(elements), &self.base) {
            (Ok(len), _) => self.len = len.max(1),
            (Err(cause), Ok(cmd)) => self.base = Err(Error::refused(self.schema, key_of(cmd, 0), cause)),
            (Err(_), Err(_)) => {}
        }
        self
    }

    /// Takes the elements one by one, on a synchronous connection. After the first error there are no more.
    pub fn iter<C>(self, con: &mut C) -> impl Iterator<Item = Result<T, Error>>
    where
        C: ConnectionLike + ?Sized,
    {
        let mut walk = Walk::new(self);
        std::iter::from_fn(move || {
            loop {
                if let Some(element) = walk.element() {
                    return Some(element);
                }
                let page = walk.command()?.query(con);
                walk.read(page);
            }
        })
    }

    /// Takes the elements one by one, on an asynchronous connection. After the first error there are no more.
    ///
    /// ```no_run
    /// use futures_util::TryStreamExt;
    /// use redis_keys::{prelude::*, redis::aio::MultiplexedConnection};
    ///
    /// #[derive(RedisKey)]
    /// #[redis_key(user:followers:{user_id}:set, value = u64, ttl = 1d)]
    /// struct Followers { user_id: u64 }
    ///
    /// async fn followers(con: &mut MultiplexedConnection) -> Result<(), redis_keys::Error> {
    ///     let mut followers = Followers { user_id: 42 }.sscan().stream(con);
    ///     while let Some(follower) = followers.try_next().await? {
    ///         println!("{follower}");
    ///     }
    ///     Ok(())
    /// }
    /// ```
    #[cfg(feature = "aio")]
    #[cfg_attr(docsrs, doc(cfg(feature = "aio")))]
    pub fn stream<C>(self, con: &mut C) -> impl futures_util::Stream<Item = Result<T, Error>> + Send + Unpin
    where
        C: redis::aio::ConnectionLike + Send + ?Sized,
        T: Send,
    {
        Box::pin(futures_util::stream::unfold((Walk::new(self), con), async |(mut walk, con)| {
            loop {
                if let Some(element) = walk.element() {
                    return Some((element, (walk, con)));
                }
                let page = walk.command()?.query_async(con).await;
                walk.read(page);
            }
        }))
    }

    /// The command for the page that begins there.
    fn page(&self, at: u128, first: bool) -> Command<Page<T>> {
        let mut cmd = match &self.base {
            Ok(cmd) => cmd.clone(),
            Err(error) => return Command::refused(error.clone()),
        };
        match self.way {
            Way::Cursor => cmd.arg(at).arg("COUNT").arg(self.len),
            Way::Positions => cmd.arg(at).arg(at.saturating_add(u128::from(self.len) - 1)),
            Way::Ids => {
                cmd.write_arg_fmt(EntryId::from_bits(at));
                cmd.arg("+").arg("COUNT").arg(self.len)
            }
        };
        if first { read_by(self.schema, cmd, self.decode) } else { Command::one(self.schema, Ok(cmd), self.decode) }
    }
}

/// Tells the key, and no element.
impl<T> fmt::Debug for Scan<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = self.base.as_ref().map(|cmd| key_of(cmd, 0).unwrap_or_default());
        f.debug_struct("Scan").field("key", &key).finish_non_exhaustive()
    }
}

//! Removing a key piece by piece.

#[cfg(all(test, feature = "aio"))]
mod tests;
mod work;

use std::fmt;

use crate::{Error, Kind, RedisKey, schema::Schema};

use work::Work;

/// The removal of a key without a stall, however large it is: [`RedisKey::purge`].
///
/// A collection goes by 100 elements at a time, each time with a redis command of its own, so that other clients come in
/// between, and what is left in the end goes by UNLINK:
///
/// | key | what is sent until at most 100 elements are left |
/// |---|---|
/// | list | LTRIM, from the right end |
/// | set | SPOP |
/// | zset, geo | ZREMRANGEBYRANK, from the lowest score |
/// | hash | HSCAN and HDEL |
/// | stream | XTRIM, from the oldest entry |
///
/// A string, a bitmap and a hyperloglog go by UNLINK at once. Whoever reads meanwhile finds a part of the key. What is written
/// meanwhile goes too, or makes a new key.
///
/// Where it fails half way the rest of the key is still there, and keeps its expiry. So that it has one, a key that has none,
/// and should, gets the declared one first. To try again is safe.
///
/// ```no_run
/// use redis_keys::{prelude::*, redis};
///
/// #[derive(RedisKey)]
/// #[redis_key(user:followers:{user_id}:set, value = u64, ttl = 1d)]
/// struct Followers { user_id: u64 }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let mut con = redis::Client::open("redis://127.0.0.1/")?.get_connection()?;
/// let purged = Followers { user_id: 42 }.purge().query(&mut con)?;
/// println!("there was one: {}; it went in {} steps", purged.existed(), purged.steps);
/// # Ok(()) }
/// ```
#[must_use = "a purge does nothing until `query` or `query_async` runs it"]
pub struct Purge {
    schema: &'static Schema,
    key: Result<Box<str>, Error>,
}

/// What a [`Purge`] has done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Purged {
    /// How many redis commands have removed something: one for a string or a small collection, none where there was no key.
    pub steps: u64,
}

impl Purged {
    /// Whether there was such a key.
    pub const fn existed(self) -> bool {
        self.steps > 0
    }
}

pub(crate) fn purge<K: RedisKey>(key: &K) -> Purge {
    Purge { schema: K::SCHEMA, key: key.key().map(|key| key.as_str().into()) }
}

impl Purge {
    /// Runs it on a synchronous connection.
    ///
    /// # Errors
    ///
    /// As [`Command::query`](crate::Command::query). Then a part of the key can be gone.
    pub fn query<C>(self, con: &mut C) -> Result<Purged, Error>
    where
        C: redis::ConnectionLike + ?Sized,
    {
        let mut work = Work::new(self.schema, self.key?);
        while let Some(command) = work.next() {
            let replies = command.query(con)?;
            work.read(replies)?;
        }
        Ok(work.purged())
    }

    /// Runs it on an asynchronous connection.
    ///
    /// # Errors
    ///
    /// As [`query`](Self::query).
    #[cfg(feature = "aio")]
    #[cfg_attr(docsrs, doc(cfg(feature = "aio")))]
    pub async fn query_async<C>(self, con: &mut C) -> Result<Purged, Error>
    where
        C: redis::aio::ConnectionLike + ?Sized,
    {
        let mut work = Work::new(self.schema, self.key?);
        while let Some(command) = work.next() {
            let replies = command.query_async(con).await?;
            work.read(replies)?;
        }
        Ok(work.purged())
    }
}

/// The command that counts the elements; none where the key has none.
const fn size_of(kind: Kind) -> Option<&'static str> {
    match kind {
        Kind::List => Some("LLEN"),
        Kind::Set => Some("SCARD"),
        Kind::ZSet | Kind::Geo => Some("ZCARD"),
        Kind::Hash => Some("HLEN"),
        Kind::Stream => Some("XLEN"),
        _ => None,
    }
}

impl fmt::Debug for Purge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Purge").field("key", &self.key).finish_non_exhaustive()
    }
}

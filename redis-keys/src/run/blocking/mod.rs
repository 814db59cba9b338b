//! Commands that wait for something to take.

#[cfg(feature = "aio")]
mod connection;
#[cfg(feature = "aio")]
mod own;
mod pop;
#[cfg(all(test, feature = "aio"))]
mod tests;
mod way;

use std::{
    fmt,
    time::{Duration, Instant},
};

#[cfg(all(test, feature = "aio"))]
use crate::Command;
use crate::{Error, Sent, error::Cause, schema::Schema};

use way::{Next, Way};

#[cfg(feature = "aio")]
pub use connection::BlockingConnection;
pub(crate) use pop::{from_list, from_list_to_list, from_zset};
pub(crate) use way::{Read, Renewing};

/// Longer than the wait the answer may take before the connection is given up: the server counts the wait by itself.
const GRACE: Duration = Duration::from_secs(1);

/// The longest wait. What forwards connections forgets those that are still for long.
const LONGEST: Duration = Duration::from_secs(3600);

/// A command that takes something and, where there is nothing, waits for it: `blpop brpop blmove bzpopmin bzpopmax`, and for
/// streams [`xread_block`](crate::StreamKey::xread_block) and [`read_block`](crate::types::stream::Group::read_block) of a group.
///
/// Its wait is at most an hour; who waits for longer asks again. It gives `None` when the wait is over.
///
/// It does not run on a connection that others share. There it would hold up their commands, and after a time-out of the
/// client's the server would still take an item, for nobody. So it runs on a `BlockingConnection`, which is its own, by
/// `query_async`, or on a synchronous connection by [`query`](Self::query). It fits into no batch and no
/// atomic group.
///
/// # What can be lost
///
/// - Nothing to a wait that passes: it is the server that counts it, and the client waits for the server's answer, a second
///   longer.
/// - What the `pop` commands take is gone from the server once it has answered. A future that is dropped, a process that ends
///   and a connection that breaks in just that moment lose the item that was on its way. So does a server that was silent for
///   a second longer than the wait, if somebody pushes before it finds out that nobody listens any more.
/// - `blmove` loses nothing, whatever happens: each item is in one of the two lists at any time.
/// - The reads of streams lose nothing either: what a group has delivered is pending in it, and `xread_block` takes nothing.
///
/// ```no_run
/// use std::time::Duration;
///
/// use redis_keys::{list::ListEnd, prelude::*, redis, BlockingConnection};
///
/// #[derive(RedisKey)]
/// #[redis_key(mail:jobs:{#queue}:list, value = u64, ttl = 1d)]
/// struct Jobs { queue: u32 }
///
/// #[derive(RedisKey)]
/// #[redis_key(mail:jobs:{#queue}:taken:{worker}:list, value = u64, ttl = 1d)]
/// struct Taken { queue: u32, worker: u32 }
///
/// # async fn work() -> Result<(), Box<dyn std::error::Error>> {
/// let mut con = BlockingConnection::new(redis::Client::open("redis://127.0.0.1/")?);
/// let (jobs, taken) = (Jobs { queue: 1 }, Taken { queue: 1, worker: 7 });
/// loop {
///     let job = jobs.blmove(&taken, ListEnd::Right, ListEnd::Left, Duration::from_secs(30));
///     if let Some(job) = job.query_async(&mut con).await? {
///         println!("{job}");
///         // And when it is done, it goes from `taken` too.
///     }
/// }
/// # }
/// ```
#[must_use = "it does nothing until `query` or `query_async` runs it"]
pub struct Blocking<T> {
    schema: &'static Schema,
    wait: Duration,
    way: Result<Way<T>, Error>,
    read_timeout: Option<Duration>,
}

impl<T> Blocking<T> {
    fn new(schema: &'static Schema, wait: Duration, way: Result<Way<T>, Error>) -> Self {
        let way = match way {
            Ok(way) if wait.is_zero() || wait > LONGEST => {
                let why = "a wait is longer than nothing and at most an hour long";
                Err(Error::refused(schema, way.key(), Cause::Argument(why)))
            }
            way => way,
        };
        Self { schema, wait, way, read_timeout: None }
    }

    /// A read that waits.
    pub(crate) fn read(schema: &'static Schema, wait: Duration, read: Result<Read<T>, Error>) -> Self {
        Self::new(schema, wait, read.map(Way::Read))
    }

    /// The read time-out that a synchronous connection has afterwards. Unless told it has none, as redis-rs's connections are
    /// made.
    ///
    /// [`query`](Self::query) gives the connection one that is longer than the wait, and cannot see which one it had before.
    pub fn read_timeout(self, time: Duration) -> Self {
        Self { read_timeout: Some(time), ..self }
    }

    /// Runs the command on a synchronous connection, which waits as long as the command does.
    ///
    /// A connection to a cluster and one that connects again by itself do not fit: they could send the command twice. A guard
    /// of a pool gives the connection inside, `&mut *guard`.
    ///
    /// ```no_run
    /// use std::time::Duration;
    ///
    /// use redis_keys::{prelude::*, redis};
    ///
    /// #[derive(RedisKey)]
    /// #[redis_key(mail:jobs:list, value = u64, ttl = 1d)]
    /// struct Jobs;
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut con = redis::Client::open("redis://127.0.0.1/")?.get_connection()?;
    /// let job: Option<u64> = Jobs.brpop(Duration::from_secs(30)).query(&mut con)?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Command::query`](crate::Command::query). When the server has not answered a second after the end of the wait, the
    /// command may still be run, and should it take an item then, nobody gets it. Let go of the connection in this case.
    pub fn query(self, con: &mut redis::Connection) -> Result<Option<T>, Error> {
        let way = self.way?;
        let unset = |error| Error::new(self.schema, way.key(), Sent::No, Cause::Connection(error));
        con.set_read_timeout(Some(self.wait + GRACE)).map_err(unset)?;
        let found = run(&way, con, Instant::now() + self.wait, self.wait);
        match con.set_read_timeout(self.read_timeout) {
            Err(error) if matches!(found, Ok(None)) => Err(unset(error)),
            // Nothing that was taken is lost for it: the connection will tell the next one who uses it.
            _ => found,
        }
    }

    /// Runs the command on a connection of its own. The future is `Send` where the result is.
    ///
    /// When the future is dropped, the connection goes with it, so that the server does not wait on and take something for
    /// nobody.
    ///
    /// # Errors
    ///
    /// As [`Command::query`](crate::Command::query). When the connection fails, or the server has not answered a second after
    /// the end of the wait, the connection goes too, and the next command opens another one.
    #[cfg(feature = "aio")]
    #[cfg_attr(docsrs, doc(cfg(feature = "aio")))]
    pub async fn query_async(self, con: &mut BlockingConnection) -> Result<Option<T>, Error> {
        let way = self.way?;
        con.run(&way, Instant::now() + self.wait, self.wait).await
    }

    /// The bytes that would be sent first: for tests.
    ///
    /// # Errors
    ///
    /// When the command was refused while it was built.
    pub fn packed(self) -> Result<Vec<u8>, Error> {
        self.way?.take(self.wait).packed()
    }
}

/// What is sent: to take, and where there is nothing, to wait as long.
#[cfg(all(test, feature = "aio"))]
pub(crate) fn sends<T>(blocking: Blocking<T>) -> Vec<Vec<String>> {
    let wait = blocking.wait;
    let Ok(way) = blocking.way else { return Vec::new() };
    let take = crate::testing::text(way.take(wait));
    let next = way.next(wait).map(|next| match next {
        Next::Take(take) => crate::testing::text(take),
        Next::Watch(watch) => crate::testing::text(watch),
    });
    [Some(take), next].into_iter().flatten().filter_map(Result::ok).collect()
}

/// What is sent at first.
#[cfg(all(test, feature = "aio"))]
pub(crate) fn takes<T>(blocking: Blocking<T>) -> Command<Option<T>> {
    let wait = blocking.wait;
    blocking.way.map_or_else(Command::refused, |way| way.take(wait))
}

/// What is sent to wait and to take, where that is a second command.
#[cfg(all(test, feature = "aio"))]
pub(crate) fn awaits<T>(blocking: Blocking<T>) -> Option<Command<Option<T>>> {
    match blocking.way.ok()?.next(blocking.wait)? {
        Next::Take(take) => Some(take),
        Next::Watch(_) => None,
    }
}

fn run<T>(way: &Way<T>, con: &mut redis::Connection, until: Instant, wait: Duration) -> Result<Option<T>, Error> {
    let mut left = wait;
    loop {
        let found = way.take(left).query(con)?;
        left = until.saturating_duration_since(Instant::now());
        match if found.is_none() { way.next(left) } else { None } {
            None => return Ok(found),
            Some(Next::Take(take)) => return take.query(con),
            Some(Next::Watch(watch)) => {
                if !watch.query(con)? {
                    return Ok(None);
                }
            }
        }
        left = until.saturating_duration_since(Instant::now());
    }
}

/// Tells the key, and no item.
impl<T> fmt::Debug for Blocking<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = self.way.as_ref().map(|way| way.key().unwrap_or_default());
        f.debug_struct("Blocking").field("key", &key).field("wait", &self.wait).finish_non_exhaustive()
    }
}

/// It is no command that goes with others.
///
/// ```compile_fail,E0277
/// use std::time::Duration;
///
/// use redis_keys::{batch, prelude::*};
///
/// #[derive(RedisKey)]
/// #[redis_key(mail:jobs:list, value = u64, ttl = 1d)]
/// struct Jobs;
///
/// let several = batch(Jobs.blpop(Duration::from_secs(30)));
/// ```
///
/// ```compile_fail,E0277
/// use std::time::Duration;
///
/// use redis_keys::{atomic, prelude::*};
///
/// #[derive(RedisKey)]
/// #[redis_key(mail:jobs:list, value = u64, ttl = 1d)]
/// struct Jobs;
///
/// let several = atomic([Jobs.blpop(Duration::from_secs(30))]);
/// ```
///
/// Nor does it run on a connection that is shared.
///
/// ```compile_fail,E0308
/// use std::time::Duration;
///
/// use redis_keys::{prelude::*, redis::aio::MultiplexedConnection};
///
/// #[derive(RedisKey)]
/// #[redis_key(mail:jobs:list, value = u64, ttl = 1d)]
/// struct Jobs;
///
/// async fn next(con: &mut MultiplexedConnection) {
///     let job = Jobs.blpop(Duration::from_secs(30)).query_async(con).await;
/// }
/// ```
#[cfg(all(doctest, feature = "aio"))]
struct GoesAlone;

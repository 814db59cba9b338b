//! The asynchronous connection of those who wait.

use std::{
    fmt,
    time::{Duration, Instant},
};

use redis::{Client, aio::MultiplexedConnection};

use super::{
    GRACE,
    own::Own,
    way::{Next, Way},
};
use crate::Error;

/// A connection that nobody shares, for commands that wait: [`Blocking::query_async`](super::Blocking::query_async).
///
/// It is opened by the first command, and again by the next one after it was lost, after a time-out, and after a future that
/// was dropped. The time-out of its answers is a second longer than the command's wait; redis-rs's own setting, half a second
/// unless told otherwise, does not count here.
///
/// In a cluster the client can be one of any node: the connection goes on to the node that has the key. The address that it
/// was given is asked first whenever it is opened.
///
/// ```no_run
/// use std::time::Duration;
///
/// use redis_keys::{BlockingConnection, prelude::*, redis};
///
/// #[derive(RedisKey)]
/// #[redis_key(mail:jobs:list, value = u64, ttl = 1d)]
/// struct Jobs;
///
/// # async fn work() -> Result<(), Box<dyn std::error::Error>> {
/// let mut con = BlockingConnection::new(redis::Client::open("redis://127.0.0.1/")?);
/// while let Some(job) = Jobs.brpop(Duration::from_secs(30)).query_async(&mut con).await? {
///     println!("{job}");
/// }
/// # Ok(()) }
/// ```
pub struct BlockingConnection {
    client: Client,
    con: Option<MultiplexedConnection>,
}

impl BlockingConnection {
    /// A connection to where the client leads. It is opened by the first command.
    pub fn new(client: Client) -> Self {
        Self { client, con: None }
    }

    /// The connection is with the future meanwhile, and goes with it if it is dropped.
    pub(crate) async fn run<T>(&mut self, way: &Way<T>, until: Instant, wait: Duration) -> Result<Option<T>, Error> {
        let mut own = Own::new(&self.client, self.con.take(), wait + GRACE);
        let found = run(way, &mut own, until, wait).await;
        let untold = own.is_untold();
        self.con = own.into_con();
        found.map_err(|error| if untold { error.unsent() } else { error })
    }
}

async fn run<T>(way: &Way<T>, con: &mut Own<'_>, until: Instant, wait: Duration) -> Result<Option<T>, Error> {
    let mut left = wait;
    loop {
        let found = way.take(left).query_async(con).await?;
        left = until.saturating_duration_since(Instant::now());
        match if found.is_none() { way.next(left) } else { None } {
            None => return Ok(found),
            Some(Next::Take(take)) => return take.query_async(con).await,
            Some(Next::Watch(watch)) => {
                if !watch.query_async(con).await? {
                    return Ok(None);
                }
            }
        }
        left = until.saturating_duration_since(Instant::now());
    }
}

/// Tells nothing of where it leads: that could hold a password.
impl fmt::Debug for BlockingConnection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BlockingConnection").field("open", &self.con.is_some()).finish_non_exhaustive()
    }
}

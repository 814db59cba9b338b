//! Running commands that wait.

#[cfg(feature = "aio")]
mod connection;
#[cfg(all(test, feature = "aio"))]
mod tests;

use std::time::{Duration, Instant};

#[cfg(feature = "aio")]
use connection::WaitingConnection;
#[cfg(feature = "aio")]
pub use connection::{BlockingConnection, ExclusiveConnection};

use crate::command::Blocking;
use crate::command::blocking::{Next, WaitStrategy};
use crate::error::Cause;
use crate::observe::command::Call;
use crate::{Command, Error, SendStatus};

/// The time beyond the wait that the reply may take: the server measures the wait by itself.
const GRACE: Duration = Duration::from_secs(1);

impl<T> Blocking<T> {
    /// Runs the command on a synchronous connection, which blocks for as long as the command waits.
    ///
    /// Cluster connections, and connections that reconnect automatically, are not accepted, because they could send the
    /// command twice. If you have a pool's guard, pass the connection inside as `&mut *guard`.
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
    /// Returns the errors of [`Command::query`]. If the server has not replied a second after the end of the wait, it
    /// may still execute the command, and an item that it then takes is lost. Drop the connection in this case.
    pub fn query(self, con: &mut redis::Connection) -> Result<Option<T>, Error> {
        let call = Call::start(self.accessor, self.schema);
        let found = call.span.in_scope(|| self.drive(con));
        call.end_as(&found, Option::is_none);
        found
    }

    fn drive(self, con: &mut redis::Connection) -> Result<Option<T>, Error> {
        let strategy = self.strategy?;
        let not_set = |error| Error::new(self.schema, strategy.key(), SendStatus::No, Cause::Connection(error));
        con.set_read_timeout(Some(self.wait.saturating_add(GRACE))).map_err(not_set)?;
        let found = drive(&strategy, con, self.wait);
        match con.set_read_timeout(self.read_timeout) {
            Err(error) if matches!(found, Ok(None)) => Err(not_set(error)),
            // A taken element must not be lost. The next user of the connection gets its error.
            _ => found,
        }
    }

    /// Runs the command on a separate connection.
    ///
    /// The future is `Send` if the result is.
    ///
    /// If you drop the future, the connection is closed, so that the server takes no element later. An element that the
    /// server has already taken, but whose reply has not been read, is lost with the future of a `pop` command: for
    /// example when another branch of a `select!` completes at that moment. Where you cannot lose an element, use
    /// `blmove`, or a [queue of jobs](crate::guide::jobs): see [what can be lost](Self#what-can-be-lost).
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Command::query`]. If the connection fails, or the server has not replied a second after
    /// the end of the wait, the connection is closed, and the next command opens another.
    #[cfg(feature = "aio")]
    #[cfg_attr(docsrs, doc(cfg(feature = "aio")))]
    pub async fn query_async<C>(self, con: &mut C) -> Result<Option<T>, Error>
    where
        C: ExclusiveConnection + ?Sized,
    {
        let call = Call::start(self.accessor, self.schema);
        let found = match &self.strategy {
            Ok(strategy) => call.span.within(con.blocking_connection().run(strategy, self.wait)).await,
            Err(error) => Err(error.clone()),
        };
        call.end_as(&found, Option::is_none);
        found
    }

    /// Never compiles: a shared connection cannot wait.
    #[doc(hidden)]
    #[cfg(feature = "aio")]
    #[allow(clippy::unused_async, reason = "it has the form of the other `run`")]
    pub async fn run<C: WaitingConnection>(self, _: &C) -> Result<Option<T>, Error> {
        Ok(None)
    }
}

fn drive<T>(strategy: &WaitStrategy<T>, con: &mut redis::Connection, wait: Duration) -> Result<Option<T>, Error> {
    let (mut run, mut next) = BlockingRun::start(strategy, wait);
    loop {
        next = match next {
            Attempt::Take(command) => run.took(command.query(con)?),
            Attempt::Watch(command) => run.watched(command.query(con)?),
            Attempt::Done(found) => return Ok(found),
        };
    }
}

/// A command that waits while it is being run: a state machine without I/O.
pub(crate) struct BlockingRun<'s, T> {
    strategy: &'s WaitStrategy<T>,
    deadline: Instant,
    /// Whether the last command has waited, so that nothing follows it.
    has_waited: bool,
}

/// The next step.
pub(crate) enum Attempt<T> {
    /// Send this, and pass the result to [`took`](BlockingRun::took).
    Take(Command<Option<T>>),
    /// Send this, and pass whether there is something to take to [`watched`](BlockingRun::watched).
    Watch(Command<bool>),
    Done(Option<T>),
}

impl<'s, T> BlockingRun<'s, T> {
    pub(crate) fn start(strategy: &'s WaitStrategy<T>, wait: Duration) -> (Self, Attempt<T>) {
        let now = Instant::now();
        let run = Self { strategy, deadline: now.checked_add(wait).unwrap_or(now), has_waited: false };
        (run, Attempt::Take(strategy.take(wait)))
    }

    pub(crate) fn took(&mut self, found: Option<T>) -> Attempt<T> {
        if found.is_some() || self.has_waited {
            return Attempt::Done(found);
        }
        match self.strategy.next(self.left()) {
            None => Attempt::Done(None),
            Some(Next::Watch(watch)) => Attempt::Watch(watch),
            Some(Next::Take(take)) => {
                self.has_waited = true;
                Attempt::Take(take)
            }
        }
    }

    pub(crate) fn watched(&mut self, is_there: bool) -> Attempt<T> {
        if is_there { Attempt::Take(self.strategy.take(self.left())) } else { Attempt::Done(None) }
    }

    fn left(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }
}

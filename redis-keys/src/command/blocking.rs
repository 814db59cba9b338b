//! Commands that wait for an element to take.

use std::fmt;
use std::time::Duration;

use redis::{Cmd, RedisWrite as _, Value};

use super::table::{key_of, words};
use super::{Command, Decode, DecodeResult, Replies, ReplyContext, ReplyError, Step};
use crate::accessor::Accessor;
use crate::error::Cause;
use crate::lua::Script;
use crate::schema::Schema;
use crate::{Error, lua};

/// The longest wait. Proxies and firewalls drop connections that stay idle for long.
const LONGEST_WAIT: Duration = Duration::from_secs(3600);

/// A command that takes an element, or waits for an element if there is none.
///
/// The commands are `blpop brpop blmove bzpopmin bzpopmax`, and for streams
/// [`xread_block`](crate::StreamKey::xread_block) and a group's
/// [`read_block`](crate::types::stream::Group::read_block). They return `None` when the wait ends. A wait lasts an hour
/// at most; if you want to wait longer, run the command again.
///
/// Run it by `query_async` on a `BlockingConnection`, or by [`query`](Self::query) on a synchronous connection. A
/// shared connection is not accepted, because the wait would hold up other commands, and the server would still take an
/// element after a time-out of the client. The command cannot be part of a batch or of an atomic group.
///
/// # What can be lost
///
/// - The end of a wait loses nothing: the server measures the wait, and the client waits a second longer for the reply.
/// - The `pop` commands can lose an element, because it is gone from the server once the server has replied. The
///   element in flight is lost if just then the future is dropped, the process ends or the connection breaks. It is
///   also lost if the server was silent for more than a second after the wait, has not yet noticed that the client has
///   gone, and another client pushes an element.
/// - `blmove` loses nothing: each element is in one of the two lists at any time.
/// - Reads of streams lose nothing: delivered entries are pending in their group, and `xread_block` takes nothing.
///
/// If you cannot afford to lose an element, use `blmove`, a stream's group, or a [queue of jobs](crate::guide::jobs).
///
/// ```no_run
/// use std::time::Duration;
///
/// use redis_keys::{types::list::ListEnd, prelude::*, redis, BlockingConnection};
///
/// #[derive(RedisKey)]
/// #[redis_key(mail:jobs:{#queue}:list, value = u64, ttl = 1d)]
/// struct Jobs { queue: u32 }
///
/// #[derive(RedisKey)]
/// #[redis_key(mail:jobs:{#queue}:taken:{worker}:list, value = u64, ttl = 1d)]
/// struct JobsInProgress { queue: u32, worker: u32 }
///
/// # async fn work() -> Result<(), Box<dyn std::error::Error>> {
/// let mut con = BlockingConnection::new(redis::Client::open("redis://127.0.0.1/")?);
/// let (jobs, taken) = (Jobs { queue: 1 }, JobsInProgress { queue: 1, worker: 7 });
/// loop {
///     let job = jobs.blmove(&taken, ListEnd::Right, ListEnd::Left, Duration::from_secs(30));
///     if let Some(job) = job.query_async(&mut con).await? {
///         println!("{job}");
///         // When the job is done, remove it from `taken`.
///     }
/// }
/// # }
/// ```
#[must_use = "it does nothing until `query` or `query_async` runs it"]
pub struct Blocking<T> {
    pub(crate) schema: &'static Schema,
    pub(crate) accessor: Accessor,
    pub(crate) wait: Duration,
    pub(crate) strategy: Result<WaitStrategy<T>, Error>,
    pub(crate) read_timeout: Option<Duration>,
}

impl<T> Blocking<T> {
    pub(crate) fn new(schema: &'static Schema, wait: Duration, strategy: Result<WaitStrategy<T>, Error>) -> Self {
        let strategy = match strategy {
            Ok(strategy) if wait.is_zero() || wait > LONGEST_WAIT => {
                let why = "the wait must be longer than zero and at most one hour";
                Err(Error::refused(schema, strategy.key(), Cause::Argument(why)))
            }
            strategy => strategy,
        };
        Self { schema, accessor: Accessor::default(), wait, strategy, read_timeout: None }
    }

    /// Sets the accessor's name for reports.
    pub(crate) fn named(self, accessor: Accessor) -> Self {
        Self { accessor, ..self }
    }

    /// A read of a stream.
    pub(crate) fn read(schema: &'static Schema, wait: Duration, read: Result<Read<T>, Error>) -> Self {
        Self::new(schema, wait, read.map(WaitStrategy::Read))
    }

    /// Sets the read time-out that a synchronous connection gets back afterwards.
    ///
    /// [`query`](Self::query) sets a time-out that is longer than the wait, and cannot read the previous value. The
    /// default is no time-out, as for new connections.
    pub fn with_read_timeout(self, time: Duration) -> Self {
        Self { read_timeout: Some(time), ..self }
    }

    /// Returns the bytes that would be sent first, for tests.
    ///
    /// # Errors
    ///
    /// If the command was rejected while it was built.
    pub fn packed(self) -> Result<Vec<u8>, Error> {
        self.strategy?.take(self.wait).packed()
    }
}

/// Shows the key, and no element.
impl<T> fmt::Debug for Blocking<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = self.strategy.as_ref().map(|strategy| strategy.key().unwrap_or_default());
        f.debug_struct("Blocking").field("key", &key).field("wait", &self.wait).finish_non_exhaustive()
    }
}

/// The strategy for taking an element that may not exist yet.
pub(crate) enum WaitStrategy<T> {
    /// A single command waits and takes. Its wait is not appended yet.
    Pop { schema: &'static Schema, cmd: Cmd, decode: Decode<Option<T>> },
    /// A script takes the element. Scripts cannot wait, so another command waits and takes nothing.
    Watch { take: ScriptCall<T>, schema: &'static Schema, watch: Cmd },
    /// A single command waits and reads.
    Read(Read<T>),
}

/// The call of a script that takes an element if there is one.
pub(crate) struct ScriptCall<T> {
    pub(crate) schema: &'static Schema,
    pub(crate) script: &'static Script,
    pub(crate) cmd: Cmd,
    pub(crate) decode: Decode<Option<T>>,
}

/// A read of a stream.
pub(crate) struct Read<T> {
    pub(crate) schema: &'static Schema,
    pub(crate) decode: Decode<Option<T>>,
    /// The command without its wait.
    pub(crate) cmd: Cmd,
    /// The number of words before the wait.
    pub(crate) before: usize,
    pub(crate) renewing: Option<Renewing>,
}

/// The commands that are also sent if reads restart the key's expiry.
///
/// The key could expire during the wait, so a read that does not wait restarts the expiry first.
pub(crate) struct Renewing {
    /// The script that reads and renews. Without it, the command itself reads.
    pub(crate) script: Option<Cmd>,
    /// PTTL on the key.
    pub(crate) left: Cmd,
}

/// The next step if no element was taken.
pub(crate) enum Next<T> {
    /// Waits and takes.
    Take(Command<Option<T>>),
    /// Waits, and reports whether there is an element to take.
    Watch(Command<bool>),
}

impl<T> WaitStrategy<T> {
    /// Returns the command that takes an element, and that also waits if a single command does both.
    pub(crate) fn take(&self, wait: Duration) -> Command<Option<T>> {
        match self {
            Self::Pop { schema, cmd, decode } => Command::one(schema, Ok(with_seconds(cmd, wait)), *decode),
            Self::Watch { take: ScriptCall { schema, script, cmd, decode }, .. } => {
                Command::script(schema, script, Ok(cmd.clone()), *decode)
            }
            Self::Read(read) => read.take(wait),
        }
    }

    /// Returns the command that waits after an unsuccessful take. `None` if the take has waited, or no time is left.
    pub(crate) fn next(&self, left: Duration) -> Option<Next<T>> {
        match self {
            Self::Pop { .. } => None,
            _ if left.is_zero() => None,
            Self::Watch { schema, watch, .. } => {
                Some(Next::Watch(Command::one(schema, Ok(with_seconds(watch, left)), is_there)))
            }
            Self::Read(read) => read.take_renewing(left).map(Next::Take),
        }
    }

    pub(crate) fn key(&self) -> Option<Box<str>> {
        match self {
            Self::Pop { cmd, .. } | Self::Watch { watch: cmd, .. } | Self::Read(Read { cmd, .. }) => key_of(cmd, 0),
        }
    }
}

impl<T> Read<T> {
    fn take(&self, wait: Duration) -> Command<Option<T>> {
        let Self { schema, decode, .. } = *self;
        match &self.renewing {
            None => Command::one(schema, Ok(self.with_wait(wait)), decode),
            Some(Renewing { script: Some(call), .. }) => {
                Command::script(schema, &lua::READ_STREAM, Ok(call.clone()), decode)
            }
            Some(Renewing { script: None, left }) => {
                Command::renewing(schema, [self.cmd.clone(), left.clone()], decode)
            }
        }
    }

    fn take_renewing(&self, wait: Duration) -> Option<Command<Option<T>>> {
        let Renewing { left, .. } = self.renewing.as_ref()?;
        Some(Command::renewing(self.schema, [self.with_wait(wait), left.clone()], self.decode))
    }

    /// Returns the command with its wait, in milliseconds.
    fn with_wait(&self, wait: Duration) -> Cmd {
        let mut cmd = Cmd::with_capacity(self.cmd.args_iter().len().saturating_add(2), 200);
        for (index, word) in words(&self.cmd).enumerate() {
            if index == self.before {
                cmd.write_arg(b"BLOCK");
                cmd.write_arg_fmt(milliseconds(wait));
            }
            cmd.write_arg(word);
        }
        cmd
    }
}

/// Returns the command with its wait, in seconds.
fn with_seconds(cmd: &Cmd, wait: Duration) -> Cmd {
    let ms = milliseconds(wait);
    let mut cmd = cmd.clone();
    cmd.write_arg_fmt(format_args!("{}.{:03}", ms / 1000, ms % 1000));
    cmd
}

/// Returns the wait in the server's unit. 0 means forever, and some servers round less than a millisecond to 0.
fn milliseconds(wait: Duration) -> u128 {
    wait.as_nanos().div_ceil(1_000_000).max(2)
}

fn is_there(replies: Replies, _sent: &ReplyContext<'_>) -> DecodeResult<bool> {
    match replies.one() {
        Value::BulkString(_) => Ok(Step::Done(true)),
        Value::Nil => Ok(Step::Done(false)),
        _ => Err(ReplyError::unexpected()),
    }
}

/// A command that waits cannot be part of a batch or of an atomic group.
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
/// It does not run on a shared connection.
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
struct SharedConnectionRejection;

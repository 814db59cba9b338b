//! Commands that accessors build, alone and combined: batches, atomic groups and blocking calls.

// Nothing here performs I/O: the module `run` sends the commands. A `Command` holds its redis commands and the function
// that decodes their replies. To be sent with others it moves its redis commands into a `Submission` and becomes a
// `Pending`, which later reads its result from the `Responses`.

// Replies are read here: arithmetic on them must not overflow, and nothing is indexed by them.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing))]

pub(crate) mod answers;
pub(crate) mod arguments;
mod atomic;
mod batch;
pub(crate) mod blocking;
pub(crate) mod builder;
pub(crate) mod context;
pub(crate) mod expiry;
pub(crate) mod own_writes;
pub(crate) mod positions;
pub(crate) mod reply;
pub(crate) mod request;
pub(crate) mod responses;
pub(crate) mod rewrite;
pub(crate) mod submission;
pub(crate) mod table;
#[cfg(all(test, feature = "aio"))]
mod tests;
pub(crate) mod value;

use std::fmt;

pub use atomic::{Atomic, atomic};
pub use batch::{Batch, Iter, Many, batch, batch_iter};
pub(crate) use batch::{Pending, not_batchable};
pub use blocking::Blocking;
pub(crate) use context::{ReplyContext, ReplyError, renewal};
pub use positions::PositionRange;
use redis::Cmd;
pub(crate) use reply::{DecodeResult, Replies, Step, count, done, flag, time_left, time_left_of_value};
use request::{Cmds, Reading, Request};
pub(crate) use request::{Decode, begin, call, call_with, on_key, push_key, script_on_key, text_of};
pub(crate) use responses::Responses;
pub(crate) use submission::Submission;
pub(crate) use table::{as_eval, cmd_bytes, key_of, key_of_built};

use crate::Error;
use crate::accessor::Accessor;
use crate::lua::Script;
use crate::schema::Schema;
pub use crate::time_left::TimeLeft;

/// A typed command on a key that is not sent yet, as returned by accessors such as `key.get()`.
///
/// You run it with `run` on a shared asynchronous connection, such as the connection that `connect` returns. Like
/// redis-rs's own `Cmd`, [`query`](Self::query) runs it on any synchronous connection of redis-rs, and `query_async` on
/// any asynchronous connection.
///
/// ```no_run
/// use redis_keys::{prelude::*, redis};
///
/// #[derive(RedisKey)]
/// #[redis_key(user:name:{user_id}:string, value = String, ttl = 1h)]
/// struct Name { user_id: u64 }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut con = redis::Client::open("redis://127.0.0.1/")?.get_connection()?;
/// let key = Name { user_id: 42 };
/// key.set("Ada").query(&mut con)?;
/// assert_eq!(key.get().query(&mut con)?, Some("Ada".to_owned()));
/// # Ok(()) }
/// ```
#[must_use = "a command does nothing until `run` or `query` runs it"]
pub struct Command<T> {
    pub(crate) state: State<T>,
}

pub(crate) enum State<T> {
    /// The result is known without a server.
    Ready(T),
    /// The command was rejected while it was built. Running it returns the error.
    Refused(Error),
    Request(Request<T>),
}

impl<T> From<State<T>> for Command<T> {
    #[inline]
    fn from(state: State<T>) -> Self {
        Self { state }
    }
}

impl<T> Command<T> {
    #[inline]
    pub(crate) fn ready(value: T) -> Self {
        State::Ready(value).into()
    }

    #[inline]
    pub(crate) fn refused(error: Error) -> Self {
        State::Refused(error).into()
    }

    /// One redis command.
    #[inline]
    pub(crate) fn one(schema: &'static Schema, cmd: Result<Cmd, Error>, decode: Decode<T>) -> Self {
        match cmd {
            Ok(cmd) => Self::request(schema, None, Cmds::One(cmd), Reading::new(decode)),
            Err(error) => Self::refused(error),
        }
    }

    /// One call of a script, as EVALSHA.
    #[inline]
    pub(crate) fn script(
        schema: &'static Schema,
        script: &'static Script,
        cmd: Result<Cmd, Error>,
        decode: Decode<T>,
    ) -> Self {
        match cmd {
            Ok(cmd) => Self::request(schema, Some(script), Cmds::One(cmd), Reading::new(decode)),
            Err(error) => Self::refused(error),
        }
    }

    /// Several redis commands, each atomic by itself.
    pub(crate) fn many(schema: &'static Schema, cmds: Vec<Cmd>, decode: Decode<T>) -> Self {
        Self::request(schema, None, Cmds::many(cmds), Reading::new(decode))
    }

    /// A read whose last redis command asks how long the key lives: the expiry restarts if too little time is left.
    pub(crate) fn renewing(schema: &'static Schema, cmds: impl Into<Vec<Cmd>>, decode: Decode<T>) -> Self {
        Self::request(schema, None, Cmds::Renewing(cmds.into()), Reading::new(decode))
    }

    #[inline]
    fn request(schema: &'static Schema, script: Option<&'static Script>, cmds: Cmds, reading: Reading<T>) -> Self {
        State::Request(Request { schema, script, cmds, reading }).into()
    }

    /// Names the accessor that has built the command, in reports.
    #[inline]
    pub(crate) fn named(mut self, accessor: Accessor) -> Self {
        match &mut self.state {
            State::Ready(_) => {}
            State::Refused(error) => error.name(accessor),
            State::Request(request) => request.reading.accessor = accessor,
        }
        self
    }

    /// Names the accessor of a read, which can find nothing.
    #[inline]
    pub(crate) fn named_read(self, accessor: Accessor) -> Self {
        self.named(accessor.that_reads())
    }

    /// Makes the command a step of another call, which is reported instead.
    pub(crate) fn unnamed(self) -> Self {
        self.named(Accessor::default())
    }

    /// Returns the bytes that would be sent first, for tests. Empty if nothing has to be sent.
    ///
    /// ```
    /// use redis_keys::{prelude::*, redis};
    ///
    /// #[derive(RedisKey)]
    /// #[redis_key(user:name:{user_id}:string, value = String, ttl = 1h)]
    /// struct Name { user_id: u64 }
    ///
    /// assert_eq!(
    ///     Name { user_id: 42 }.get().packed()?,
    ///     redis::cmd("GET").arg("user:name:42:string").get_packed_command(),
    /// );
    /// # Ok::<(), redis_keys::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the command was rejected while it was built.
    pub fn packed(self) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        self.each_cmd(|cmd| cmd.write_packed_command(&mut bytes))?;
        Ok(bytes)
    }

    /// Calls a function with each redis command.
    pub(crate) fn each_cmd(self, visit: impl FnMut(&Cmd)) -> Result<(), Error> {
        match self.state {
            State::Ready(_) => Ok(()),
            State::Refused(error) => Err(error),
            State::Request(request) => {
                request.cmds.iter().for_each(visit);
                Ok(())
            }
        }
    }
}

/// Shows the declaration and the keys, and no value.
impl<T> fmt::Debug for Command<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.state {
            State::Ready(_) => f.write_str("Command::Ready"),
            State::Refused(error) => f.debug_tuple("Command::Refused").field(error).finish(),
            State::Request(request) => request.fmt(f),
        }
    }
}

//! Commands: what the accessors of keys build, and how it is run.

mod alone;
pub(crate) mod answers;
pub(crate) mod arguments;
mod atomic;
pub(crate) mod batch;
pub(crate) mod builder;
pub(crate) mod failure;
pub(crate) mod old_builder;
pub(crate) mod part;
mod renewal;
pub(crate) mod replies;
mod reply;
pub(crate) mod request;
pub(crate) mod rewrite;
pub(crate) mod round;
mod runnable;
pub(crate) mod sent;
pub(crate) mod slot;
#[cfg(all(test, feature = "aio"))]
mod tests;
pub(crate) mod value;

use std::fmt;

use redis::Cmd;

#[cfg(feature = "aio")]
pub(crate) use failure::is_answer;
pub(crate) use failure::{Fault, answer, lost};
pub(crate) use renewal::renewal;
pub(crate) use reply::{Replies, Step, count, done, flag, time_left};
pub(crate) use request::{Decode, begin, call, call_with, on_key, push_key, script_on_key};
pub(crate) use runnable::runnable;
pub(crate) use sent::{Sent, as_eval, cmd_bytes, key_of};

pub use crate::run::blocking::Blocking;
pub(crate) use answers::Answers;
pub use atomic::{Atomic, atomic};
pub use batch::{Batch, Iter, Many, batch, batch_iter};
pub(crate) use part::Part;
pub(crate) use round::Round;

use request::{Cmds, Reading, Request};
use sent::Commands;

use crate::{Error, lua::Script, schema::Schema};

/// A typed command on a key, not yet sent: what accessors such as `key.get()` give.
///
/// [`query`](Self::query) runs it on any synchronous connection of redis-rs, `query_async` on any
/// asynchronous one, both as redis-rs's own `Cmd` does.
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
#[must_use = "a command does nothing until `query` or `query_async` runs it"]
pub struct Command<T> {
    state: State<T>,
}

enum State<T> {
    /// The result is known without asking anybody.
    Ready(T),
    /// Something was wrong while it was built. Running it gives the error.
    Refused(Error),
    Request(Request<T>),
}

impl<T> Command<T> {
    #[inline]
    pub(crate) fn ready(value: T) -> Self {
        Self { state: State::Ready(value) }
    }

    #[inline]
    pub(crate) fn refused(error: Error) -> Self {
        Self { state: State::Refused(error) }
    }

    /// One redis command.
    #[inline]
    pub(crate) fn one(schema: &'static Schema, cmd: Result<Cmd, Error>, decode: Decode<T>) -> Self {
        match cmd {
            Ok(cmd) => Self::request(schema, None, Cmds::One(cmd), Reading { decode, renews: false }),
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
            Ok(cmd) => Self::request(schema, Some(script), Cmds::One(cmd), Reading { decode, renews: false }),
            Err(error) => Self::refused(error),
        }
    }

    /// Several redis commands, of which each is an atom of its own.
    pub(crate) fn many(schema: &'static Schema, cmds: Vec<Cmd>, decode: Decode<T>) -> Self {
        Self::request(schema, None, Cmds::many(cmds), Reading { decode, renews: false })
    }

    /// A read by one command or several, and the question how long its key will live: too short a time starts anew.
    pub(crate) fn renewing(schema: &'static Schema, cmds: impl Into<Vec<Cmd>>, decode: Decode<T>) -> Self {
        Self::request(schema, None, Cmds::Many(cmds.into()), Reading { decode, renews: true })
    }

    #[inline]
    fn request(schema: &'static Schema, script: Option<&'static Script>, cmds: Cmds, reading: Reading<T>) -> Self {
        Self { state: State::Request(Request { schema, script, cmds, reading }) }
    }

    /// Runs the command on a synchronous connection.
    ///
    /// # Errors
    ///
    /// When the command was refused while it was built, when the server answers with an error or with something that does
    /// not decode, and when the connection fails. [`Error::sent`] tells whether the server may have run it.
    #[inline]
    pub fn query<C>(self, con: &mut C) -> Result<T, Error>
    where
        C: redis::ConnectionLike + ?Sized,
    {
        match self.state {
            State::Ready(value) => Ok(value),
            State::Refused(error) => Err(error),
            State::Request(Request { schema, script, cmds: Cmds::One(ref cmd), reading }) => {
                let sent = Sent { schema, script, commands: Commands::One(cmd) };
                crate::run::sync::run(con, cmd, &sent, reading)
            }
            state @ State::Request(_) => batch(Self { state }).query(con),
        }
    }

    /// Runs the command on an asynchronous connection. The future is `Send` where the connection and the result are.
    ///
    /// ```no_run
    /// use redis_keys::{prelude::*, redis::aio::MultiplexedConnection};
    ///
    /// #[derive(RedisKey)]
    /// #[redis_key(user:name:{user_id}:string, value = String, ttl = 1h)]
    /// struct Name { user_id: u64 }
    ///
    /// async fn greeting(con: &mut MultiplexedConnection) -> Result<String, redis_keys::Error> {
    ///     let name = Name { user_id: 42 }.get().query_async(con).await?;
    ///     Ok(format!("Hello, {}!", name.as_deref().unwrap_or("stranger")))
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`query`](Self::query).
    #[cfg(feature = "aio")]
    #[cfg_attr(docsrs, doc(cfg(feature = "aio")))]
    #[inline]
    pub async fn query_async<C>(self, con: &mut C) -> Result<T, Error>
    where
        C: redis::aio::ConnectionLike + ?Sized,
    {
        match self.state {
            State::Ready(value) => Ok(value),
            State::Refused(error) => Err(error),
            State::Request(Request { schema, script, cmds: Cmds::One(ref cmd), reading }) => {
                let sent = Sent { schema, script, commands: Commands::One(cmd) };
                crate::run::asynchronous::run(con, cmd, &sent, reading).await
            }
            state @ State::Request(_) => Box::pin(crate::run::asynchronous::run_command(con, Self { state })).await,
        }
    }

    /// The bytes that would be sent first: for tests. Empty when nothing has to be sent.
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
    /// When the command was refused while it was built.
    pub fn packed(self) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        self.each_cmd(|cmd| cmd.write_packed_command(&mut bytes))?;
        Ok(bytes)
    }

    /// Shows the redis commands.
    pub(crate) fn each_cmd(self, look: impl FnMut(&Cmd)) -> Result<(), Error> {
        match self.state {
            State::Ready(_) => Ok(()),
            State::Refused(error) => Err(error),
            State::Request(request) => {
                request.cmds.iter().for_each(look);
                Ok(())
            }
        }
    }
}

/// Tells the key and the redis command, and no value.
impl<T> fmt::Debug for Command<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.state {
            State::Ready(_) => f.write_str("Command::Ready"),
            State::Refused(error) => f.debug_tuple("Command::Refused").field(error).finish(),
            State::Request(request) => request.fmt(f),
        }
    }
}

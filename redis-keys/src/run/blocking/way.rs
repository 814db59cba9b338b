//! What is sent to take something, and to wait for it.

use std::time::Duration;

use redis::{Cmd, RedisWrite as _, Value};

use crate::{
    Command,
    command::{Decode, Fault, Replies, Sent, Step, key_of, rewrite::words},
    lua,
    lua::Script,
    schema::Schema,
};

/// How something is taken that may not be there yet.
pub(crate) enum Way<T> {
    /// By one command that waits and takes. Its wait is still to follow.
    Pop {
        schema: &'static Schema,
        cmd: Cmd,
        decode: Decode<Option<T>>,
    },
    /// By a script, which cannot wait, after a command that waits and takes nothing.
    Watch {
        taking: Taking<T>,
        schema: &'static Schema,
        watch: Cmd,
    },
    Read(Read<T>),
}

/// The call of a script that takes something if it is there.
pub(crate) struct Taking<T> {
    pub(crate) schema: &'static Schema,
    pub(crate) script: &'static Script,
    pub(crate) cmd: Cmd,
    pub(crate) decode: Decode<Option<T>>,
}

/// A read of a stream, which waits by itself.
pub(crate) struct Read<T> {
    pub(crate) schema: &'static Schema,
    pub(crate) decode: Decode<Option<T>>,
    /// The command without its wait.
    pub(crate) cmd: Cmd,
    /// So many of its words stand before the wait.
    pub(crate) before: usize,
    pub(crate) renewing: Option<Renewing>,
}

/// What else is sent where reads start the key's expiry anew. The key could go during the wait, so that is done before it
/// too, by a read that does not wait.
pub(crate) struct Renewing {
    /// The script that reads and renews; without it the read is the command itself.
    pub(crate) script: Option<Cmd>,
    /// The question how long the key will live.
    pub(crate) left: Cmd,
}

/// What follows where nothing was taken.
pub(crate) enum Next<T> {
    /// It takes something, if it comes in time.
    Take(Command<Option<T>>),
    /// It tells whether there is something to take.
    Watch(Command<bool>),
}

impl<T> Way<T> {
    /// What takes something, and waits for it if one command does both.
    pub(crate) fn take(&self, wait: Duration) -> Command<Option<T>> {
        match self {
            Self::Pop { schema, cmd, decode } => Command::one(schema, Ok(waiting(cmd, wait)), *decode),
            Self::Watch { taking: Taking { schema, script, cmd, decode }, .. } => {
                Command::script(schema, script, Ok(cmd.clone()), *decode)
            }
            Self::Read(read) => read.first(wait),
        }
    }

    /// What waits, if that is not done yet and there is time left.
    pub(crate) fn next(&self, left: Duration) -> Option<Next<T>> {
        match self {
            Self::Pop { .. } => None,
            _ if left.is_zero() => None,
            Self::Watch { schema, watch, .. } => {
                Some(Next::Watch(Command::one(schema, Ok(waiting(watch, left)), is_there)))
            }
            Self::Read(read) => read.second(left).map(Next::Take),
        }
    }

    pub(crate) fn key(&self) -> Option<Box<str>> {
        match self {
            Self::Pop { cmd, .. } | Self::Watch { watch: cmd, .. } | Self::Read(Read { cmd, .. }) => key_of(cmd, 0),
        }
    }
}

impl<T> Read<T> {
    fn first(&self, wait: Duration) -> Command<Option<T>> {
        let Self { schema, decode, .. } = *self;
        match &self.renewing {
            None => Command::one(schema, Ok(self.waiting(wait)), decode),
            Some(Renewing { script: Some(call), .. }) => {
                Command::script(schema, &lua::READ_STREAM, Ok(call.clone()), decode)
            }
            Some(Renewing { script: None, left }) => {
                Command::renewing(schema, [self.cmd.clone(), left.clone()], decode)
            }
        }
    }

    fn second(&self, wait: Duration) -> Option<Command<Option<T>>> {
        let Renewing { left, .. } = self.renewing.as_ref()?;
        Some(Command::renewing(self.schema, [self.waiting(wait), left.clone()], self.decode))
    }

    /// The command with its wait, in milliseconds.
    fn waiting(&self, wait: Duration) -> Cmd {
        let mut cmd = Cmd::with_capacity(2 + self.cmd.args_iter().len(), 200);
        for (at, word) in words(&self.cmd).enumerate() {
            if at == self.before {
                cmd.write_arg(b"BLOCK");
                cmd.write_arg_fmt(milliseconds(wait));
            }
            cmd.write_arg(word);
        }
        cmd
    }
}

/// The command with its wait, in seconds.
fn waiting(cmd: &Cmd, wait: Duration) -> Cmd {
    let ms = milliseconds(wait);
    let mut cmd = cmd.clone();
    cmd.write_arg_fmt(format_args!("{}.{:03}", ms / 1000, ms % 1000));
    cmd
}

/// How long the server waits. 0 is for ever, and what is below a millisecond is 0 to some servers.
fn milliseconds(wait: Duration) -> u128 {
    wait.as_nanos().div_ceil(1_000_000).max(2)
}

fn is_there(replies: Replies, _sent: &Sent<'_>) -> Result<Step<bool>, Fault> {
    match replies.one() {
        Value::BulkString(_) => Ok(Step::Done(true)),
        Value::Nil => Ok(Step::Done(false)),
        _ => Err(Fault::unexpected()),
    }
}

//! What is sent to take something, and to wait for it.

use std::time::{Duration, Instant};

use redis::{Cmd, Value};

use crate::{
    Command, Schema,
    command::{Decode, Fault, Replies, Sent, Step, key_of},
    script::Script,
};

/// How something is taken that may not be there yet.
pub(super) enum Way<T> {
    /// By one command that waits and takes. Its wait is still to follow.
    Pop { schema: &'static Schema, cmd: Cmd, decode: Decode<Option<T>> },
    /// By a script, which cannot wait, after a command that waits and takes nothing.
    Watch { taking: Taking<T>, schema: &'static Schema, watch: Cmd },
}

/// The call of a script that takes something if it is there.
pub(super) struct Taking<T> {
    pub(super) schema: &'static Schema,
    pub(super) script: &'static Script,
    pub(super) cmd: Cmd,
    pub(super) decode: Decode<Option<T>>,
}

impl<T> Way<T> {
    /// What takes something, and waits for it if one command does both.
    pub(super) fn take(&self, wait: Duration) -> Command<Option<T>> {
        match self {
            Self::Pop { schema, cmd, decode } => Command::one(schema, Ok(waiting(cmd, wait)), *decode),
            Self::Watch { taking: Taking { schema, script, cmd, decode }, .. } => {
                Command::script(schema, script, Ok(cmd.clone()), *decode)
            }
        }
    }

    /// What waits until there is something to take, if that is not done yet and there is time left. It tells whether there is
    /// something.
    pub(super) fn watch(&self, until: Instant) -> Option<Command<bool>> {
        let left = until.saturating_duration_since(Instant::now());
        match self {
            Self::Watch { schema, watch, .. } if !left.is_zero() => {
                Some(Command::one(schema, Ok(waiting(watch, left)), is_there))
            }
            _ => None,
        }
    }

    pub(super) fn key(&self) -> Option<Box<str>> {
        match self {
            Self::Pop { cmd, .. } | Self::Watch { watch: cmd, .. } => key_of(cmd, 0),
        }
    }
}

/// The command with its wait, in seconds. Redis takes fractions, but 0 is for ever, and what is below a millisecond is 0 to
/// some servers.
fn waiting(cmd: &Cmd, wait: Duration) -> Cmd {
    let ms = wait.as_nanos().div_ceil(1_000_000).max(2);
    let mut cmd = cmd.clone();
    redis::RedisWrite::write_arg_fmt(&mut cmd, format_args!("{}.{:03}", ms / 1000, ms % 1000));
    cmd
}

fn is_there(replies: Replies, _sent: &Sent<'_>) -> Result<Step<bool>, Fault> {
    match replies.one() {
        Value::BulkString(_) => Ok(Step::Done(true)),
        Value::Nil => Ok(Step::Done(false)),
        _ => Err(Fault::unexpected()),
    }
}

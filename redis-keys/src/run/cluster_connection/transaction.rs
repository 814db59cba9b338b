//! Pipelines between MULTI and EXEC.

use std::borrow::Cow;

use redis::{Cmd, Pipeline, Value};

use crate::command::cmd::words;

/// A pipeline from MULTI to EXEC.
pub(super) struct Transaction<'p> {
    pub(super) pipeline: Cow<'p, Pipeline>,
    /// Whether only the reply to EXEC is asked for.
    only_exec: bool,
}

impl<'p> Transaction<'p> {
    /// Either MULTI and EXEC are among the commands, or redis-rs adds them and skips all replies but the last one.
    pub(super) fn recognize(pipeline: &'p Pipeline, skipped: usize) -> Option<Self> {
        if skipped > 0 {
            let mut plain = Pipeline::new();
            plain.add_command(redis::cmd("MULTI"));
            pipeline.cmd_iter().for_each(|cmd| _ = plain.add_command(cmd.clone()));
            plain.add_command(redis::cmd("EXEC"));
            return Some(Self { pipeline: Cow::Owned(plain), only_exec: true });
        }
        let is = |cmd: Option<&Cmd>, name: &[u8]| {
            cmd.and_then(|cmd| words(cmd).next()).is_some_and(|word| word.eq_ignore_ascii_case(name))
        };
        let is_whole = is(pipeline.cmd_iter().next(), b"MULTI") && is(pipeline.cmd_iter().last(), b"EXEC");
        is_whole.then_some(Self { pipeline: Cow::Borrowed(pipeline), only_exec: false })
    }

    /// The commands between MULTI and EXEC.
    pub(super) fn commands(&self) -> impl Iterator<Item = &Cmd> {
        let len = self.pipeline.len().saturating_sub(2);
        self.pipeline.cmd_iter().skip(1).take(len)
    }

    /// The replies that were asked for.
    pub(super) fn read(&self, reply: Value) -> Vec<Value> {
        match reply {
            Value::Array(mut replies) if self.only_exec => replies.pop().into_iter().collect(),
            Value::Array(replies) => replies,
            other => vec![other],
        }
    }
}

//! What went to the server: looked at when its answer is read, for messages and for a second attempt.

use redis::{Arg, Cmd, RedisWrite as _};

use super::round::Round;
use crate::{Schema, script::Script};

/// The redis commands of one of our commands.
#[derive(Clone, Copy)]
pub(crate) struct Sent<'s> {
    pub(crate) schema: &'static Schema,
    /// The script that the commands call by its SHA-1.
    pub(super) script: Option<&'static Script>,
    pub(super) commands: Commands<'s>,
}

#[derive(Clone, Copy)]
pub(super) enum Commands<'s> {
    One(&'s Cmd),
    /// Those of a round from one on.
    Part {
        round: &'s Round,
        first: usize,
        len: usize,
    },
}

impl<'s> Sent<'s> {
    /// The command of that number.
    pub(crate) fn command(&self, index: usize) -> Option<&'s Cmd> {
        match self.commands {
            Commands::One(cmd) => (index == 0).then_some(cmd),
            Commands::Part { round, first, len } => (index < len).then(|| round.command(first + index)).flatten(),
        }
    }

    /// The key of the command of that number.
    pub(crate) fn key(&self, index: usize) -> Option<Box<str>> {
        key_of(self.command(index)?, 0)
    }

    /// Whether the server is to count, and so wants a number to be there.
    pub(super) fn counts(&self) -> bool {
        if let Some(script) = self.script {
            return script.counts;
        }
        let name = self.command(0).and_then(|cmd| cmd.args_iter().next());
        matches!(name, Some(Arg::Simple(b"INCRBY")))
    }
}

/// The same call with the script's text instead of its SHA-1.
pub(super) fn as_eval(script: &Script, cmd: &Cmd) -> Cmd {
    let mut eval = Cmd::with_capacity(cmd.args_iter().len(), script.text.len() + cmd_bytes(cmd));
    eval.write_arg(b"EVAL");
    eval.write_arg(script.text.as_bytes());
    for arg in cmd.args_iter().skip(2) {
        if let Arg::Simple(arg) = arg {
            eval.write_arg(arg);
        }
    }
    eval
}

fn cmd_bytes(cmd: &Cmd) -> usize {
    let len = |arg: Arg<&[u8]>| if let Arg::Simple(arg) = arg { arg.len() } else { 0 };
    cmd.args_iter().map(len).sum()
}

/// How many keys a call of a script names, and where the first one stands; other commands have one behind their name.
fn keys(cmd: &Cmd) -> (usize, usize) {
    let mut args = cmd.args_iter();
    match args.next() {
        Some(Arg::Simple(b"EVALSHA" | b"EVAL")) => {}
        Some(Arg::Simple(b"XGROUP" | b"XINFO" | b"OBJECT")) => return (2, 1),
        _ => return (1, 1),
    }
    let count = match args.nth(1) {
        Some(Arg::Simple(count)) => std::str::from_utf8(count).ok().and_then(|count| count.parse().ok()),
        _ => None,
    };
    (3, count.unwrap_or(1))
}

/// A key of a command, read from its arguments.
pub(crate) fn key_of(cmd: &Cmd, number: usize) -> Option<Box<str>> {
    let (first, _) = keys(cmd);
    match cmd.args_iter().nth(first + number) {
        Some(Arg::Simple(bytes)) => std::str::from_utf8(bytes).ok().map(Into::into),
        _ => None,
    }
}

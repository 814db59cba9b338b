//! What went to the server: looked at when its answer is read, for messages and for a second attempt.

use std::ops::Range;

use redis::{Arg, Cmd, RedisWrite as _};

use super::round::Round;
use crate::{lua::Script, schema::Schema};

/// The redis commands of one of our commands.
#[derive(Clone, Copy)]
pub(crate) struct Sent<'s> {
    pub(crate) schema: &'static Schema,
    /// The script that the commands call by its SHA-1.
    pub(crate) script: Option<&'static Script>,
    pub(crate) commands: Commands<'s>,
}

#[derive(Clone, Copy)]
pub(crate) enum Commands<'s> {
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
    pub(crate) fn counts(&self) -> bool {
        if let Some(script) = self.script {
            return script.counts;
        }
        let name = self.command(0).and_then(|cmd| cmd.args_iter().next());
        matches!(name, Some(Arg::Simple(b"INCRBY")))
    }
}

/// The same call with the script's text instead of its SHA-1.
pub(crate) fn as_eval(script: &Script, cmd: &Cmd) -> Cmd {
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

/// How many bytes the words of a command have together.
pub(crate) fn cmd_bytes(cmd: &Cmd) -> usize {
    let len = |arg: Arg<&[u8]>| if let Arg::Simple(arg) = arg { arg.len() } else { 0 };
    cmd.args_iter().map(len).sum()
}

/// Where the keys of a command stand among its arguments.
fn positions(cmd: &Cmd) -> Range<usize> {
    let mut args = cmd.args_iter();
    let number = |arg: Option<Arg<&[u8]>>| match arg {
        Some(Arg::Simple(text)) => std::str::from_utf8(text).ok().and_then(|text| text.parse().ok()),
        _ => None,
    };
    match args.next() {
        Some(Arg::Simple(b"EVALSHA" | b"EVAL")) => 3..3 + number(args.nth(1)).unwrap_or(1),
        Some(Arg::Simple(b"MGET" | b"PFCOUNT" | b"PFMERGE")) => 1..1 + args.len(),
        Some(Arg::Simple(b"SCAN" | b"CLUSTER")) => 0..0,
        Some(Arg::Simple(b"XGROUP" | b"XINFO")) => 2..3,
        Some(Arg::Simple(b"XREADGROUP" | b"XREAD")) => {
            // One stream, and its id, come last.
            let end = args.len();
            end.saturating_sub(1)..end
        }
        _ => 1..2,
    }
}

/// The keys of a command, read from its arguments.
pub(crate) fn keys_of(cmd: &Cmd) -> impl Iterator<Item = &[u8]> {
    let positions = positions(cmd);
    cmd.args_iter().skip(positions.start).take(positions.len()).filter_map(|arg| match arg {
        Arg::Simple(bytes) => Some(bytes),
        _ => None,
    })
}

/// A key of a command, read from its arguments.
pub(crate) fn key_of(cmd: &Cmd, number: usize) -> Option<Box<str>> {
    let key = keys_of(cmd).nth(number)?;
    std::str::from_utf8(key).ok().map(Into::into)
}

#[cfg(test)]
mod tests {
    use super::keys_of;

    /// An atomic group and a batch on a cluster go by them.
    #[test]
    fn keys_stand_where_each_command_has_them() {
        for (command, keys) in [
            ("GET a", "a"),
            ("SET a b PX 1", "a"),
            ("TYPE a", "a"),
            ("HMGET a b c", "a"),
            ("BITFIELD_RO a GET u8 0", "a"),
            ("MGET a b c", "a b c"),
            ("PFCOUNT a b", "a b"),
            ("PFMERGE a b c", "a b c"),
            ("EVALSHA x 1 a 7", "a"),
            ("EVALSHA x 2 a b 7", "a b"),
            ("EVAL text 3 a b c", "a b c"),
            ("SCAN 0 MATCH a*", ""),
            ("XGROUP CREATE a group 0", "a"),
            ("XINFO STREAM a", "a"),
            ("XREAD COUNT 1 STREAMS a 0-0", "a"),
            ("XREADGROUP GROUP group consumer COUNT 1 STREAMS a >", "a"),
            ("XACK a group 1-1", "a"),
            ("XAUTOCLAIM a group consumer 1 0-0", "a"),
        ] {
            let mut words = command.split(' ');
            let mut cmd = redis::cmd(words.next().unwrap());
            words.for_each(|word| _ = cmd.arg(word));
            let found: Vec<_> = keys_of(&cmd).map(|key| std::str::from_utf8(key).unwrap()).collect();
            assert_eq!(found.join(" "), keys, "{command}");
        }
    }
}

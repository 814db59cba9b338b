//! What went to the server: kept until its answer is read, for messages and for a second attempt.

use std::slice;

use redis::{Arg, Cmd, Pipeline, RedisWrite as _};

use crate::{Schema, script::Script};

/// The most commands in one pipeline: beyond that a batch holds up other clients and gains nothing.
const PIECE: usize = 50;

pub(crate) struct Sent {
    pub(crate) schema: &'static Schema,
    /// The script that the one command calls by its SHA-1.
    script: Option<&'static Script>,
    pub(super) commands: Commands,
}

pub(super) enum Commands {
    One(Cmd),
    /// All of them full but the last.
    Pieces(Vec<Pipeline>),
}

impl Sent {
    #[inline]
    pub(super) fn one(schema: &'static Schema, script: Option<&'static Script>, cmd: Cmd) -> Self {
        Self { schema, script, commands: Commands::One(cmd) }
    }

    pub(super) fn many(schema: &'static Schema, cmds: Vec<Cmd>) -> Self {
        let commands = match <[Cmd; 1]>::try_from(cmds) {
            Ok([cmd]) => Commands::One(cmd),
            Err(cmds) => Commands::Pieces(in_pieces(cmds)),
        };
        Self { schema, script: None, commands }
    }

    /// The command of that number.
    pub(crate) fn command(&self, index: usize) -> Option<&Cmd> {
        match &self.commands {
            Commands::One(cmd) => (index == 0).then_some(cmd),
            Commands::Pieces(pieces) => pieces.get(index / PIECE)?.cmd_iter().nth(index % PIECE),
        }
    }

    /// Whether the server is to count, and so wants a number to be there.
    pub(super) fn counts(&self) -> bool {
        if let Some(script) = self.script {
            return script.counts;
        }
        let name = self.command(0).and_then(|cmd| cmd.args_iter().next());
        matches!(name, Some(Arg::Simple(b"INCRBY")))
    }

    /// All commands.
    pub(super) fn commands(&self) -> impl Iterator<Item = &Cmd> {
        let (one, pieces) = match &self.commands {
            Commands::One(cmd) => (slice::from_ref(cmd), [].as_slice()),
            Commands::Pieces(pieces) => ([].as_slice(), pieces.as_slice()),
        };
        one.iter().chain(pieces.iter().flat_map(Pipeline::cmd_iter))
    }

    /// The same call with the script's text instead of its SHA-1.
    pub(super) fn as_eval(&self) -> Option<Cmd> {
        let (script, cmd) = (self.script?, self.command(0)?);
        let mut eval = Cmd::new();
        eval.write_arg(b"EVAL");
        eval.write_arg(script.text.as_bytes());
        for arg in cmd.args_iter().skip(2) {
            if let Arg::Simple(arg) = arg {
                eval.write_arg(arg);
            }
        }
        Some(eval)
    }
}

/// Moves the commands into pipelines.
fn in_pieces(cmds: Vec<Cmd>) -> Vec<Pipeline> {
    let mut pieces = Vec::with_capacity(cmds.len().div_ceil(PIECE));
    let mut cmds = cmds.into_iter().peekable();
    while cmds.peek().is_some() {
        let mut piece = Pipeline::with_capacity(cmds.len().min(PIECE));
        for cmd in cmds.by_ref().take(PIECE) {
            piece.add_command(cmd);
        }
        pieces.push(piece);
    }
    pieces
}

/// A key of a command, read from its arguments.
pub(crate) fn key_of(cmd: &Cmd, number: usize) -> Option<Box<str>> {
    let text = |index| match cmd.args_iter().nth(index) {
        Some(Arg::Simple(bytes)) => std::str::from_utf8(bytes).ok(),
        _ => None,
    };
    let first = if matches!(text(0)?, "EVALSHA" | "EVAL") { 3 } else { 1 };
    text(first + number).map(Into::into)
}

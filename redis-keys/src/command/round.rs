//! The redis commands of one round trip.

use std::mem;

use redis::{Cmd, Pipeline, RedisError, RedisResult, ServerErrorKind, Value};

use super::{
    failure::into_error,
    sent::{Commands, Sent, as_eval, key_of, keys_of},
    slot::hash_tag,
};
use crate::{Error, command::rewrite::words, error, error::Cause, lua::Script, schema::Schema};

/// The most commands in one pipeline: beyond that a batch holds up other clients and gains nothing.
pub(crate) const PIECE: usize = 50;

/// Redis commands in their order, in pipelines of which all are full but the last.
pub struct Round {
    pieces: Vec<Pipeline>,
    len: usize,
    style: Style,
    /// The scripts that the commands call, with the number of the last piece that does.
    scripts: Vec<(&'static Script, usize)>,
    /// Whose commands those of a transaction are, from which number on.
    schemas: Vec<(usize, &'static Schema)>,
    /// The hash tag that the keys of a transaction share.
    tag: Option<Box<[u8]>>,
    /// The first error among those commands that were refused while they were built.
    refusal: Option<Error>,
}

/// How the commands go.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// A piece at a time. Nothing in it can be tried again without overtaking others, so that each piece brings the text of
    /// the scripts that it uses.
    Pieces,
    /// Each by itself, and once more where the server does not know its script.
    Alone,
    /// All in one piece, which is a transaction: a script that is not known would let the others be run.
    Transaction,
}

impl Round {
    pub(crate) fn new(style: Style) -> Self {
        Self { pieces: Vec::new(), len: 0, style, scripts: Vec::new(), schemas: Vec::new(), tag: None, refusal: None }
    }

    pub(crate) fn push(&mut self, cmd: Cmd, script: Option<&'static Script>) {
        if self.len == 0 || self.style != Style::Transaction && self.len.is_multiple_of(PIECE) {
            self.pieces.push(Pipeline::new());
        }
        let cmd = match script {
            Some(script) => self.with_script(cmd, script),
            None => cmd,
        };
        if let Some(piece) = self.pieces.last_mut() {
            piece.add_command(cmd);
        }
        self.len += 1;
    }

    fn with_script(&mut self, cmd: Cmd, script: &'static Script) -> Cmd {
        let piece = self.pieces.len();
        let known = self.scripts.iter_mut().find(|(known, _)| known.sha1 == script.sha1);
        let first = if let Some((_, last)) = known {
            mem::replace(last, piece) != piece
        } else {
            self.scripts.push((script, piece));
            true
        };
        match self.style {
            Style::Pieces if first => as_eval(script, &cmd),
            Style::Pieces | Style::Alone => cmd,
            Style::Transaction => as_eval(script, &cmd),
        }
    }

    /// Says whose commands those from one on are. In a transaction their keys have to be in one slot.
    pub(crate) fn belongs(&mut self, schema: &'static Schema, first: usize) {
        if self.style != Style::Transaction || self.refusal.is_some() {
            return;
        }
        self.schemas.push((first, schema));
        match self.shared_tag(first) {
            Ok(tag) => self.tag = tag,
            Err(key) => self.refusal = Some(Error::refused(schema, key, Cause::OtherSlot)),
        }
    }

    /// The hash tag of all keys, or the first key from a command on that has another.
    fn shared_tag(&self, first: usize) -> Result<Option<Box<[u8]>>, Option<Box<str>>> {
        let mut tag = self.tag.as_deref();
        for key in self.commands().skip(first).flat_map(keys_of) {
            let own = hash_tag(key);
            if *tag.get_or_insert(own) != own {
                return Err(str::from_utf8(key).ok().map(Into::into));
            }
        }
        Ok(tag.map(Into::into))
    }

    /// The refusal of a whole transaction, unless there is nothing to be refused.
    pub(crate) fn refused(&self, cause: Cause) -> Option<Error> {
        let (_, schema) = self.schemas.first()?;
        let key = self.command(0).and_then(|cmd| key_of(cmd, 0));
        Some(Error::refused(schema, key, cause))
    }

    /// What is to be told of a command of a transaction that failed.
    pub(crate) fn failure(&self, index: usize, error: RedisError) -> Option<Error> {
        let (_, schema) = self.schemas.iter().rev().find(|(first, _)| *first <= index)?;
        let commands = self.command(index).map(Commands::One)?;
        Some(into_error(error, &Sent { schema, script: None, commands }, 0, None, false))
    }

    pub(crate) fn extend(&mut self, cmds: impl IntoIterator<Item = Cmd>) {
        cmds.into_iter().for_each(|cmd| self.push(cmd, None));
    }

    /// Takes note of a command that was refused while it was built.
    pub(crate) fn refuse(&mut self, error: &Error) {
        self.refusal.get_or_insert_with(|| error.clone());
    }

    pub(crate) fn refusal(&self) -> Option<&Error> {
        self.refusal.as_ref()
    }

    /// All commands.
    pub(crate) fn commands(&self) -> impl Iterator<Item = &Cmd> {
        self.pieces.iter().flat_map(Pipeline::cmd_iter)
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn pieces(&self) -> &[Pipeline] {
        &self.pieces
    }

    /// The command of that number.
    pub(crate) fn command(&self, index: usize) -> Option<&Cmd> {
        if self.style == Style::Transaction {
            return self.pieces.first()?.cmd_iter().nth(index);
        }
        self.pieces.get(index / PIECE)?.cmd_iter().nth(index % PIECE)
    }

    /// The same call with the script's text, where a command calls one by its SHA-1.
    pub(crate) fn second_attempt(&self, index: usize) -> Option<Cmd> {
        let cmd = self.command(index)?;
        let sha1 = words(cmd).nth(1)?;
        let (script, _) = self.scripts.iter().find(|(script, _)| script.sha1.as_bytes() == sha1)?;
        Some(as_eval(script, cmd))
    }
}

/// The same call with the script's text, when all that is wrong is that the server does not know the script yet.
pub(crate) fn second_attempt(round: &Round, index: usize, reply: &RedisResult<Value>) -> Option<Cmd> {
    let unknown = match reply {
        Ok(Value::ServerError(error)) => error.kind() == Some(ServerErrorKind::NoScript),
        Ok(_) => false,
        Err(error) => error::is_no_script(error),
    };
    if unknown { round.second_attempt(index) } else { None }
}

//! The redis commands of one round trip.
//!
//! A [`Submission`] holds the redis commands of a batch in their order, as pipelines of [`CHUNK`] commands each. Its
//! [`Mode`] says how they are sent, and so which of them carry the text of their scripts.

use std::mem;

use redis::{Cmd, Pipeline};
use redis_keys_core::slot::hash_tag;

use super::table::{as_eval, key_of, keys_of, sharded, words};
use crate::Error;
use crate::accessor::Accessor;
use crate::error::Cause;
use crate::lua::{self, Script};
use crate::observe::command::{OpenCalls, rejected};
use crate::schema::Schema;

/// The most commands in one pipeline: a longer one holds up other clients and is no faster.
pub(crate) const CHUNK: usize = 50;

/// Redis commands in their order, in chunks that are full except for the last one.
pub struct Submission {
    chunks: Vec<Pipeline>,
    len: usize,
    mode: Mode,
    /// The scripts that the commands call, each with the number of the last chunk that calls it.
    scripts: Vec<(&'static Script, usize)>,
    /// The declarations of a transaction's commands, each with the number of its first command.
    schemas: Vec<(usize, &'static Schema)>,
    /// The hash tag that the keys of a transaction share.
    tag: Option<Box<[u8]>>,
    /// Whether the keys of a transaction may have several: it becomes a script.
    pub(crate) any_hash_tag: bool,
    /// The commands of a script whose failure keeps others behind them from running, with the number of these.
    pub(crate) guards: Vec<(usize, usize)>,
    /// The first error of a command that was rejected while it was built.
    refusal: Option<Error>,
    /// The number of calls that its commands belong to.
    pub(crate) calls: usize,
    /// The calls whose replies have not come.
    pub(crate) open_calls: OpenCalls,
}

/// The way in which the commands of a submission are sent.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Chunk by chunk. A command of a pipeline cannot be retried without overtaking others, so each chunk carries the
    /// text of the scripts that it calls.
    Pipelined,
    /// One command at a time, again with the text of its script if the server does not know that.
    Individual,
    /// As one transaction. An unknown script would let the other commands run, so each call carries the text.
    Transaction,
}

/// The number of keys of a command that need the hash tag of its transaction. The other name of a key that is taken over
/// can have another one: a single server does not mind, and a cluster rejects it.
fn tagged_keys(cmd: &Cmd) -> usize {
    if words(cmd).nth(1) == Some(lua::TAKE_OVER.text.as_bytes()) { 1 } else { usize::MAX }
}

impl Submission {
    pub(crate) fn new(mode: Mode) -> Self {
        Self {
            chunks: Vec::new(),
            len: 0,
            mode,
            scripts: Vec::new(),
            schemas: Vec::new(),
            tag: None,
            any_hash_tag: false,
            guards: Vec::new(),
            refusal: None,
            calls: 0,
            open_calls: OpenCalls::default(),
        }
    }

    pub(crate) fn of(mode: Mode, cmds: impl IntoIterator<Item = Cmd>) -> Self {
        let mut submission = Self::new(mode);
        submission.extend(cmds);
        submission
    }

    pub(crate) fn push(&mut self, cmd: Cmd, script: Option<&'static Script>) {
        if self.len == 0 || self.mode != Mode::Transaction && self.len.is_multiple_of(CHUNK) {
            self.chunks.push(Pipeline::new());
        }
        let cmd = match script {
            Some(script) => self.with_script(cmd, script),
            // Of commands to a server alone, only those that were not sent yet are individual, and none is PUBLISH.
            None if self.mode == Mode::Individual => sharded(&cmd).unwrap_or(cmd),
            None => cmd,
        };
        if let Some(chunk) = self.chunks.last_mut() {
            chunk.add_command(cmd);
        }
        self.len = self.len.saturating_add(1);
    }

    pub(crate) fn extend(&mut self, cmds: impl IntoIterator<Item = Cmd>) {
        cmds.into_iter().for_each(|cmd| self.push(cmd, None));
    }

    fn with_script(&mut self, cmd: Cmd, script: &'static Script) -> Cmd {
        let chunk = self.chunks.len();
        let known = self.scripts.iter_mut().find(|(known, _)| known.sha1 == script.sha1);
        let is_first_of_chunk = if let Some((_, last)) = known {
            mem::replace(last, chunk) != chunk
        } else {
            self.scripts.push((script, chunk));
            true
        };
        match self.mode {
            Mode::Pipelined if is_first_of_chunk => as_eval(script, &cmd),
            Mode::Pipelined | Mode::Individual => cmd,
            Mode::Transaction => as_eval(script, &cmd),
        }
    }

    /// Assigns the commands from `first` on to a call of a declaration. The keys of a transaction have to share a hash
    /// tag.
    pub(crate) fn assign(&mut self, schema: &'static Schema, accessor: Accessor, first: usize) {
        self.calls = self.calls.saturating_add(1);
        self.open_calls.push(accessor, schema);
        if self.mode != Mode::Transaction || self.refusal.is_some() {
            return;
        }
        self.schemas.push((first, schema));
        if self.any_hash_tag {
            return;
        }
        match self.shared_tag(first) {
            Ok(tag) => self.tag = tag,
            Err(key) => {
                let mut error = Error::refused(schema, key, Cause::OtherSlot);
                error.name(accessor);
                rejected(&error);
                self.refusal = Some(error);
            }
        }
    }

    /// The hash tag of all keys, or the first key of the commands from `first` on that has another one.
    fn shared_tag(&self, first: usize) -> Result<Option<Box<[u8]>>, Option<Box<str>>> {
        let mut tag = self.tag.as_deref();
        for key in self.commands().skip(first).flat_map(|cmd| keys_of(cmd).take(tagged_keys(cmd))) {
            let own = hash_tag(key);
            if *tag.get_or_insert(own) != own {
                return Err(str::from_utf8(key).ok().map(Into::into));
            }
        }
        Ok(tag.map(Into::into))
    }

    /// The declaration of a transaction's command.
    pub(crate) fn schema(&self, index: usize) -> Option<&'static Schema> {
        self.schemas.iter().rev().find(|(first, _)| *first <= index).map(|(_, schema)| *schema)
    }

    /// An error that rejects a whole transaction, unless it is empty.
    pub(crate) fn refused(&self, cause: Cause) -> Option<Error> {
        let key = self.command(0).and_then(|cmd| key_of(cmd, 0));
        Some(Error::refused(self.schema(0)?, key, cause))
    }

    /// Records the error of a command that was rejected while it was built.
    pub(crate) fn refuse(&mut self, error: &Error) {
        self.refusal.get_or_insert_with(|| error.clone());
    }

    pub(crate) fn refusal(&self) -> Option<&Error> {
        self.refusal.as_ref()
    }

    pub(crate) fn mode(&self) -> Mode {
        self.mode
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// All commands.
    pub(crate) fn commands(&self) -> impl Iterator<Item = &Cmd> {
        self.chunks.iter().flat_map(Pipeline::cmd_iter)
    }

    /// The chunk that contains a command.
    pub(crate) fn chunk_of(&self, index: usize) -> Option<&Pipeline> {
        self.chunks.get(if self.mode == Mode::Transaction { 0 } else { index / CHUNK })
    }

    pub(crate) fn command(&self, index: usize) -> Option<&Cmd> {
        let index_in_chunk = if self.mode == Mode::Transaction { index } else { index % CHUNK };
        self.chunk_of(index)?.cmd_iter().nth(index_in_chunk)
    }

    /// The command with its script's text, if it calls a script by its SHA-1.
    pub(crate) fn with_script_text(&self, index: usize) -> Option<Cmd> {
        let cmd = self.command(index)?;
        let sha1 = words(cmd).nth(1)?;
        let (script, _) = self.scripts.iter().find(|(script, _)| script.sha1.as_bytes() == sha1)?;
        Some(as_eval(script, cmd))
    }
}

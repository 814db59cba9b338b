//! The redis commands of a round trip.
//!
//! A [`Submission`] holds a batch's redis commands in their order, as pipelines of [`CHUNK`] commands each. Its
//! [`Mode`] determines how they are sent, and which of them carry their script's text.

use std::mem;

use redis::{Cmd, Pipeline};
use redis_keys_core::slot::hash_tag;

use super::table::{as_eval, key_of, keys_of, sharded, words};
use crate::Error;
use crate::accessor::Accessor;
use crate::error::Cause;
use crate::lua::{self, Script};
use crate::observe::command::{OpenCalls, rejected};
use crate::redis_rs::{SentCommand, Words, sent_commands};
use crate::schema::Schema;

/// The maximum number of commands in a pipeline: a longer pipeline holds up other clients and is no faster.
pub(crate) const CHUNK: usize = 50;

/// Redis commands in their order, in chunks that are full except for the last.
pub struct Submission {
    commands: Commands,
    len: usize,
    mode: Mode,
    /// The scripts that the commands call, each with the index of the last chunk that calls it.
    scripts: Vec<(&'static Script, usize)>,
    /// The declarations of a transaction's commands, each with the index of its first command.
    schemas: Vec<(usize, &'static Schema)>,
    /// The hash tag that the keys of a transaction share.
    tag: Option<Box<[u8]>>,
    /// Whether the keys of a transaction may have several hash tags, because it becomes a script.
    pub(crate) any_hash_tag: bool,
    /// The scripts whose failure keeps the commands after them from running, with the number of those commands.
    pub(crate) guards: Vec<(usize, usize)>,
    /// The first error of a command that was rejected while it was built.
    refusal: Option<Error>,
    /// The number of calls to which the commands belong.
    pub(crate) calls: usize,
    /// The calls without a reply so far.
    pub(crate) open_calls: OpenCalls,
}

/// The commands of a submission, by the way in which they are sent.
enum Commands {
    Alone(Vec<Cmd>),
    InChunks(Vec<Pipeline>),
}

/// The way in which the commands of a submission are sent.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Chunk by chunk. A pipeline's command cannot be retried without overtaking others, so each chunk carries the text
    /// of the scripts that it calls.
    Pipelined,
    /// One command at a time. If the server does not know its script, the command is sent again with the script's text.
    Individual,
    /// As a transaction. Other commands would run despite an unknown script, so each call carries the text.
    Transaction,
}

/// The number of a command's keys that need the hash tag of its transaction. The other name of a key that is taken over
/// may have another tag: a single server accepts it, and a cluster rejects it.
fn tagged_keys<'c>(cmd: impl Words<'c>) -> usize {
    if words(cmd).nth(1) == Some(lua::TAKE_OVER.text.as_bytes()) { 1 } else { usize::MAX }
}

impl Submission {
    pub(crate) fn new(mode: Mode) -> Self {
        Self {
            commands: if mode == Mode::Individual {
                Commands::Alone(Vec::new())
            } else {
                Commands::InChunks(Vec::new())
            },
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
        let begins_chunk = self.len == 0 || self.mode != Mode::Transaction && self.len.is_multiple_of(CHUNK);
        if let Commands::InChunks(chunks) = &mut self.commands
            && begins_chunk
        {
            chunks.push(Pipeline::new());
        }
        let cmd = match script {
            Some(script) => self.with_script(cmd, script),
            // On a single server, only commands that were never sent run individually, and none of them is PUBLISH.
            None if self.mode == Mode::Individual => sharded(&cmd).unwrap_or(cmd),
            None => cmd,
        };
        match &mut self.commands {
            Commands::Alone(cmds) => cmds.push(cmd),
            Commands::InChunks(chunks) => {
                if let Some(chunk) = chunks.last_mut() {
                    chunk.add_command(cmd);
                }
            }
        }
        self.len = self.len.saturating_add(1);
    }

    pub(crate) fn extend(&mut self, cmds: impl IntoIterator<Item = Cmd>) {
        cmds.into_iter().for_each(|cmd| self.push(cmd, None));
    }

    fn with_script(&mut self, cmd: Cmd, script: &'static Script) -> Cmd {
        let chunk = if let Commands::InChunks(chunks) = &self.commands { chunks.len() } else { 0 };
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

    /// Assigns the commands from `first` on to a call of a declaration.
    ///
    /// The keys of a transaction must share a hash tag.
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

    /// Returns the hash tag of all keys, or the first key with another tag among the commands from `first` on.
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

    /// Returns the declaration of a transaction's command.
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
    pub(crate) fn commands(&self) -> impl Iterator<Item = SentCommand<'_>> {
        let (alone, chunks): (&[_], &[_]) = match &self.commands {
            Commands::Alone(cmds) => (cmds, &[]),
            Commands::InChunks(chunks) => (&[], chunks),
        };
        alone.iter().map(SentCommand::Alone).chain(chunks.iter().flat_map(sent_commands))
    }

    /// The commands, if they are sent by themselves.
    #[cfg(feature = "cluster")]
    pub(crate) fn alone(&self) -> &[Cmd] {
        if let Commands::Alone(cmds) = &self.commands { cmds } else { &[] }
    }

    /// The chunk that contains a command, if it is sent in one.
    pub(crate) fn chunk_of(&self, index: usize) -> Option<&Pipeline> {
        let Commands::InChunks(chunks) = &self.commands else { return None };
        chunks.get(if self.mode == Mode::Transaction { 0 } else { index / CHUNK })
    }

    pub(crate) fn command(&self, index: usize) -> Option<SentCommand<'_>> {
        if let Commands::Alone(cmds) = &self.commands {
            return cmds.get(index).map(SentCommand::Alone);
        }
        let index_in_chunk = if self.mode == Mode::Transaction { index } else { index % CHUNK };
        let chunk = self.chunk_of(index).filter(|chunk| index_in_chunk < chunk.len())?;
        Some(SentCommand::InPipeline(chunk, index_in_chunk))
    }

    /// Returns the command with its script's text, if it calls a script by its SHA-1.
    pub(crate) fn with_script_text(&self, index: usize) -> Option<Cmd> {
        let cmd = self.command(index)?;
        let sha1 = words(cmd).nth(1)?;
        let (script, _) = self.scripts.iter().find(|(script, _)| script.sha1.as_bytes() == sha1)?;
        Some(as_eval(script, cmd))
    }
}

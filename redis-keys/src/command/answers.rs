//! The server's answers to a round.

use std::mem;

use redis::{Cmd, Pipeline, RedisError, RedisResult, Value};

use super::{
    Replies, begin,
    failure::{NEVER_SURE, Unsent},
    round::{Round, Style},
    sent::key_of,
};
use crate::error;

/// A reply, which can be an error of the server, or why there is none.
pub(crate) type Answer = Result<Value, Box<Lost>>;

/// A command without a reply.
pub(crate) struct Lost {
    pub(crate) error: RedisError,
    /// Whether it did not even go out.
    pub(crate) unsent: bool,
}

/// What a round was answered, read from the first command to the last.
pub struct Answers<'r> {
    pub(crate) round: &'r Round,
    read: Vec<Answer>,
    /// The types of keys that hold another one than expected, by the number of the command, in their order.
    types: Vec<(usize, &'static str)>,
    /// The command that is read next.
    pub(crate) at: usize,
    /// What is to be sent because of what was read.
    pub(crate) following: Vec<Cmd>,
}

impl<'r> Answers<'r> {
    pub(crate) fn new(round: &'r Round, answers: Vec<Answer>) -> Self {
        Self { round, read: answers, types: Vec::new(), at: 0, following: Vec::new() }
    }

    /// The next so many replies, or the number of the first command that has none and why.
    pub(crate) fn next(&mut self, len: usize) -> Result<Replies, (usize, Box<Lost>)> {
        let first = self.at;
        self.at += len;
        if len == 1 {
            return self.take(first).map(Replies::One).map_err(|lost| (0, lost));
        }
        let replies = (0..len).map(|number| self.take(first + number).map_err(|lost| (number, lost)));
        replies.collect::<Result<_, _>>().map(Replies::Many)
    }

    fn take(&mut self, index: usize) -> Answer {
        let missing = || lost(wrong_number(), NEVER_SURE);
        match self.read.get_mut(index).map_or_else(missing, |answer| mem::replace(answer, Ok(Value::Nil))) {
            Ok(Value::ServerError(error)) => lost(error.into(), NEVER_SURE),
            answer => answer,
        }
    }

    /// The type that the server named for the key of a command.
    pub(crate) fn type_of(&self, command: usize) -> Option<&'static str> {
        let at = self.types.binary_search_by_key(&command, |(of, _)| *of).ok()?;
        self.types.get(at).map(|(_, name)| *name)
    }

    /// The commands that found another type than theirs.
    pub(crate) fn puzzles(&self) -> Vec<usize> {
        let wrong = |answer: &Answer| match answer {
            Ok(Value::ServerError(error)) => error.code() == "WRONGTYPE",
            Ok(_) => false,
            Err(lost) => error::is_wrong_type(&lost.error),
        };
        self.read.iter().enumerate().filter(|(_, answer)| wrong(answer)).map(|(index, _)| index).collect()
    }

    /// Takes note of the types that their keys have.
    pub(crate) fn solve(&mut self, puzzles: &[usize], answers: Vec<Answer>) {
        let names = puzzles.iter().zip(answers);
        self.types = names.filter_map(|(command, answer)| Some((*command, redis_type(answer.ok()?)?))).collect();
    }
}

/// Redis's types, as TYPE names them.
const TYPES: [&str; 7] = ["string", "hash", "list", "set", "zset", "stream", NO_KEY];

/// What TYPE says where there is no key.
pub(crate) const NO_KEY: &str = "none";

/// What TYPE answered. By then the key may be gone, and modules have types of their own.
pub(crate) fn redis_type(answer: Value) -> Option<&'static str> {
    let Value::SimpleString(name) = answer else { return None };
    TYPES.into_iter().find(|known| *known == name)
}

/// A command that failed.
pub(crate) fn lost(error: RedisError, unsent: Unsent) -> Answer {
    Err(Box::new(Lost { unsent: unsent(&error), error }))
}

/// A command that was not sent, since one before it on its way got no answer.
#[cfg(feature = "cluster-async")]
pub(crate) fn unsent() -> Answer {
    let error = (redis::ErrorKind::Client, "a command before it got no answer").into();
    Err(Box::new(Lost { error, unsent: true }))
}

/// The questions which types the keys of these commands have.
pub(crate) fn questions(round: &Round, commands: &[usize], style: Style) -> Round {
    let mut questions = Round::new(style);
    questions.extend(commands.iter().filter_map(|command| question(round.command(*command)?)));
    questions
}

/// The question which type a command's key has.
pub(crate) fn question(cmd: &Cmd) -> Option<Cmd> {
    Some(begin("TYPE", key_of(cmd, 0)?.as_bytes(), 0, 0))
}

/// The answers to one piece. Answers false where the connection failed.
pub(crate) fn add_piece(
    answers: &mut Vec<Answer>,
    piece: &Pipeline,
    replies: RedisResult<Vec<Value>>,
    unsent: Unsent,
) -> bool {
    match replies {
        Ok(replies) if replies.len() == piece.len() => {
            answers.extend(replies.into_iter().map(Ok));
            true
        }
        Ok(_) => add_failure(answers, piece.len(), &wrong_number(), NEVER_SURE),
        Err(error) => add_failure(answers, piece.len(), &error, unsent),
    }
}

fn add_failure(answers: &mut Vec<Answer>, len: usize, error: &RedisError, unsent: Unsent) -> bool {
    answers.extend((0..len).map(|_| lost(error.clone(), unsent)));
    false
}

/// Says of all commands that are still to go that they do not, since the connection failed before.
pub(crate) fn add_unsent(answers: &mut Vec<Answer>, round: &Round) {
    let error = answers.iter().rev().find_map(|answer| answer.as_ref().err().map(|lost| lost.error.clone()));
    let error = error.unwrap_or_else(wrong_number);
    let missing = round.len().saturating_sub(answers.len());
    answers.extend((0..missing).map(|_| Err(Box::new(Lost { error: error.clone(), unsent: true }))));
}

fn wrong_number() -> RedisError {
    (redis::ErrorKind::UnexpectedReturnType, "another number of replies than of commands").into()
}

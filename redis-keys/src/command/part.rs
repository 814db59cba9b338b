//! A command as a part of a round.

use super::{
    Command, State,
    answers::Answers,
    failure::into_error,
    reply::Step,
    request::{Cmds, Reading, Request},
    round::Round,
    sent::{Commands, Sent},
};
use crate::{Error, lua::Script, schema::Schema};

/// What is left of a command when its redis commands are in a round.
pub struct Part<T> {
    state: PartState<T>,
}

enum PartState<T> {
    Ready(T),
    Refused(Error),
    Sent { schema: &'static Schema, script: Option<&'static Script>, len: usize, reading: Reading<T> },
}

impl<T> Part<T> {
    /// Moves a command's redis commands into a round.
    pub(crate) fn new(command: Command<T>, round: &mut Round) -> Self {
        let state = match command.state {
            State::Ready(value) => PartState::Ready(value),
            State::Refused(error) => {
                round.refuse(&error);
                PartState::Refused(error)
            }
            State::Request(Request { schema, script, cmds, reading }) => {
                let before = round.len();
                match cmds {
                    Cmds::One(cmd) => round.push(cmd, script),
                    Cmds::Many(cmds) => round.extend(cmds),
                }
                round.belongs(schema, before);
                PartState::Sent { schema, script, len: round.len() - before, reading }
            }
        };
        Self { state }
    }

    /// The result, read from the next of a round's answers.
    pub(crate) fn result(self, answers: &mut Answers<'_>) -> Result<T, Error> {
        let (schema, script, len, reading) = match self.state {
            PartState::Ready(value) => return Ok(value),
            PartState::Refused(error) => return Err(error),
            PartState::Sent { schema, script, len, reading } => (schema, script, len, reading),
        };
        let first = answers.at;
        let sent = Sent { schema, script, commands: Commands::Part { round: answers.round, first, len } };
        let replies = answers.next(len).map_err(|(command, lost)| {
            let found = answers.type_of(first + command);
            into_error(lost.error, &sent, command, found, lost.unsent)
        })?;
        match reading.read(replies, &sent) {
            Ok(Step::Done(result)) => Ok(result),
            Ok(Step::Then(then)) => {
                let (result, cmds) = *then;
                answers.following.extend(cmds);
                Ok(result)
            }
            Err(fault) => Err(fault.into_error(&sent)),
        }
    }
}

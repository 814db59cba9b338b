//! Takes a key over and runs other commands in a single step: a script that runs the commands.
//!
//! It is a script and not a transaction, because a script is a single command: a batch can send it with others, it
//! follows its slot on a cluster, and it stops if the key cannot be taken over. Within an atomic group, the commands
//! become commands of the group; within another such script, they become commands of that script.

use redis::{Cmd, RedisWrite as _, Value, parse_redis_value};

use super::TakenOver;
use crate::command::context::NoReply;
use crate::command::responses::{NEVER_PROVEN, Response, never_sent, no_reply, wrong_number};
use crate::command::submission::Mode;
use crate::command::table::{keys_of, words};
use crate::command::{Batch, Pending, Responses, Submission};
use crate::{Command, Error, lua};

/// The reason why a command did not run.
const NOT_TAKEN_OVER: &str = "the key could not be taken over";

/// A command that takes a key over, and the commands after it.
///
/// See [`RedisKey::take_over_and`](crate::RedisKey::take_over_and).
#[derive(Debug)]
pub struct TakeOverAnd<B> {
    take_over: Command<TakenOver>,
    commands: B,
}

impl<B> TakeOverAnd<B> {
    pub(crate) fn new(take_over: Command<TakenOver>, commands: B) -> Self {
        Self { take_over, commands }
    }
}

/// A [`TakeOverAnd`] that waits for its response.
pub struct TakeOverPlan<P> {
    take_over: Pending<TakenOver>,
    commands: P,
    /// The calls of the script; `None` in an atomic group, and in another key's script.
    script: Option<Calls>,
}

/// The calls of a script.
struct Calls {
    submission: Submission,
    /// Whether all calls were accepted while they were built.
    is_sent: bool,
}

impl<B: Batch> Batch for TakeOverAnd<B> {
    type Output = (TakenOver, B::Output);
    type Each = (Result<TakenOver, Error>, B::Each);
    type Plan = TakeOverPlan<B::Plan>;

    fn plan(self, submission: &mut Submission) -> Self::Plan {
        let Self { take_over, commands } = self;
        if submission.mode() == Mode::Transaction {
            let first = submission.len();
            let (take_over, commands) = (take_over.plan(submission), commands.plan(submission));
            submission.guards.push((first, submission.len().saturating_sub(first.saturating_add(1))));
            return TakeOverPlan { take_over, commands, script: None };
        }
        let mut calls = Submission::new(Mode::Transaction);
        calls.any_hash_tag = true;
        let (take_over, commands) = (take_over.plan(&mut calls), commands.plan(&mut calls));
        let refusal = calls.refusal();
        let is_sent = refusal.is_none();
        if let Some(error) = refusal {
            submission.refuse(error);
        } else {
            submission.push(script(&calls), None);
            submission.calls = submission.calls.saturating_add(calls.calls);
            submission.open_calls.append(&mut calls.open_calls);
        }
        TakeOverPlan { take_over, commands, script: Some(Calls { submission: calls, is_sent }) }
    }

    fn output(plan: Self::Plan, responses: &mut Responses<'_>) -> Result<Self::Output, Error> {
        plan.read(responses, |take_over, commands, responses| {
            let (taken, output) = (take_over.read(responses), B::output(commands, responses));
            Ok((taken?, output?))
        })
    }

    fn each(plan: Self::Plan, responses: &mut Responses<'_>) -> Self::Each {
        plan.read(responses, |take_over, commands, responses| (take_over.read(responses), B::each(commands, responses)))
    }
}

impl<P> TakeOverPlan<P> {
    /// Reads the results from the next response, or in an atomic group from several responses.
    fn read<R>(
        self,
        responses: &mut Responses<'_>,
        read: impl FnOnce(Pending<TakenOver>, P, &mut Responses<'_>) -> R,
    ) -> R {
        let Self { take_over, commands, script } = self;
        let Some(Calls { submission, is_sent }) = script else { return read(take_over, commands, responses) };
        let found = if is_sent { responses.next_response() } else { unsent("another command of it was rejected") };
        let mut own = Responses::new(&submission, found_by_calls(found, submission.len()), Vec::new());
        let result = read(take_over, commands, &mut own);
        responses.follow_ups.append(&mut own.follow_ups);
        result
    }
}

/// Returns the EVAL of the script that makes these calls.
fn script(calls: &Submission) -> Cmd {
    let mut scripts: Vec<&[u8]> = Vec::new();
    let mut arguments: Vec<Vec<u8>> = Vec::new();
    for (number, cmd) in calls.commands().enumerate() {
        let behind = calls.guards.iter().find(|(guard, _)| *guard == number).map_or(0, |(_, behind)| *behind);
        let all: Vec<_> = words(cmd).collect();
        let keys = keys_of(cmd).count();
        let (index, rest) = match all.as_slice() {
            [b"EVAL", text, _, rest @ ..] => {
                let index = scripts.iter().position(|known| known == text).unwrap_or(scripts.len());
                if index == scripts.len() {
                    scripts.push(text);
                }
                (index.saturating_add(1), rest.get(keys..).unwrap_or_default())
            }
            all => (0, all),
        };
        arguments.extend([index, behind, keys, rest.len()].map(|number| number.to_string().into_bytes()));
        arguments.extend(rest.iter().map(|word| word.to_vec()));
    }
    let functions =
        scripts.iter().map(|text| format!("function(KEYS, ARGV)\n{}\nend,\n", String::from_utf8_lossy(text)));
    let text = lua::TAKE_OVER_AND.text.replacen("{}", &format!("{{\n{}}}", functions.collect::<String>()), 1);
    let keys: Vec<_> = calls.commands().flat_map(keys_of).collect();
    let mut cmd = redis::cmd("EVAL");
    cmd.write_arg(text.as_bytes());
    cmd.write_arg(keys.len().to_string().as_bytes());
    for key in &keys {
        cmd.write_arg(key);
    }
    for argument in &arguments {
        cmd.write_arg(argument);
    }
    cmd
}

/// Returns the responses to the calls of a script.
fn found_by_calls(response: Response, calls: usize) -> Vec<Response> {
    let failure = match response {
        Ok(Value::Array(replies)) if replies.len() == calls => return replies.into_iter().map(found_by_call).collect(),
        Ok(_) => NoReply { error: wrong_number(), never_sent: false },
        Err(failure) => *failure,
    };
    let others = match failure.error.code() {
        // The script has stopped at the first call, or was not run.
        Some(_) => (redis::ErrorKind::Client, NOT_TAKEN_OVER).into(),
        None => failure.error.clone(),
    };
    let never_sent = failure.never_sent || failure.error.code().is_some();
    let others = (1..calls).map(|_| Err(Box::new(NoReply { error: others.clone(), never_sent }))).collect::<Vec<_>>();
    [Err(Box::new(failure))].into_iter().chain(others).collect()
}

/// Returns the response to a call: its reply, or the error that follows a nil.
fn found_by_call(reply: Value) -> Response {
    let Value::Array(mut words) = reply else { return no_reply(wrong_number(), NEVER_PROVEN) };
    match (words.pop(), words.is_empty()) {
        (Some(reply), true) => Ok(reply),
        (Some(Value::Nil), false) => unsent(NOT_TAKEN_OVER),
        (Some(Value::BulkString(error)), false) => {
            let line = String::from_utf8_lossy(&error).replace(['\r', '\n'], " ");
            parse_redis_value(format!("-{line}\r\n").as_bytes()).map_or_else(|error| no_reply(error, NEVER_PROVEN), Ok)
        }
        _ => no_reply(wrong_number(), NEVER_PROVEN),
    }
}

fn unsent(why: &'static str) -> Response {
    never_sent((redis::ErrorKind::Client, why).into())
}

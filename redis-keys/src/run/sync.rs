//! Commands on synchronous connections.

use redis::{Cmd, ConnectionLike, RedisError, Value};

use crate::{
    Error,
    command::{
        Replies, Sent, Step,
        answers::{Answer, Answers, add_piece, add_unsent, lost, question, questions, redis_type},
        batch::Batch,
        failure::{NEVER_SURE, Unsent, answer, into_error, is_answer, is_unconnected},
        request::Reading,
        round::{Round, Style, second_attempt},
        sent::as_eval,
    },
    error,
};

/// Runs a command that is one redis command.
#[inline]
pub(crate) fn run<C, T>(con: &mut C, cmd: &Cmd, sent: &Sent<'_>, reading: Reading<T>) -> Result<T, Error>
where
    C: ConnectionLike + ?Sized,
{
    let reply = match answer(con.req_command(cmd)) {
        Ok(reply) => reply,
        Err(error) => recover(con, cmd, sent, error)?,
    };
    match reading.read(Replies::One(reply), sent) {
        Ok(Step::Done(result)) => Ok(result),
        Ok(Step::Then(then)) => {
            let (result, cmds) = *then;
            follow(con, cmds);
            Ok(result)
        }
        Err(fault) => Err(fault.into_error(sent)),
    }
}

#[cold]
fn recover<C>(con: &mut C, cmd: &Cmd, sent: &Sent<'_>, mut error: RedisError) -> Result<Value, Error>
where
    C: ConnectionLike + ?Sized,
{
    if let Some(script) = sent.script.filter(|_| error::is_no_script(&error)) {
        match answer(con.req_command(&as_eval(script, cmd))) {
            Ok(reply) => return Ok(reply),
            Err(second) => error = second,
        }
    }
    let question = if error::is_wrong_type(&error) { question(cmd) } else { None };
    let found = question.and_then(|question| con.req_command(&question).ok()).and_then(redis_type);
    let unsent = unsent(con)(&error);
    Err(into_error(error, sent, 0, found, unsent))
}

/// A cluster's connection, which takes no pipelines, tries more than once.
pub(crate) fn unsent<C: ConnectionLike + ?Sized>(con: &C) -> Unsent {
    if con.supports_pipelining() { is_unconnected } else { NEVER_SURE }
}

/// Runs a batch. `refused` gives the result where a refused command holds back all others, `read` makes it of what the server
/// answers.
pub(crate) fn run_batch<C, B, R>(
    con: &mut C,
    batch: B,
    refused: fn(&Error) -> Option<R>,
    read: fn(B::Plan, &mut Answers<'_>) -> R,
) -> R
where
    C: ConnectionLike + ?Sized,
    B: Batch,
{
    let mut round = Round::new(style(con));
    let plan = batch.plan(&mut round);
    if let Some(result) = round.refusal().and_then(refused) {
        return result;
    }
    let mut answers = Answers::new(&round, exchange(con, &round));
    let puzzles = answers.puzzles();
    if !puzzles.is_empty() {
        answers.solve(&puzzles, exchange(con, &questions(&round, &puzzles, style(con))));
    }
    let result = read(plan, &mut answers);
    follow(con, answers.following);
    result
}

/// Sends what is to be done because of what was read. Should that fail, it takes nothing from what was read.
pub(crate) fn follow<C: ConnectionLike + ?Sized>(con: &mut C, cmds: Vec<Cmd>) {
    let mut round = Round::new(style(con));
    round.extend(cmds);
    exchange(con, &round);
}

fn style<C: ConnectionLike + ?Sized>(con: &C) -> Style {
    if con.supports_pipelining() { Style::Pieces } else { Style::Alone }
}

/// Sends a round and gives the answers. Once the connection has failed, nothing further is sent.
fn exchange<C: ConnectionLike + ?Sized>(con: &mut C, round: &Round) -> Vec<Answer> {
    let mut answers = Vec::with_capacity(round.len());
    if !con.supports_pipelining() || round.len() == 1 {
        one_by_one(con, round, &mut answers);
    } else {
        for piece in round.pieces() {
            let replies = con.req_packed_commands(&piece.get_packed_pipeline(), 0, piece.len());
            if !add_piece(&mut answers, piece, replies, unsent(con)) {
                break;
            }
        }
    }
    add_unsent(&mut answers, round);
    answers
}

fn one_by_one<C: ConnectionLike + ?Sized>(con: &mut C, round: &Round, answers: &mut Vec<Answer>) {
    for (index, cmd) in round.commands().enumerate() {
        let mut reply = con.req_command(cmd);
        if let Some(eval) = second_attempt(round, index, &reply) {
            reply = con.req_command(&eval);
        }
        let goes_on = is_answer(&reply);
        answers.push(reply.map_or_else(|error| lost(error, unsent(con)), Ok));
        if !goes_on {
            break;
        }
    }
}

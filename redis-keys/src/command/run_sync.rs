//! Commands on synchronous connections.

use redis::{ConnectionLike, Pipeline, RedisResult, Value};

use super::{
    Replies, Request, Sent, Step,
    failure::{Failure, add_answers, add_piece, answer, is_answer, renewed},
    sent::Commands,
};
use crate::Error;

#[inline]
pub(super) fn run<C: ConnectionLike + ?Sized, T>(con: &mut C, request: &Request<T>) -> Result<T, Error> {
    let Request { sent, decode } = request;
    let replies = exchange(con, sent)?;
    match decode(replies, sent) {
        Ok(Step::Done(result)) => Ok(result),
        Ok(Step::Then(then)) => {
            let (result, cmds) = *then;
            renewed(result, exchange(con, &Sent::many(sent.schema, cmds)))
        }
        Err(fault) => Err(fault.into_error(sent)),
    }
}

fn exchange<C: ConnectionLike + ?Sized>(con: &mut C, sent: &Sent) -> Result<Replies, Error> {
    match &sent.commands {
        Commands::One(cmd) => match answer(con.req_command(cmd)) {
            Ok(reply) => Ok(Replies::One(reply)),
            Err(error) => recover(con, sent, Failure::new(0, error)),
        },
        Commands::Pieces(pieces) => match exchange_pieces(con, pieces) {
            Ok(replies) => Ok(Replies::Many(replies)),
            Err(failure) => recover(con, sent, failure),
        },
    }
}

fn exchange_pieces<C: ConnectionLike + ?Sized>(con: &mut C, pieces: &[Pipeline]) -> Result<Vec<Value>, Failure> {
    let mut replies = Vec::with_capacity(pieces.iter().map(Pipeline::len).sum());
    for piece in pieces {
        if con.supports_pipelining() {
            let answers = con.req_packed_commands(&piece.get_packed_pipeline(), 0, piece.len());
            add_piece(&mut replies, piece, answers)?;
        } else {
            add_answers(&mut replies, one_by_one(con, piece))?;
        }
    }
    Ok(replies)
}

/// As in a pipeline all commands go, whatever the server says to one of them; unless the connection fails.
fn one_by_one<C: ConnectionLike + ?Sized>(con: &mut C, piece: &Pipeline) -> Vec<RedisResult<Value>> {
    let mut answers = Vec::with_capacity(piece.len());
    for cmd in piece.cmd_iter() {
        answers.push(con.req_command(cmd));
        if !answers.last().is_some_and(is_answer) {
            break;
        }
    }
    answers
}

#[cold]
fn recover<C: ConnectionLike + ?Sized>(con: &mut C, sent: &Sent, mut failure: Failure) -> Result<Replies, Error> {
    if let Some(eval) = failure.second_attempt(sent) {
        match answer(con.req_command(&eval)) {
            Ok(reply) => return Ok(Replies::One(reply)),
            Err(error) => failure.error = error,
        }
    }
    let found = failure.question(sent).and_then(|question| con.req_command(&question).ok());
    Err(failure.into_error(sent, found))
}

//! Commands on asynchronous connections.

use redis::{Pipeline, RedisResult, Value, aio::ConnectionLike};

use super::{
    Replies, Request, Sent, Step,
    failure::{Failure, add_answers, add_piece, answer, crosses_slots, is_answer, renewed},
    sent::Commands,
};
use crate::Error;

// What is rare is boxed, so that the future stays small.

#[inline]
pub(super) async fn run<C: ConnectionLike + ?Sized, T>(con: &mut C, request: &Request<T>) -> Result<T, Error> {
    let Request { sent, decode } = request;
    let replies = exchange(con, sent).await?;
    match decode(replies, sent) {
        Ok(Step::Done(result)) => Ok(result),
        Ok(Step::Then(then)) => {
            let (result, cmds) = *then;
            let sent = Sent::many(sent.schema, cmds);
            renewed(result, Box::pin(exchange(con, &sent)).await)
        }
        Err(fault) => Err(fault.into_error(sent)),
    }
}

#[inline]
async fn exchange<C: ConnectionLike + ?Sized>(con: &mut C, sent: &Sent) -> Result<Replies, Error> {
    match &sent.commands {
        Commands::One(cmd) => match answer(con.req_packed_command(cmd).await) {
            Ok(reply) => Ok(Replies::One(reply)),
            Err(error) => Box::pin(recover(con, sent, Failure::new(0, error))).await,
        },
        Commands::Pieces(pieces) => match Box::pin(exchange_pieces(con, pieces)).await {
            Ok(replies) => Ok(Replies::Many(replies)),
            Err(failure) => Box::pin(recover(con, sent, failure)).await,
        },
    }
}

async fn exchange_pieces<C: ConnectionLike + ?Sized>(con: &mut C, pieces: &[Pipeline]) -> Result<Vec<Value>, Failure> {
    let mut replies = Vec::with_capacity(pieces.iter().map(Pipeline::len).sum());
    for piece in pieces {
        let answers = con.req_packed_commands(piece, 0, piece.len()).await;
        if crosses_slots(&answers) {
            add_answers(&mut replies, one_by_one(con, piece).await)?;
        } else {
            add_piece(&mut replies, piece, answers)?;
        }
    }
    Ok(replies)
}

/// As in a pipeline all commands go, whatever the server says to one of them; unless the connection fails.
async fn one_by_one<C: ConnectionLike + ?Sized>(con: &mut C, piece: &Pipeline) -> Vec<RedisResult<Value>> {
    let mut answers = Vec::with_capacity(piece.len());
    for cmd in piece.cmd_iter() {
        answers.push(con.req_packed_command(cmd).await);
        if !answers.last().is_some_and(is_answer) {
            break;
        }
    }
    answers
}

async fn recover<C: ConnectionLike + ?Sized>(con: &mut C, sent: &Sent, mut failure: Failure) -> Result<Replies, Error> {
    if let Some(eval) = failure.second_attempt(sent) {
        match answer(con.req_packed_command(&eval).await) {
            Ok(reply) => return Ok(Replies::One(reply)),
            Err(error) => failure.error = error,
        }
    }
    let found = match failure.question(sent) {
        Some(question) => con.req_packed_command(&question).await.ok(),
        None => None,
    };
    Err(failure.into_error(sent, found))
}

//! Commands on asynchronous connections.

use std::any::{Any, type_name};

#[cfg(feature = "cluster-async")]
use redis::cluster_async::ClusterConnection;
use redis::{Cmd, Pipeline, RedisError, Value, aio::ConnectionLike};

#[cfg(feature = "cluster-async")]
use super::cluster;

use crate::{
    Error,
    command::{
        Command, Replies, Sent, Step,
        answers::{Answer, Answers, add_piece, add_unsent, lost, question, questions, redis_type},
        batch::Batch,
        failure::{answer, crosses_slots, into_error, is_answer, is_cross_slot, is_unconnected},
        request::Reading,
        round::{Round, Style, second_attempt},
        sent::as_eval,
    },
    error,
};

// What is rare is boxed, so that the futures stay small.

/// Runs a command that is one redis command.
#[inline]
pub(crate) async fn run<C, T>(con: &mut C, cmd: &Cmd, sent: &Sent<'_>, reading: Reading<T>) -> Result<T, Error>
where
    C: ConnectionLike + ?Sized,
{
    let reply = match answer(con.req_packed_command(cmd).await) {
        Ok(reply) => reply,
        Err(error) => Box::pin(recover(con, cmd, sent, error)).await?,
    };
    match reading.read(Replies::One(reply), sent) {
        Ok(Step::Done(result)) => Ok(result),
        Ok(Step::Then(then)) => {
            let (result, cmds) = *then;
            Box::pin(follow(con, cmds)).await;
            Ok(result)
        }
        Err(fault) => Err(fault.into_error(sent)),
    }
}

async fn recover<C>(con: &mut C, cmd: &Cmd, sent: &Sent<'_>, mut error: RedisError) -> Result<Value, Error>
where
    C: ConnectionLike + ?Sized,
{
    if let Some(script) = sent.script.filter(|_| error::is_no_script(&error)) {
        match answer(con.req_packed_command(&as_eval(script, cmd)).await) {
            Ok(reply) => return Ok(reply),
            Err(second) => error = second,
        }
    }
    let question = if error::is_wrong_type(&error) { question(cmd) } else { None };
    let found = match question {
        Some(question) => con.req_packed_command(&question).await.ok().and_then(redis_type),
        None => None,
    };
    let unsent = unsent::<C>(&error);
    Err(into_error(error, sent, 0, found, unsent))
}

/// Whether an error means that the command has not gone out. Of a cluster's connection, or another that tries more than once,
/// nobody knows. Of those that try once, one alone connects while commands wait. It is known by its name, since a borrowed
/// connection has no other identity.
pub(crate) fn unsent<C: ?Sized>(error: &RedisError) -> bool {
    #[cfg(feature = "connection-manager")]
    let manager = type_name::<redis::aio::ConnectionManager>();
    #[cfg(not(feature = "connection-manager"))]
    let manager = "";
    type_name::<C>() == manager && is_unconnected(error)
}

/// Runs a command that is several redis commands.
pub(crate) async fn run_command<C, T>(con: &mut C, command: Command<T>) -> Result<T, Error>
where
    C: ConnectionLike + ?Sized,
{
    let refused = |error: &Error| Some(Err(error.clone()));
    run_batch(Way::Pieces(con), command, refused, <Command<T> as Batch>::output).await
}

/// How a round reaches the server.
pub(crate) enum Way<'c, C: ?Sized> {
    /// In pipelines.
    Pieces(&'c mut C),
    /// One command at a time, to a cluster that is known as one, and not more.
    Alone(&'c mut C),
    #[cfg(feature = "cluster-async")]
    Cluster(ClusterConnection),
}

impl<'c, C: ConnectionLike + Any> Way<'c, C> {
    /// The way of a connection, which is recognised by its type.
    pub(crate) fn of(con: &'c mut C) -> Self {
        #[cfg(feature = "cluster-async")]
        if let Some(cluster) = cluster::recognise(con) {
            return Self::Cluster(cluster);
        }
        if is_cluster::<C>() { Self::Alone(con) } else { Self::Pieces(con) }
    }
}

/// Whether a connection leads to a cluster, by the name of its type. It can do so without the features by which more is known
/// of it, since redis-rs and deadpool have such features of their own.
pub(crate) fn is_cluster<C: ?Sized>() -> bool {
    let name = type_name::<C>();
    name.starts_with("redis::cluster") || name.starts_with("deadpool_redis::cluster::")
}

impl<C: ConnectionLike + ?Sized> Way<'_, C> {
    fn style(&self) -> Style {
        match self {
            Self::Pieces(_) => Style::Pieces,
            Self::Alone(_) => Style::Alone,
            #[cfg(feature = "cluster-async")]
            Self::Cluster(_) => Style::Alone,
        }
    }

    async fn exchange(&mut self, round: &Round) -> Vec<Answer> {
        match self {
            Self::Pieces(con) => exchange(*con, round).await,
            Self::Alone(con) => exchange_alone(*con, round).await,
            #[cfg(feature = "cluster-async")]
            Self::Cluster(con) => cluster::exchange(con, round).await,
        }
    }
}

/// Runs a batch. `refused` gives the result where a refused command holds back all others, `read` makes it of what the server
/// answers.
pub(crate) async fn run_batch<C, B, R>(
    mut way: Way<'_, C>,
    batch: B,
    refused: fn(&Error) -> Option<R>,
    read: fn(B::Plan, &mut Answers<'_>) -> R,
) -> R
where
    C: ConnectionLike + ?Sized,
    B: Batch,
{
    let mut round = Round::new(way.style());
    let plan = batch.plan(&mut round);
    if let Some(result) = round.refusal().and_then(refused) {
        return result;
    }
    let answers = way.exchange(&round).await;
    let mut answers = Answers::new(&round, answers);
    let puzzles = answers.puzzles();
    if !puzzles.is_empty() {
        let questions = questions(&round, &puzzles, way.style());
        answers.solve(&puzzles, Box::pin(way.exchange(&questions)).await);
    }
    let result = read(plan, &mut answers);
    if !answers.following.is_empty() {
        // Should it fail, it takes nothing from what was read.
        let mut following = Round::new(way.style());
        following.extend(answers.following);
        Box::pin(way.exchange(&following)).await;
    }
    result
}

/// Sends what is to be done because of what was read. Should that fail, it takes nothing from what was read.
pub(crate) async fn follow<C: ConnectionLike + ?Sized>(con: &mut C, cmds: Vec<Cmd>) {
    let mut round = Round::new(Style::Pieces);
    round.extend(cmds);
    exchange(con, &round).await;
}

/// Sends a round and gives the answers. Once the connection has failed, nothing further is sent.
async fn exchange<C: ConnectionLike + ?Sized>(con: &mut C, round: &Round) -> Vec<Answer> {
    let mut answers = Vec::with_capacity(round.len());
    for piece in round.pieces() {
        if !exchange_piece(con, round, piece, &mut answers).await {
            break;
        }
    }
    add_unsent(&mut answers, round);
    answers
}

/// The same without pipelines, parts of which a cluster's connection runs twice while a slot moves.
async fn exchange_alone<C: ConnectionLike + ?Sized>(con: &mut C, round: &Round) -> Vec<Answer> {
    let mut answers = Vec::with_capacity(round.len());
    for piece in round.pieces() {
        if !one_by_one(con, round, piece, &mut answers).await {
            break;
        }
    }
    add_unsent(&mut answers, round);
    answers
}

/// Answers false where the connection failed.
async fn exchange_piece<C>(con: &mut C, round: &Round, piece: &Pipeline, answers: &mut Vec<Answer>) -> bool
where
    C: ConnectionLike + ?Sized,
{
    if piece.len() == 1 {
        return one_by_one(con, round, piece, answers).await;
    }
    let mut replies = con.req_packed_commands(piece, 0, piece.len()).await;
    if crosses_slots(&replies) {
        return Box::pin(one_by_one(con, round, piece, answers)).await;
    }
    // A single command with keys of several nodes is one that the cluster's connection splits.
    for (reply, cmd) in replies.iter_mut().flatten().zip(piece.cmd_iter()).filter(|(reply, _)| is_cross_slot(reply)) {
        if let Ok(other) = con.req_packed_command(cmd).await {
            *reply = other;
        }
    }
    add_piece(answers, piece, replies, unsent::<C>)
}

/// Where a cluster does not take a piece as one pipeline. Then a script that one node has learned is still new to another.
async fn one_by_one<C: ConnectionLike + ?Sized>(
    con: &mut C,
    round: &Round,
    piece: &Pipeline,
    answers: &mut Vec<Answer>,
) -> bool {
    for cmd in piece.cmd_iter() {
        let mut reply = con.req_packed_command(cmd).await;
        if let Some(eval) = second_attempt(round, answers.len(), &reply) {
            reply = con.req_packed_command(&eval).await;
        }
        let goes_on = is_answer(&reply);
        answers.push(reply.map_or_else(|error| lost(error, unsent::<C>), Ok));
        if !goes_on {
            return false;
        }
    }
    true
}

#[cfg(all(test, feature = "cluster-async", feature = "connection-manager", feature = "deadpool"))]
mod tests {
    use redis::{
        aio::{ConnectionManager, MultiplexedConnection},
        cluster_async::ClusterConnection,
    };

    use super::{Way, is_cluster, run_batch};
    use crate::{
        Command, StringKey as _,
        command::Batch,
        testing::{
            keys::Views,
            mock::{Mock, block_on, server_error},
        },
    };

    #[test]
    fn connections_to_clusters_are_known_by_name() {
        assert!(is_cluster::<ClusterConnection>() && is_cluster::<deadpool_redis::cluster::Connection>());
        assert!(!is_cluster::<MultiplexedConnection>() && !is_cluster::<ConnectionManager>());
        assert!(!is_cluster::<deadpool_redis::Connection>());
    }

    #[test]
    fn to_a_cluster_that_is_known_by_name_nothing_goes_in_pipelines() {
        let one = || Ok(redis::Value::Int(1));
        let mut con = Mock::new([one(), server_error("NOSCRIPT x"), one()]);
        let incrs = [1, 2].map(|page| Views { page }.incr());
        let found = block_on(run_batch(Way::Alone(&mut con), incrs, |_| None, <[Command<u64>; 2] as Batch>::each));
        assert!(found.iter().all(|count| *count.as_ref().unwrap() == 1));
        let sent: Vec<_> = con.sent.iter().map(|line| line.split(' ').next().unwrap()).collect();
        assert_eq!(sent, ["EVALSHA", "EVALSHA", "EVAL"]);
    }
}

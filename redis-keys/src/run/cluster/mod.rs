//! Batches on an asynchronous cluster connection.
//!
//! redis-rs sends a whole pipeline again when one of its commands is redirected, which would execute writes twice. So each command
//! is sent by itself:
//!
//! 1. The commands are sorted into [`Lanes`]: commands that share a key are in one lane, and keep their order. Lanes run
//!    concurrently, at most [`IN_FLIGHT`] at a time.
//! 2. A batch that is large enough, or reads keys of many slots by MGET, first asks for CLUSTER SLOTS. Reads to whose keys the
//!    batch does not write are then sent to their nodes in pipelines, since executing them twice is harmless. Reads that fail
//!    because a slot moves are left for step 3.
//! 3. What is left runs lane by lane, the nodes sharing the concurrency evenly.
//!
//! A lane ends at the first command without a reply: the commands behind it could overtake it. A batch ends when nothing has been
//! answered for a whole time-out.

pub(super) mod lanes;
pub(super) mod reads;

use std::{
    any::Any,
    io,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

use futures_util::stream::{self, StreamExt as _};
use redis::{
    Cmd, ErrorKind, Pipeline, RedisError, RedisResult, ServerErrorKind, Value,
    aio::ConnectionLike,
    cluster_async::ClusterConnection,
    cluster_routing::{Route, RoutingInfo, SingleNodeRoutingInfo, SlotAddr},
};

use self::{lanes::Lanes, reads::only_reads};
use super::{
    exchange::is_unknown_script,
    split::split_all,
    topology::{SlotMap, SlotRange},
};
use crate::{
    command::{
        Submission,
        cmd::{keys_of, words},
        responses::{NEVER_PROVEN, Response, flatten, is_reply, never_sent, no_reply},
    },
    error::StuckConnection,
};

/// The most commands in flight.
///
/// redis-rs drives all of them in one task. Since tokio 1.54 that task can deadlock: after 128 operations in a row it has to yield,
/// and if it yields with redis-rs's lock just when a slot has moved, it waits for itself for ever. A command is four operations:
/// taking its message, the lock, sending, the reply. A redirect adds the last three, and new messages arrive meanwhile. With 30 in
/// flight at least one connection in four froze within a minute while slots moved, with 10 none.
const IN_FLIGHT: usize = 10;

/// From this number of reads on it pays to ask for CLUSTER SLOTS first, so that they travel in pipelines.
const MANY_READS: usize = 100;

/// From this number of commands of any kind on it pays to ask for CLUSTER SLOTS first.
const MANY_COMMANDS: usize = 500;

/// From this number of commands on it pays to ask for CLUSTER SLOTS first if some are parts of an MGET.
const MANY_PARTS: usize = 20;

/// The cluster connection that this is, or that a pool's guard holds.
pub(crate) fn recognize(con: &dyn Any) -> Option<ClusterConnection> {
    #[cfg(feature = "deadpool")]
    if let Some(guard) = con.downcast_ref::<deadpool_redis::cluster::Connection>() {
        return Some(ClusterConnection::clone(guard));
    }
    con.downcast_ref().cloned()
}

/// Sends a submission and returns the responses.
pub(crate) async fn exchange(con: &ClusterConnection, submission: &Submission) -> Vec<Response> {
    match split_all(submission) {
        None => exchange_whole(con, submission, is_large(submission)).await,
        Some((parts, commands)) => {
            let mut responses = exchange_whole(con, &commands, commands.len() >= MANY_PARTS).await.into_iter();
            parts.into_iter().map(|parts| parts.join(&mut responses)).collect()
        }
    }
}

/// Sends a submission of which each command has its keys in one slot, and may first ask for CLUSTER SLOTS.
async fn exchange_whole(con: &ClusterConnection, submission: &Submission, asks_slots: bool) -> Vec<Response> {
    let slots = if asks_slots { ask_slots(&mut con.clone()).await } else { None };
    let mut exchange = ClusterExchange { con, submission, responses: Vec::new(), answers: Answers::default() };
    exchange.responses.resize_with(submission.len(), || None);
    let lanes = Lanes::new(submission, 0..submission.len());
    match slots {
        Some(slots) => {
            // Before all else: while a slot moves redis-rs refreshes its slots again and again, which must not happen among many
            // commands.
            exchange.run_reads(&lanes, &slots).await;
            let lanes = match exchange.unanswered() {
                left if left.len() < submission.len() => Lanes::new(submission, left.into_iter()),
                _ => lanes,
            };
            exchange.run_lanes(&lanes, &lanes_by_node(submission, &lanes, &slots)).await;
        }
        None => exchange.run_lanes(&lanes, std::slice::from_ref(&lanes.firsts)).await,
    }
    exchange.finish()
}

fn is_large(submission: &Submission) -> bool {
    let has_many_reads = || submission.commands().filter(|cmd| only_reads(cmd)).count() >= MANY_READS;
    submission.len() >= MANY_COMMANDS || submission.len() >= MANY_READS && has_many_reads()
}

/// Asks one node which node serves which slots: one round trip.
async fn ask_slots(con: &mut ClusterConnection) -> Option<SlotMap> {
    let mut cmd = Cmd::new();
    cmd.arg("CLUSTER").arg("SLOTS");
    let reply = con.route_command(cmd, RoutingInfo::SingleNode(SingleNodeRoutingInfo::Random)).await.ok()?;
    Some(SlotMap::new(SlotRange::read_all(reply))).filter(|slots| slots.nodes > 0)
}

/// The node that serves a command's first key.
fn node_of(submission: &Submission, command: usize, slots: &SlotMap) -> Option<usize> {
    slots.node_of(keys_of(submission.command(command)?).next()?)
}

/// The lanes of each node, and last those that no node serves.
fn lanes_by_node(submission: &Submission, lanes: &Lanes, slots: &SlotMap) -> Vec<Vec<usize>> {
    let mut shares = vec![Vec::new(); slots.nodes.saturating_add(1)];
    for first in lanes.firsts.iter().copied() {
        let node = node_of(submission, first, slots);
        if let Some(share) = shares.get_mut(node.unwrap_or(slots.nodes)) {
            share.push(first);
        }
    }
    shares.retain(|share| !share.is_empty());
    shares
}

/// A submission that is being sent.
struct ClusterExchange<'s> {
    con: &'s ClusterConnection,
    submission: &'s Submission,
    responses: Vec<Option<Response>>,
    answers: Answers,
}

/// Whether the connection answers anything, for the workers of an exchange.
#[derive(Default)]
struct Answers {
    count: AtomicUsize,
    is_stuck: AtomicBool,
}

impl Answers {
    /// Sends a command, given what sends it, and notes whether the connection was silent until the time-out.
    async fn watch(&self, reply: impl Future<Output = RedisResult<Value>>) -> RedisResult<Value> {
        let before = self.count.load(Ordering::Relaxed);
        let reply = reply.await;
        match &reply {
            Err(error) if error.is_timeout() => {
                if self.count.load(Ordering::Relaxed) == before {
                    self.is_stuck.store(true, Ordering::Relaxed);
                    return Err(stuck());
                }
            }
            _ => _ = self.count.fetch_add(1, Ordering::Relaxed),
        }
        reply
    }

    fn is_stuck(&self) -> bool {
        self.is_stuck.load(Ordering::Relaxed)
    }
}

/// The error of a command that was not answered in time, nor was any other.
fn stuck() -> RedisError {
    io::Error::new(io::ErrorKind::TimedOut, StuckConnection).into()
}

impl ClusterExchange<'_> {
    /// Sends each node its reads of keys to which the submission does not write. Some stay unanswered while a slot moves.
    async fn run_reads(&mut self, lanes: &Lanes, slots: &SlotMap) {
        let is_read = |number| self.submission.command(number).is_some_and(only_reads);
        let mut shares = vec![Vec::new(); slots.nodes];
        for first in lanes.firsts.iter().copied().filter(|first| lanes.lane(*first).all(is_read)) {
            let node = node_of(self.submission, first, slots);
            if let Some(share) = node.and_then(|node| shares.get_mut(node)) {
                share.extend(lanes.lane(first));
            }
        }
        let shares = shares.into_iter().filter(|share| !share.is_empty());
        let jobs: Vec<_> = shares.map(|share| reads::run(self.con.clone(), self.submission, share)).collect();
        let responses = run(jobs).await;
        self.record(responses);
    }

    fn unanswered(&self) -> Vec<usize> {
        let numbered = (0..).zip(&self.responses);
        numbered.filter(|(_, response)| response.is_none()).map(|(number, _)| number).collect()
    }

    /// Sends each node its lanes, command by command.
    async fn run_lanes(&mut self, lanes: &Lanes, shares: &[Vec<usize>]) {
        let workers = IN_FLIGHT.checked_div(shares.len()).unwrap_or_default().max(1);
        let mut jobs = Vec::new();
        for firsts in shares {
            let next = Arc::new(AtomicUsize::new(0));
            for _ in 0..workers.min(firsts.len()) {
                jobs.push(self.run_next_lanes(lanes, firsts, Arc::clone(&next)));
            }
        }
        let responses = run(jobs).await;
        self.record(responses);
    }

    /// A worker: runs lanes that no other worker has begun, one after the other.
    async fn run_next_lanes(&self, lanes: &Lanes, firsts: &[usize], next: Arc<AtomicUsize>) -> Vec<(usize, Response)> {
        let mut con = self.con.clone();
        let mut responses = Vec::new();
        while let Some(first) = firsts.get(next.fetch_add(1, Ordering::Relaxed)).filter(|_| !self.answers.is_stuck()) {
            for number in lanes.lane(*first) {
                let Some(cmd) = self.submission.command(number) else { break };
                let reply = self.answers.watch(send(&mut con, self.submission, number, cmd)).await;
                let goes_on = is_reply(&reply);
                responses.push((number, reply.map_or_else(|error| no_reply(error, NEVER_PROVEN), Ok)));
                if !goes_on {
                    break;
                }
            }
        }
        responses
    }

    fn record(&mut self, responses: Vec<(usize, Response)>) {
        for (number, response) in responses {
            if let Some(entry) = self.responses.get_mut(number) {
                *entry = Some(response);
            }
        }
    }

    fn finish(self) -> Vec<Response> {
        let is_stuck = self.answers.is_stuck();
        let unsent = || {
            let error = if is_stuck { stuck() } else { (ErrorKind::Client, "a command before it got no reply").into() };
            never_sent(error)
        };
        self.responses.into_iter().map(|response| response.unwrap_or_else(unsent)).collect()
    }
}

async fn run(jobs: Vec<impl Future<Output = Vec<(usize, Response)>>>) -> Vec<(usize, Response)> {
    stream::iter(jobs).buffer_unordered(IN_FLIGHT).concat().await
}

async fn send(con: &mut ClusterConnection, submission: &Submission, number: usize, cmd: &Cmd) -> RedisResult<Value> {
    let reply = match written_key(cmd) {
        Some(key) => con.route_command(cmd.clone(), to_primary(key)).await,
        None => con.req_packed_command(cmd).await,
    };
    let error = match flatten(reply) {
        Ok(reply) => return Ok(reply),
        Err(error) => error,
    };
    let reply = Box::pin(follow_ask(con, cmd, error)).await;
    if is_unknown_script(&reply)
        && let Some(eval) = submission.with_script_text(number)
    {
        return match flatten(con.req_packed_command(&eval).await) {
            Ok(reply) => Ok(reply),
            Err(error) => Box::pin(follow_ask(con, &eval, error)).await,
        };
    }
    reply
}

/// The key of a frequent write of one key. Its route is known, which saves redis-rs a search through all commands.
fn written_key(cmd: &Cmd) -> Option<&[u8]> {
    let mut keys = keys_of(cmd);
    let key = keys.next()?;
    let is_known = matches!(words(cmd).next(), Some(b"EVALSHA" | b"SET")) && keys.next().is_none();
    is_known.then_some(key)
}

fn to_primary(key: &[u8]) -> RoutingInfo {
    RoutingInfo::SingleNode(SingleNodeRoutingInfo::SpecificNode(Route::with_key(key, SlotAddr::Master)))
}

/// Sends a command to the node to which its slot is moving, if the error is an ASK redirect.
///
/// redis-rs follows such redirects itself, but sends ASKING and the command separately: among the commands of other tasks they can
/// be torn apart.
async fn follow_ask(con: &mut ClusterConnection, cmd: &Cmd, error: RedisError) -> RedisResult<Value> {
    if error.kind() != ErrorKind::Server(ServerErrorKind::Ask) {
        return Err(error);
    }
    let Some((host, port)) = error.redirect_node().and_then(|(address, _)| host_and_port(address)) else {
        return Err(error);
    };
    let mut asking = Pipeline::with_capacity(2);
    asking.add_command(redis::cmd("ASKING")).add_command(cmd.clone());
    let route = SingleNodeRoutingInfo::ByAddress { host, port };
    let mut replies = con.route_pipeline(asking, 0, 2, route).await?;
    replies.pop().map_or(Err(error), |reply| flatten(Ok(reply)))
}

fn host_and_port(address: &str) -> Option<(String, u16)> {
    let (host, port) = address.rsplit_once(':')?;
    Some((host.to_owned(), port.parse().ok()?))
}

//! Batches on an asynchronous cluster connection.
//!
//! redis-rs sends a pipeline again as a whole when one of its commands is redirected, which would count twice. So each command
//! goes by itself: those on one key one after the other, those on different keys at the same time. Only reads go together, if
//! they are many, and if nothing is written to their keys.

mod chains;
mod nodes;
mod reads;

use std::{
    any::Any,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use futures_util::{
    future::Either,
    stream::{self, StreamExt as _},
};
use redis::{
    Arg, Cmd, ErrorKind, Pipeline, RedisError, RedisResult, ServerErrorKind, Value,
    aio::ConnectionLike,
    cluster_async::ClusterConnection,
    cluster_routing::{Route, RoutingInfo, SingleNodeRoutingInfo, SlotAddr},
};

use self::{chains::Chains, nodes::Nodes, reads::only_reads};
use super::{
    answers::{Answer, lost, unsent},
    failure::{NEVER_SURE, answer, is_answer},
    round::Round,
    sent::keys_of,
};
use crate::error;

/// So many commands are under way at the same time.
///
/// redis-rs keeps room for 50 on the way to one node. While it learns anew which node has which slot it lets those wait that
/// have found no room, and its question waits behind them for ever. More would not be faster either.
const IN_FLIGHT: usize = 40;

/// From so many reads on, or so many commands of any kind, it pays to ask first which node serves which key.
const WORTH_ASKING: (usize, usize) = (100, 500);

/// The connection to a cluster that this is, or that a pool's guard holds.
pub(super) fn recognise(con: &dyn Any) -> Option<ClusterConnection> {
    #[cfg(feature = "deadpool")]
    if let Some(guard) = con.downcast_ref::<deadpool_redis::cluster::Connection>() {
        return Some(ClusterConnection::clone(guard));
    }
    con.downcast_ref().cloned()
}

/// Sends a round and gives the answers.
pub(super) async fn exchange(con: &ClusterConnection, round: &Round) -> Vec<Answer> {
    let nodes = if is_large(round) { Nodes::ask(&mut con.clone()).await } else { None };
    let mut batch = Batch { con, round, chains: Chains::new(round, 0..round.len()), answers: Vec::new() };
    batch.answers.resize_with(round.len(), || None);
    let shares = match nodes {
        Some(nodes) => batch.share_out(&nodes),
        None => vec![Share { together: Vec::new(), firsts: batch.chains.firsts.clone() }],
    };
    // Of each node's room, one place is for what goes together.
    let workers = (IN_FLIGHT / shares.len().max(1)).saturating_sub(1).max(1);
    batch.run(&shares, workers).await;
    let mut left: Vec<usize> = shares.into_iter().flat_map(|share| share.together).collect();
    left.retain(|number| batch.answers.get(*number).is_some_and(Option::is_none));
    if !left.is_empty() {
        left.sort_unstable();
        batch.chains = Chains::new(round, left.iter().copied());
        let left = Share { together: Vec::new(), firsts: batch.chains.firsts.clone() };
        // They may be all of one node, which has no more room than before.
        Box::pin(batch.run(&[left], workers)).await;
    }
    batch.answers.into_iter().map(|answer| answer.unwrap_or_else(unsent)).collect()
}

fn is_large(round: &Round) -> bool {
    let (reads, commands) = WORTH_ASKING;
    round.len() >= commands || round.len() >= reads && round.commands().filter(|cmd| only_reads(cmd)).count() >= reads
}

/// A round on its way.
struct Batch<'r> {
    con: &'r ClusterConnection,
    round: &'r Round,
    chains: Chains,
    answers: Vec<Option<Answer>>,
}

/// What a node is sent.
#[derive(Default)]
struct Share {
    /// Reads that go together, in this order.
    together: Vec<usize>,
    /// The chains of which each command goes by itself.
    firsts: Vec<usize>,
}

impl Batch<'_> {
    /// Shares the chains out among the nodes.
    fn share_out(&self, nodes: &Nodes) -> Vec<Share> {
        // The last one is for what nobody serves.
        let mut shares: Vec<Share> = (0..=nodes.count).map(|_| Share::default()).collect();
        for first in self.chains.firsts.iter().copied() {
            let node = self.round.command(first).and_then(|cmd| nodes.serving(keys_of(cmd).next()?));
            let reads = |number| self.round.command(number).is_some_and(only_reads);
            let together = node.is_some() && self.chains.of(first).all(reads);
            match shares.get_mut(node.unwrap_or(nodes.count)) {
                Some(share) if together => share.together.extend(self.chains.of(first)),
                Some(share) => share.firsts.push(first),
                None => {}
            }
        }
        shares.retain(|share| !share.together.is_empty() || !share.firsts.is_empty());
        shares
    }

    /// Runs what each node is sent, so many single commands at the same time. The answers to some of what goes together may be
    /// missing in the end.
    async fn run(&mut self, shares: &[Share], workers: usize) {
        let mut jobs = Vec::new();
        for share in shares {
            if !share.together.is_empty() {
                jobs.push(Either::Left(reads::run(self.con.clone(), self.round, &share.together)));
            }
            let next = Arc::new(AtomicUsize::new(0));
            for _ in 0..workers.min(share.firsts.len()) {
                let (con, next) = (self.con.clone(), Arc::clone(&next));
                jobs.push(Either::Right(work(con, self.round, &self.chains, &share.firsts, next)));
            }
        }
        let mut jobs = stream::iter(jobs).buffer_unordered(IN_FLIGHT);
        while let Some(found) = jobs.next().await {
            for (number, answer) in found {
                if let Some(place) = self.answers.get_mut(number) {
                    *place = Some(answer);
                }
            }
        }
    }
}

/// Runs the chains that others have not begun yet.
async fn work(
    mut con: ClusterConnection,
    round: &Round,
    chains: &Chains,
    firsts: &[usize],
    next: Arc<AtomicUsize>,
) -> Vec<(usize, Answer)> {
    let mut answers = Vec::new();
    while let Some(first) = firsts.get(next.fetch_add(1, Ordering::Relaxed)) {
        // Where the connection fails, what follows is not sent: it would overtake a command of which nobody knows whether it
        // still arrives.
        for number in chains.of(*first) {
            let Some(cmd) = round.command(number) else { break };
            let reply = run_one(&mut con, round, number, cmd).await;
            let goes_on = is_answer(&reply);
            answers.push((number, reply.map_or_else(|error| lost(error, NEVER_SURE), Ok)));
            if !goes_on {
                break;
            }
        }
    }
    answers
}

async fn run_one(con: &mut ClusterConnection, round: &Round, number: usize, cmd: &Cmd) -> RedisResult<Value> {
    let reply = match writes_one_key(cmd) {
        Some(key) => con.route_command(cmd.clone(), to_primary(key)).await,
        None => con.req_packed_command(cmd).await,
    };
    let error = match answer(reply) {
        Ok(reply) => return Ok(reply),
        Err(error) => error,
    };
    let reply = Box::pin(follow(con, cmd, error)).await;
    match &reply {
        Err(error) if error::is_no_script(error) => match round.second_attempt(number) {
            Some(eval) => match answer(con.req_packed_command(&eval).await) {
                Ok(reply) => Ok(reply),
                Err(error) => Box::pin(follow(con, &eval, error)).await,
            },
            None => reply,
        },
        _ => reply,
    }
}

/// The key of a command of which the way is known without asking redis-rs, which has to look through all commands there are.
fn writes_one_key(cmd: &Cmd) -> Option<&[u8]> {
    let mut args = cmd.args_iter();
    let (Some(Arg::Simple(b"EVALSHA" | b"SET")), mut keys) = (args.next(), keys_of(cmd)) else { return None };
    keys.next().filter(|_| keys.next().is_none())
}

fn to_primary(key: &[u8]) -> RoutingInfo {
    RoutingInfo::SingleNode(SingleNodeRoutingInfo::SpecificNode(Route::with_key(key, SlotAddr::Master)))
}

/// Sends a command to a slot that is moving. redis-rs follows there by itself, but what it sends in two parts can lose
/// its way among the commands of other tasks; together they cannot.
async fn follow(con: &mut ClusterConnection, cmd: &Cmd, error: RedisError) -> RedisResult<Value> {
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
    replies.pop().map_or(Err(error), |reply| answer(Ok(reply)))
}

fn host_and_port(address: &str) -> Option<(String, u16)> {
    let (host, port) = address.rsplit_once(':')?;
    Some((host.to_owned(), port.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use redis::{Cmd, cmd};

    use crate::command::round::{Round, Style};

    pub(super) fn round<const N: usize>(commands: [&str; N]) -> Round {
        let mut round = Round::new(Style::Alone);
        for command in commands {
            let mut words = command.split(' ');
            let mut command: Cmd = cmd(words.next().unwrap());
            words.for_each(|word| _ = command.arg(word));
            round.push(command, None);
        }
        round
    }
}

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

use futures_util::stream::{self, StreamExt as _};
use redis::{
    Arg, Cmd, ErrorKind, Pipeline, RedisError, RedisResult, ServerErrorKind, Value,
    aio::ConnectionLike,
    cluster_async::ClusterConnection,
    cluster_routing::{Route, RoutingInfo, SingleNodeRoutingInfo, SlotAddr},
};

use self::{chains::Chains, nodes::Nodes, reads::only_reads};
use crate::{
    command::{
        answers::{Answer, lost, unsent},
        failure::{NEVER_SURE, answer, is_answer},
        round::Round,
        sent::keys_of,
    },
    error,
};

/// So many commands are under way at the same time.
///
/// redis-rs does the work for all of them in one task. Since tokio 1.54 that can stand still for ever: a task that has done 128
/// things in a row has to pause, and one that pauses with a lock in its hand, just when a slot has moved, waits for itself. Each
/// command is four things.
const IN_FLIGHT: usize = 30;

/// From so many reads on, or so many commands of any kind, it pays to ask first which node serves which key.
const WORTH_ASKING: (usize, usize) = (100, 500);

/// The connection to a cluster that this is, or that a pool's guard holds.
pub(crate) fn recognise(con: &dyn Any) -> Option<ClusterConnection> {
    #[cfg(feature = "deadpool")]
    if let Some(guard) = con.downcast_ref::<deadpool_redis::cluster::Connection>() {
        return Some(ClusterConnection::clone(guard));
    }
    con.downcast_ref().cloned()
}

/// Sends a round and gives the answers.
pub(crate) async fn exchange(con: &ClusterConnection, round: &Round) -> Vec<Answer> {
    let nodes = if is_large(round) { Nodes::ask(&mut con.clone()).await } else { None };
    let mut batch = Batch { con, round, answers: Vec::new() };
    batch.answers.resize_with(round.len(), || None);
    let chains = Chains::new(round, 0..round.len());
    match nodes {
        Some(nodes) => {
            // First and by themselves: where a slot is moving redis-rs asks again and again who serves what, which it must not
            // do among many commands.
            batch.read_together(&chains, &nodes).await;
            let chains = match batch.unanswered() {
                left if left.len() < round.len() => Chains::new(round, left.into_iter()),
                _ => chains,
            };
            batch.run(&chains, &share_out(round, &chains, &nodes)).await;
        }
        None => batch.run(&chains, std::slice::from_ref(&chains.firsts)).await,
    }
    batch.answers.into_iter().map(|answer| answer.unwrap_or_else(unsent)).collect()
}

fn is_large(round: &Round) -> bool {
    let (reads, commands) = WORTH_ASKING;
    round.len() >= commands || round.len() >= reads && round.commands().filter(|cmd| only_reads(cmd)).count() >= reads
}

/// The chains that each node is sent, and last those that nobody serves.
fn share_out(round: &Round, chains: &Chains, nodes: &Nodes) -> Vec<Vec<usize>> {
    let mut shares = vec![Vec::new(); nodes.count + 1];
    for first in chains.firsts.iter().copied() {
        let node = round.command(first).and_then(|cmd| nodes.serving(keys_of(cmd).next()?));
        if let Some(share) = shares.get_mut(node.unwrap_or(nodes.count)) {
            share.push(first);
        }
    }
    shares.retain(|share| !share.is_empty());
    shares
}

/// A round on its way.
struct Batch<'r> {
    con: &'r ClusterConnection,
    round: &'r Round,
    answers: Vec<Option<Answer>>,
}

impl Batch<'_> {
    /// Sends each node its reads together, of keys that the round does not write. Where a slot is moving some answers are
    /// missing in the end.
    async fn read_together(&mut self, chains: &Chains, nodes: &Nodes) {
        let reads = |number| self.round.command(number).is_some_and(only_reads);
        let mut shares = vec![Vec::new(); nodes.count];
        for first in chains.firsts.iter().copied().filter(|first| chains.of(*first).all(reads)) {
            let node = self.round.command(first).and_then(|cmd| nodes.serving(keys_of(cmd).next()?));
            if let Some(share) = node.and_then(|node| shares.get_mut(node)) {
                share.extend(chains.of(first));
            }
        }
        let shares = shares.into_iter().filter(|share| !share.is_empty());
        let jobs: Vec<_> = shares.map(|share| reads::run(self.con.clone(), self.round, share)).collect();
        self.gather(jobs).await;
    }

    fn unanswered(&self) -> Vec<usize> {
        (0..self.round.len())
            .zip(&self.answers)
            .filter(|(_, answer)| answer.is_none())
            .map(|(number, _)| number)
            .collect()
    }

    /// Sends each node its chains, of which each command goes by itself.
    async fn run(&mut self, chains: &Chains, shares: &[Vec<usize>]) {
        let workers = (IN_FLIGHT / shares.len().max(1)).max(1);
        let mut jobs = Vec::new();
        for firsts in shares {
            let next = Arc::new(AtomicUsize::new(0));
            for _ in 0..workers.min(firsts.len()) {
                jobs.push(work(self.con.clone(), self.round, chains, firsts, Arc::clone(&next)));
            }
        }
        self.gather(jobs).await;
    }

    async fn gather(&mut self, jobs: Vec<impl Future<Output = Vec<(usize, Answer)>>>) {
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

    pub(crate) fn round<const N: usize>(commands: [&str; N]) -> Round {
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

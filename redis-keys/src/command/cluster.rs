//! Batches on an asynchronous cluster connection.
//!
//! redis-rs sends a pipeline again as a whole when one of its commands is redirected, which would count twice. So each command
//! goes by itself: those on one key one after the other, those on different keys at the same time.

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
    Cmd, ErrorKind, Pipeline, RedisError, RedisResult, ServerErrorKind, Value, aio::ConnectionLike,
    cluster_async::ClusterConnection, cluster_routing::SingleNodeRoutingInfo,
};

use self::{chains::chains, nodes::Nodes};
use super::{
    answers::{Answer, lost, unsent},
    failure::{NEVER_SURE, answer, is_answer},
    round::Round,
    sent::{keys_of, only_reads},
};
use crate::error;

/// So many commands are under way at the same time.
///
/// redis-rs keeps room for 50 on the way to one node. While it learns anew which node has which slot it lets those wait that
/// have found no room, and its question waits behind them for ever. More would not be faster either.
const IN_FLIGHT: usize = 40;

/// From so many commands on, asking which node serves which key costs less than it gains.
const WORTH_ASKING: usize = 100;

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
    let nodes = if round.len() < WORTH_ASKING { None } else { Nodes::ask(&mut con.clone()).await };
    let chains = chains(round, 0..round.len());
    let shares = match nodes {
        Some(nodes) => share_out(round, chains, &nodes),
        None => vec![Share { together: Vec::new(), chains }],
    };
    let mut answers = (0..round.len()).map(|_| None).collect();
    run(con, round, &shares, &mut answers).await;
    let missing = |number: &usize| answers.get(*number).is_some_and(Option::is_none);
    let left: Vec<usize> = shares.iter().flat_map(|share| &share.together).copied().filter(missing).collect();
    if !left.is_empty() {
        let left = Share { together: Vec::new(), chains: self::chains(round, left.iter().copied()) };
        Box::pin(run(con, round, &[left], &mut answers)).await;
    }
    answers.into_iter().map(|answer| answer.unwrap_or_else(unsent)).collect()
}

/// What a node is sent.
#[derive(Default)]
struct Share {
    /// Reads that go together, in this order.
    together: Vec<usize>,
    /// Commands of which each goes by itself, in chains.
    chains: Vec<Vec<usize>>,
}

/// Shares chains out among the nodes.
fn share_out(round: &Round, chains: Vec<Vec<usize>>, nodes: &Nodes) -> Vec<Share> {
    // The last one is for what nobody serves.
    let mut shares: Vec<Share> = (0..=nodes.count).map(|_| Share::default()).collect();
    for chain in chains {
        let key = chain.first().and_then(|first| keys_of(round.command(*first)?).next());
        let node = key.and_then(|key| nodes.serving(key));
        let together = node.is_some() && chain.iter().all(|number| round.command(*number).is_some_and(only_reads));
        match shares.get_mut(node.unwrap_or(nodes.count)) {
            Some(share) if together => share.together.extend(chain),
            Some(share) => share.chains.push(chain),
            None => {}
        }
    }
    shares.retain(|share| !share.together.is_empty() || !share.chains.is_empty());
    shares
}

/// Runs what each node is sent. The answers to some of what goes together may be missing in the end.
async fn run(con: &ClusterConnection, round: &Round, shares: &[Share], answers: &mut Vec<Option<Answer>>) {
    // Of each node's room, one place is for what goes together.
    let workers = (IN_FLIGHT / shares.len().max(1)).saturating_sub(1).max(1);
    let mut jobs = Vec::new();
    for share in shares {
        if !share.together.is_empty() {
            jobs.push(Either::Left(reads::run(con.clone(), round, &share.together)));
        }
        let next = Arc::new(AtomicUsize::new(0));
        for _ in 0..workers.min(share.chains.len()) {
            jobs.push(Either::Right(work(con.clone(), round, &share.chains, Arc::clone(&next))));
        }
    }
    let mut jobs = stream::iter(jobs).buffer_unordered(IN_FLIGHT);
    while let Some(found) = jobs.next().await {
        for (number, answer) in found {
            if let Some(place) = answers.get_mut(number) {
                *place = Some(answer);
            }
        }
    }
}

/// Runs the chains that others have not begun yet.
async fn work(
    mut con: ClusterConnection,
    round: &Round,
    chains: &[Vec<usize>],
    next: Arc<AtomicUsize>,
) -> Vec<(usize, Answer)> {
    let mut answers = Vec::new();
    while let Some(chain) = chains.get(next.fetch_add(1, Ordering::Relaxed)) {
        run_chain(&mut con, round, chain, &mut answers).await;
    }
    answers
}

/// Runs commands one after the other. Where the connection fails, what follows is not sent: it would overtake a command of
/// which nobody knows whether it still arrives.
async fn run_chain(con: &mut ClusterConnection, round: &Round, chain: &[usize], answers: &mut Vec<(usize, Answer)>) {
    for number in chain {
        let Some(cmd) = round.command(*number) else { break };
        let reply = run_one(con, round, *number, cmd).await;
        let goes_on = is_answer(&reply);
        answers.push((*number, reply.map_or_else(|error| lost(error, NEVER_SURE), Ok)));
        if !goes_on {
            break;
        }
    }
}

async fn run_one(con: &mut ClusterConnection, round: &Round, number: usize, cmd: &Cmd) -> RedisResult<Value> {
    let error = match answer(con.req_packed_command(cmd).await) {
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

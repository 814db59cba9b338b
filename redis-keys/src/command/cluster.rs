//! Batches on an asynchronous cluster connection.
//!
//! redis-rs sends a pipeline again as a whole when one of its commands is redirected, which would count twice. So each command
//! goes by itself: those on one key one after the other, those on different keys at the same time.

use std::{any::Any, collections::HashMap};

use futures_util::stream::{self, StreamExt as _};
use redis::{
    Cmd, ErrorKind, Pipeline, RedisResult, ServerErrorKind, Value, aio::ConnectionLike,
    cluster_async::ClusterConnection, cluster_routing::SingleNodeRoutingInfo,
};

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
    let chains = chains(round).into_iter().map(|chain| run_chain(con.clone(), round, chain));
    let mut answers: Vec<Option<Answer>> = (0..round.len()).map(|_| None).collect();
    let mut chains = stream::iter(chains).buffer_unordered(IN_FLIGHT);
    while let Some(chain) = chains.next().await {
        for (index, answer) in chain {
            if let Some(place) = answers.get_mut(index) {
                *place = Some(answer);
            }
        }
    }
    answers.into_iter().map(|answer| answer.unwrap_or_else(unsent)).collect()
}

/// The numbers of the commands, in chains: commands that have a key in common are in the same one, in their order.
fn chains(round: &Round) -> Vec<Vec<usize>> {
    let mut leaders: Vec<usize> = (0..round.len()).collect();
    let mut last: HashMap<&[u8], usize> = HashMap::with_capacity(round.len());
    for (index, cmd) in round.commands().enumerate() {
        for key in keys_of(cmd) {
            if let Some(before) = last.insert(key, index) {
                let (before, own) = (leader(&mut leaders, before), leader(&mut leaders, index));
                set(&mut leaders, own.max(before), own.min(before));
            }
        }
    }
    let mut chains: Vec<Vec<usize>> = vec![Vec::new(); round.len()];
    for index in 0..round.len() {
        let leader = leader(&mut leaders, index);
        if let Some(chain) = chains.get_mut(leader) {
            chain.push(index);
        }
    }
    chains.retain(|chain| !chain.is_empty());
    chains
}

/// The first command of a chain, on the way to which each one points at another.
fn leader(leaders: &mut [usize], mut index: usize) -> usize {
    while let Some(&next) = leaders.get(index).filter(|next| **next != index) {
        // What points less far makes the next search shorter.
        let further = leaders.get(next).copied().unwrap_or(next);
        set(leaders, index, further);
        index = next;
    }
    index
}

fn set(leaders: &mut [usize], index: usize, to: usize) {
    if let Some(place) = leaders.get_mut(index) {
        *place = to;
    }
}

/// Runs commands one after the other. Where the connection fails, what follows is not sent: it would overtake a command of
/// which nobody knows whether it still arrives.
async fn run_chain(mut con: ClusterConnection, round: &Round, chain: Vec<usize>) -> Vec<(usize, Answer)> {
    let mut answers = Vec::with_capacity(chain.len());
    for index in chain {
        let Some(cmd) = round.command(index) else { break };
        let reply = run_one(&mut con, round, index, cmd).await;
        let goes_on = is_answer(&reply);
        answers.push((index, reply.map_or_else(|error| lost(error, NEVER_SURE), Ok)));
        if !goes_on {
            break;
        }
    }
    answers
}

async fn run_one(con: &mut ClusterConnection, round: &Round, index: usize, cmd: &Cmd) -> RedisResult<Value> {
    let error = match answer(send(con, cmd).await) {
        Ok(reply) => return Ok(reply),
        Err(error) => error,
    };
    match round.second_attempt(index).filter(|_| error::is_no_script(&error)) {
        Some(eval) => send(con, &eval).await,
        None => Err(error),
    }
}

/// Sends one command, also to a slot that is moving. redis-rs follows there by itself, but what it sends in two parts can lose
/// its way among the commands of other tasks; together they cannot.
async fn send(con: &mut ClusterConnection, cmd: &Cmd) -> RedisResult<Value> {
    let error = match answer(con.req_packed_command(cmd).await) {
        Err(error) if error.kind() == ErrorKind::Server(ServerErrorKind::Ask) => error,
        reply => return reply,
    };
    let Some((host, port)) = error.redirect_node().and_then(|(address, _)| host_and_port(address)) else {
        return Err(error);
    };
    let mut asking = Pipeline::with_capacity(2);
    asking.add_command(redis::cmd("ASKING")).add_command(cmd.clone());
    let route = SingleNodeRoutingInfo::ByAddress { host, port };
    let mut replies = con.route_pipeline(asking, 0, 2, route).await?;
    replies.pop().ok_or(error)
}

fn host_and_port(address: &str) -> Option<(String, u16)> {
    let (host, port) = address.rsplit_once(':')?;
    Some((host.to_owned(), port.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use redis::{Cmd, cmd};

    use super::chains;
    use crate::command::round::{Round, Style};

    fn chains_of<const N: usize>(commands: [&str; N]) -> Vec<Vec<usize>> {
        let mut round = Round::new(Style::Alone);
        for command in commands {
            let mut words = command.split(' ');
            let mut command: Cmd = cmd(words.next().unwrap());
            words.for_each(|word| _ = command.arg(word));
            round.push(command, None);
        }
        chains(&round)
    }

    #[test]
    fn commands_on_one_key_keep_their_order() {
        assert_eq!(chains_of(["GET a", "GET b", "INCR a", "GET c", "GET a"]), [vec![0, 2, 4], vec![1], vec![3]]);
        assert_eq!(chains_of(["GET a", "GET b", "MGET a b c", "GET c", "GET d"]), [vec![0, 1, 2, 3], vec![4]]);
        assert_eq!(chains_of(["MGET a b", "MGET c d", "MGET b c", "GET d"]), [vec![0, 1, 2, 3]]);
        assert_eq!(chains_of(["GET b", "MGET a c", "MGET c b", "GET a"]), [vec![0, 1, 2, 3]]);
    }
}

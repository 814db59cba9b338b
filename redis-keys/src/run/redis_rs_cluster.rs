//! Batches on redis-rs's asynchronous cluster connection.
//!
//! redis-rs sends a whole pipeline again when one of its commands is redirected, which would execute writes twice. So
//! each command is sent alone: commands that share a key in their order, others concurrently, at most [`IN_FLIGHT`] at
//! a time.
//!
//! A lane ends at the first command without a reply: the commands behind it could overtake it. A batch ends when
//! nothing has been answered for a whole time-out.

use std::any::Any;
use std::borrow::Cow;
use std::io;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicUsize};

use futures_util::future::join_all;
use redis::aio::ConnectionLike as _;
use redis::cluster_async::ClusterConnection;
use redis::cluster_routing::SingleNodeRoutingInfo;
use redis::{Cmd, ErrorKind, Pipeline, RedisError, RedisResult, ServerErrorKind, Value};

use super::exchange::is_unknown_script;
use super::lanes::Lanes;
use super::slot_range::Address;
use super::split::{join_all_parts, split_all};
use crate::command::Submission;
use crate::command::responses::{NEVER_PROVEN, Response, flatten, is_reply, never_sent, no_reply};
use crate::command::table::{keys_of, with_script_text};
use crate::error::Explanation;

/// The most commands in flight.
///
/// redis-rs drives all commands in one task. Since tokio 1.54 that task can deadlock: after 128 operations in a row it
/// has to yield, and if it yields with redis-rs's lock just when a slot has moved, it waits for itself for ever. A
/// command is four operations: taking its message, the lock, sending, the reply. A redirect adds the last three, and
/// new messages arrive at the same time. With 30 in flight at least one connection in four froze within a minute while
/// slots moved, with 10 none.
const IN_FLIGHT: usize = 10;

/// Returns the cluster connection, if it is of this type.
pub(crate) fn recognize(con: &dyn Any) -> Option<ClusterConnection> {
    con.downcast_ref().cloned()
}

/// Sends a submission and returns the responses.
pub(crate) async fn exchange(con: &ClusterConnection, submission: &Submission) -> Vec<Response> {
    let (parts, cmds) = split_all(submission.alone().iter());
    let lanes = Lanes::new(cmds.len(), |index| cmds.get(index).into_iter().flat_map(|cmd| keys_of(&**cmd)));
    let exchange = ClusterExchange {
        con,
        cmds: &cmds,
        lanes: &lanes,
        next_lane: AtomicUsize::new(0),
        replies: AtomicUsize::new(0),
        is_stuck: AtomicBool::new(false),
    };
    let workers: Vec<_> = (0..IN_FLIGHT.min(lanes.firsts.len())).map(|_| exchange.run_lanes()).collect();
    let answered = join_all(workers).await;
    let mut responses: Vec<Option<Response>> = cmds.iter().map(|_| None).collect();
    for (index, response) in answered.into_iter().flatten() {
        if let Some(entry) = responses.get_mut(index) {
            *entry = Some(response);
        }
    }
    join_all_parts(parts, responses.into_iter().map(|response| response.unwrap_or_else(|| exchange.unsent())))
}

/// Commands that are being sent.
struct ClusterExchange<'e> {
    con: &'e ClusterConnection,
    cmds: &'e [Cow<'e, Cmd>],
    lanes: &'e Lanes,
    /// The index of the next lane that no worker has begun.
    next_lane: AtomicUsize,
    /// The number of replies so far.
    replies: AtomicUsize,
    /// Whether a command got no reply in time, and no other command did in that time.
    is_stuck: AtomicBool,
}

impl ClusterExchange<'_> {
    /// A worker: runs one lane after the other.
    async fn run_lanes(&self) -> Vec<(usize, Response)> {
        let mut con = self.con.clone();
        let mut responses = Vec::new();
        while let Some(first) = self.lanes.firsts.get(self.next_lane.fetch_add(1, Relaxed)) {
            for index in self.lanes.lane(*first) {
                let Some(cmd) = self.cmds.get(index).filter(|_| !self.is_stuck.load(Relaxed)) else { break };
                let reply = self.send(&mut con, cmd).await;
                let is_last = !is_reply(&reply);
                responses.push((index, reply.map_or_else(|error| no_reply(error, NEVER_PROVEN), Ok)));
                if is_last {
                    break;
                }
            }
        }
        responses
    }

    /// Sends a command, and notes if the connection was silent until the time-out.
    async fn send(&self, con: &mut ClusterConnection, cmd: &Cmd) -> RedisResult<Value> {
        let before = self.replies.load(Relaxed);
        let reply = send(con, cmd).await;
        if !reply.as_ref().is_err_and(RedisError::is_timeout) {
            self.replies.fetch_add(1, Relaxed);
        } else if self.replies.load(Relaxed) == before {
            self.is_stuck.store(true, Relaxed);
            return Err(stuck());
        }
        reply
    }

    /// The response to a command that was not sent.
    fn unsent(&self) -> Response {
        let error = if self.is_stuck.load(Relaxed) {
            stuck()
        } else {
            (ErrorKind::Client, "a command before it got no reply").into()
        };
        never_sent(error)
    }
}

const STUCK: &str = "no reply to any command in time: this connection is stuck and has to be replaced, unless the cluster is \
                     unreachable";

/// The error of a command that was not answered in time, while no other command was answered.
fn stuck() -> RedisError {
    io::Error::new(io::ErrorKind::TimedOut, Explanation(STUCK.to_owned())).into()
}

async fn send(con: &mut ClusterConnection, cmd: &Cmd) -> RedisResult<Value> {
    let reply = send_once(con, cmd).await;
    if is_unknown_script(&reply)
        && let Some(eval) = with_script_text(cmd)
    {
        return send_once(con, &eval).await;
    }
    reply
}

async fn send_once(con: &mut ClusterConnection, cmd: &Cmd) -> RedisResult<Value> {
    match flatten(con.req_packed_command(cmd).await) {
        Ok(reply) => Ok(reply),
        Err(error) => Box::pin(follow_ask(con, cmd, error)).await,
    }
}

/// Sends a command to the node to which its slot is moving, if the error is an ASK redirect.
///
/// redis-rs follows such redirects itself, but sends ASKING and the command separately: among the commands of other
/// tasks they can be torn apart.
async fn follow_ask(con: &mut ClusterConnection, cmd: &Cmd, error: RedisError) -> RedisResult<Value> {
    if error.kind() != ErrorKind::Server(ServerErrorKind::Ask) {
        return Err(error);
    }
    let Some(Address { host, port }) = error.redirect_node().and_then(|(address, _)| Address::parse(address)) else {
        return Err(error);
    };
    let mut asking = Pipeline::new();
    asking.add_command(redis::cmd("ASKING")).add_command(cmd.clone());
    let route = SingleNodeRoutingInfo::ByAddress { host, port };
    let mut replies = con.route_pipeline(asking, 0, 2, route).await?;
    replies.pop().map_or(Err(error), |reply| flatten(Ok(reply)))
}

//! Sending commands to nodes, in order on each key: a state machine without I/O.
//!
//! - Commands that share a key are in flight one at a time, unless all of them only read: the next is sent after the
//!   reply to the previous. In the same pipeline, a later command could overtake the first when the first is
//!   redirected.
//! - Each node gets pipelines of up to [`CHUNK`] commands, of which [`IN_FLIGHT`] are in flight.
//! - The replies MOVED, ASK, TRYAGAIN, CLUSTERDOWN, MASTERDOWN, LOADING, READONLY and NOSCRIPT prove that the command
//!   was not executed. It is sent again, to the node in the reply, or after a pause in which the slots are asked for. A
//!   command whose node could not be reached is sent again too.
//! - A command whose reply was lost may have been executed and is not sent again, unless it only reads. The commands
//!   that wait for it are not sent.

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};
use std::mem;
use std::time::Duration;

use redis::{Cmd, Pipeline, RedisError, ServerErrorKind, Value};

use super::view::{NodeId, View};
use crate::command::responses::{NEVER_PROVEN, Response, never_sent, no_reply, wrong_number};
use crate::command::submission::CHUNK;
use crate::command::table::{as_eval, called_script, has_known_keys, keys_of, only_reads};
use crate::lua::Script;
use crate::redis_rs::{Words, commands, sent_commands};
use crate::run::lanes::Lanes;
use crate::run::server_connection::Failure;
use crate::run::slot_range::Address;
use crate::run::split::{Parts, join_all_parts, split_all};

/// The most pipelines in flight to a node: one is executed while the other travels.
const IN_FLIGHT: usize = 2;

/// The number of times that a command is sent again before its last error is final. This takes about half a minute if
/// every attempt needs a pause. With the server's default `cluster-node-timeout` of 15 seconds, a failover takes up to
/// 20.
const MAX_ATTEMPTS: u32 = 44;

/// The number of times that the first pause of 8 ms is doubled at most: the longest pause is about a second.
const MAX_DOUBLINGS: u32 = 7;

/// The number of redirects that a command follows without a pause.
const MAX_REDIRECTS: u32 = 4;

/// Commands that are being run.
#[derive(Default)]
pub(super) struct Dispatch<'s> {
    /// For each command, the items that it is sent as.
    parts: Vec<Parts>,
    items: Vec<Item<'s>>,
    queues: BTreeMap<NodeId, Queue>,
    /// The items that are sent after the next pause.
    delayed: Vec<usize>,
    is_pausing: bool,
    /// Whether slots could have other primaries than the view says.
    is_stale: bool,
}

/// A part of a submission that is sent to one node.
struct Item<'s> {
    body: Body<'s>,
    /// The item that is sent after this item's reply.
    next: Option<usize>,
    attempts: u32,
    response: Option<Response>,
}

/// The commands of an item.
enum Body<'s> {
    /// A command for one slot.
    Command(Cow<'s, Cmd>),
    /// MULTI, commands for one slot, and EXEC.
    Transaction(&'s Pipeline),
}

/// The items for one node.
#[derive(Default)]
struct Queue {
    /// The items that can be sent, and whether each needs ASKING.
    ready: VecDeque<(usize, bool)>,
    in_flight: usize,
}

/// An action. Several run concurrently.
pub(super) enum Action {
    Send(Packet, Pipeline),
    /// Ask for the slots, if they may have changed, and wait.
    Pause {
        asks_slots: bool,
        delay: Duration,
    },
}

/// The result of an action.
pub(super) enum ActionResult {
    Sent(Packet, Result<Vec<Value>, Failure>),
    Paused,
}

/// The items of a pipeline, and whether each needs ASKING.
pub(super) struct Packet {
    pub(super) node: NodeId,
    items: Vec<(usize, bool)>,
}

impl<'s> Dispatch<'s> {
    /// Commands of this crate, whose keys are known: commands on one key keep their order.
    pub(super) fn new(commands: impl Iterator<Item = &'s Cmd>, view: &View) -> Self {
        let mut dispatch = Self::of(commands);
        let items = &dispatch.items;
        let lanes = Lanes::new(items.len(), |item| items.get(item).into_iter().flat_map(Item::keys));
        dispatch.queue_firsts(&lanes, view);
        dispatch
    }

    /// Commands that may not be this crate's. If a command's keys are not known, all commands keep their order.
    pub(super) fn of_any(commands: &[&'s Cmd], view: &View) -> Self {
        if commands.iter().copied().all(has_known_keys) {
            return Self::new(commands.iter().copied(), view);
        }
        let mut dispatch = Self::of(commands.iter().copied());
        let len = dispatch.items.len();
        dispatch.queue_firsts(&Lanes::new(len, |_| [()]), view);
        dispatch
    }

    fn of(commands: impl Iterator<Item = &'s Cmd>) -> Self {
        let (parts, cmds) = split_all(commands);
        let items = cmds.into_iter().map(|cmd| Item::new(Body::Command(cmd))).collect();
        Self { parts, items, ..Self::default() }
    }

    /// A pipeline from MULTI to EXEC, which gets one response.
    pub(super) fn transaction(pipeline: &'s Pipeline, view: &View) -> Self {
        let mut dispatch = Self::one(Body::Transaction(pipeline));
        dispatch.queue_by_key(0, view);
        dispatch
    }

    /// A command that was sent to a node before, and the result.
    pub(super) fn resend(cmd: &'s Cmd, node: NodeId, sent: Result<Value, Failure>, view: &mut View) -> Self {
        let mut dispatch = Self::one(Body::Command(Cow::Borrowed(cmd)));
        let packet = Packet { node, items: vec![(0, false)] };
        dispatch.resume(ActionResult::Sent(packet, sent.map(|reply| vec![reply])), view);
        dispatch
    }

    fn one(body: Body<'s>) -> Self {
        Self { parts: vec![Parts::Whole], items: vec![Item::new(body)], ..Self::default() }
    }

    fn queue_firsts(&mut self, lanes: &Lanes, view: &View) {
        for first in lanes.firsts.iter().copied() {
            if lanes.lane(first).all(|item| self.only_reads(item)) {
                lanes.lane(first).for_each(|item| self.queue_by_key(item, view));
                continue;
            }
            self.queue_by_key(first, view);
            let mut before = first;
            for item in lanes.lane(first).skip(1) {
                if let Some(before) = self.items.get_mut(mem::replace(&mut before, item)) {
                    before.next = Some(item);
                }
            }
        }
    }

    fn only_reads(&self, item: usize) -> bool {
        self.items.get(item).and_then(|item| item.body.command()).is_some_and(only_reads)
    }

    /// The next action. `None` if a result has to come first, or nothing is left.
    pub(super) fn next(&mut self) -> Option<Action> {
        if !self.delayed.is_empty() && !self.is_pausing {
            self.is_pausing = true;
            let attempts = self.delayed.iter().filter_map(|item| self.items.get(*item)).map(|item| item.attempts);
            let doublings = attempts.max().unwrap_or(0).min(MAX_DOUBLINGS);
            let delay = Duration::from_millis(8 << doublings).mul_f64(fastrand::f64().midpoint(1.0));
            return Some(Action::Pause { asks_slots: mem::take(&mut self.is_stale), delay });
        }
        let is_next = |queue: &Queue| queue.in_flight < IN_FLIGHT && !queue.ready.is_empty();
        let (node, queue) = self.queues.iter_mut().find(|(_, queue)| is_next(queue))?;
        queue.in_flight = queue.in_flight.saturating_add(1);
        let items: Vec<_> = queue.ready.drain(..queue.ready.len().min(CHUNK)).collect();
        let mut pipeline = Pipeline::new();
        for (item, asks) in &items {
            if *asks {
                pipeline.add_command(redis::cmd("ASKING"));
            }
            match self.items.get(*item).map(|item| &item.body) {
                Some(Body::Command(cmd)) => _ = pipeline.add_command(Cmd::clone(cmd)),
                Some(Body::Transaction(cmds)) => commands(cmds).for_each(|cmd| _ = pipeline.add_command(cmd)),
                None => {}
            }
        }
        Some(Action::Send(Packet { node: *node, items }, pipeline))
    }

    pub(super) fn resume(&mut self, result: ActionResult, view: &mut View) {
        match result {
            ActionResult::Sent(packet, replies) => {
                if let Some(queue) = self.queues.get_mut(&packet.node) {
                    queue.in_flight = queue.in_flight.saturating_sub(1);
                }
                match replies {
                    Ok(replies) => self.replies(&packet, replies, view),
                    Err(failure) => packet.items.iter().for_each(|(item, _)| self.failure(*item, &failure)),
                }
            }
            ActionResult::Paused => {
                self.is_pausing = false;
                for item in mem::take(&mut self.delayed) {
                    self.queue_by_key(item, view);
                }
            }
        }
    }

    fn replies(&mut self, packet: &Packet, replies: Vec<Value>, view: &mut View) {
        let mut replies = replies.into_iter();
        for (item, asks) in packet.items.iter().copied() {
            if asks {
                replies.next();
            }
            let reply = match self.items.get(item).map(|item| &item.body) {
                Some(Body::Transaction(cmds)) => Some(Value::Array(replies.by_ref().take(cmds.len()).collect())),
                _ => replies.next(),
            };
            match reply {
                Some(reply) => self.reply(item, (packet.node, asks), reply, view),
                None => self.failure(item, &Failure::Lost(wrong_number())),
            }
        }
    }

    fn reply(&mut self, item: usize, sent_to: (NodeId, bool), reply: Value, view: &mut View) {
        let Some(state) = self.items.get_mut(item) else { return };
        let verdict = state.body.verdict(&reply, view.address(sent_to.0));
        if matches!(verdict, Verdict::Final) {
            return self.finish_item(item, Ok(reply), view);
        }
        state.attempts = state.attempts.saturating_add(1);
        let follows = state.attempts <= MAX_REDIRECTS;
        let is_last = state.attempts > MAX_ATTEMPTS;
        match verdict {
            _ if is_last => self.end_lane(item, Ok(reply)),
            Verdict::UnknownScript(script) => {
                if let Body::Command(cmd) = &mut state.body {
                    *cmd = Cow::Owned(as_eval(script, &**cmd));
                }
                self.queue(item, sent_to);
            }
            Verdict::Moved(slot, address) => {
                let node = view.id(address);
                view.assign(slot, node);
                if follows { self.queue(item, (node, false)) } else { self.delay(item, true) }
            }
            Verdict::Ask(address) if follows => self.queue(item, (view.id(address), true)),
            Verdict::Ask(_) | Verdict::TryAgain => self.delay(item, false),
            Verdict::Unavailable | Verdict::Final => self.delay(item, true),
        }
    }

    fn failure(&mut self, item: usize, failure: &Failure) {
        let only_reads = self.only_reads(item);
        let Some(state) = self.items.get_mut(item) else { return };
        state.attempts = state.attempts.saturating_add(1);
        let is_last = state.attempts > MAX_ATTEMPTS;
        match failure {
            Failure::Unsent(error) if is_last => self.end_lane(item, never_sent(error.clone())),
            Failure::Lost(error) if is_last || !only_reads || !error.is_connection_dropped() => {
                self.end_lane(item, no_reply(error.clone(), NEVER_PROVEN));
            }
            _ => self.delay(item, true),
        }
    }

    fn delay(&mut self, item: usize, is_stale: bool) {
        self.is_stale |= is_stale;
        self.delayed.push(item);
    }

    fn queue_by_key(&mut self, item: usize, view: &View) {
        let node = view.node_of(self.items.get(item).and_then(|item| item.body.key()));
        self.queue(item, (node, false));
    }

    fn queue(&mut self, item: usize, (node, asks): (NodeId, bool)) {
        self.queues.entry(node).or_default().ready.push_back((item, asks));
    }

    /// Records the last response to an item, and lets the next item of its lane follow.
    fn finish_item(&mut self, item: usize, response: Response, view: &View) {
        let Some(state) = self.items.get_mut(item) else { return };
        state.response = Some(response);
        if let Some(next) = state.next {
            self.queue_by_key(next, view);
        }
    }

    /// Records why an item was not executed, or may not have been. The items behind it are not sent: they could
    /// overtake it, and would wait as long.
    fn end_lane(&mut self, item: usize, response: Response) {
        let mut response = Some(response);
        let mut next = Some(item);
        while let Some(item) = next.and_then(|item| self.items.get_mut(item)) {
            item.response = response.take().or_else(|| {
                Some(never_sent((redis::ErrorKind::Client, "a command before it was not executed").into()))
            });
            next = item.next;
        }
    }

    /// The responses to all commands.
    pub(super) fn finish(self) -> Vec<Response> {
        let missing = || no_reply(wrong_number(), NEVER_PROVEN);
        join_all_parts(self.parts, self.items.into_iter().map(|item| item.response.unwrap_or_else(missing)))
    }
}

impl<'s> Item<'s> {
    fn new(body: Body<'s>) -> Self {
        Self { body, next: None, attempts: 0, response: None }
    }

    /// The keys, as far as they are known.
    fn keys(&self) -> impl Iterator<Item = &[u8]> {
        self.body.command().into_iter().flat_map(keys_of)
    }
}

impl Body<'_> {
    fn command(&self) -> Option<&Cmd> {
        match self {
            Self::Command(cmd) => Some(cmd),
            Self::Transaction(_) => None,
        }
    }

    fn key(&self) -> Option<&[u8]> {
        match self {
            Self::Command(cmd) => keys_of(&**cmd).next(),
            Self::Transaction(cmds) => sent_commands(cmds).flat_map(keys_of).next(),
        }
    }

    /// Returns the verdict of the reply. For a transaction that EXEC did not execute, the first error decides.
    fn verdict(&self, reply: &Value, reporter: Option<&Address>) -> Verdict {
        match (self, reply) {
            (Self::Command(cmd), reply) => Verdict::of(&**cmd, reply, reporter),
            (Self::Transaction(cmds), Value::Array(replies)) if replies.last().is_some_and(is_error) => {
                let rejected = sent_commands(cmds).zip(replies).find(|(_, reply)| is_error(reply));
                rejected.map_or(Verdict::Final, |(cmd, reply)| Verdict::of(cmd, reply, reporter))
            }
            (Self::Transaction(_), _) => Verdict::Final,
        }
    }
}

fn is_error(reply: &Value) -> bool {
    matches!(reply, Value::ServerError(_))
}

/// The meaning of a reply for its command.
pub(super) enum Verdict {
    /// It was executed, or would be rejected again.
    Final,
    Moved(u16, Address),
    Ask(Address),
    TryAgain,
    Unavailable,
    UnknownScript(&'static Script),
}

impl Verdict {
    pub(super) fn of<'c>(cmd: impl Words<'c>, reply: &Value, reporter: Option<&Address>) -> Self {
        let Value::ServerError(error) = reply else { return Self::Final };
        let redirect = || {
            let error = RedisError::from(error.clone());
            let (address, slot) = error.redirect_node()?;
            Some((slot, Address::parse(address)?.reported_by(reporter?)))
        };
        match error.kind() {
            Some(ServerErrorKind::Moved) => {
                redirect().map_or(Self::Unavailable, |(slot, address)| Self::Moved(slot, address))
            }
            Some(ServerErrorKind::Ask) => redirect().map_or(Self::Unavailable, |(_, address)| Self::Ask(address)),
            Some(ServerErrorKind::TryAgain) => Self::TryAgain,
            Some(
                ServerErrorKind::ClusterDown
                | ServerErrorKind::MasterDown
                | ServerErrorKind::BusyLoading
                | ServerErrorKind::ReadOnly,
            ) => Self::Unavailable,
            Some(ServerErrorKind::NoScript) => called_script(cmd).map_or(Self::Final, Self::UnknownScript),
            _ => Self::Final,
        }
    }
}

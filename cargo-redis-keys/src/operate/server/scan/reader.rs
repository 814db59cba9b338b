//! Reads the pages of one node on one connection.

use std::time::{Duration, Instant};

use redis::Value;

use super::Context;
use super::probes::{self, FirstLookResult, MAX_NAME, Page, Question, UnusableReply};
use super::state::{Node, NodeState, PendingLook, StopReason};
use super::visitor::{FirstLook, Probes, SecondLook, Visitor};
use crate::Failure;
use crate::declare::redis_type::RedisType;
use crate::operate::server::connection::{Link, LinkError, Reply, Requests, Server};
use crate::operate::server::hot_keys::HotKeys;
use crate::operate::server::throttle::Throttle;
use crate::operate::server::topology::{Slots, slot_of};

/// The interval at which a node asks for its slots, when replies say that some moved.
const ASK_FOR_SLOTS_EVERY: Duration = Duration::from_secs(1);

/// Reads the pages of one node on one connection.
pub(super) struct Reader<'a, V: Visitor> {
    link: Link,
    pub(super) server: &'a Server,
    pub(super) node: &'a Node<V::Counts>,
    pub(super) context: &'a Context<V>,
    probes: Probes,
    throttle: Throttle,
    /// For each slot, whether the node has it.
    slots: Option<Vec<bool>>,
    /// Whether reading a length counts as a use of the key. Then it is read only where a limit may be exceeded.
    counts_as_use: bool,
    /// The commands of second looks that the server refuses, which are sent no more.
    refused: Vec<&'static str>,
    /// The number of pending second looks that are sent.
    asked: usize,
    pub(super) asked_for_slots: Instant,
    requests: Requests,
}

/// Requests that were sent together: the request for the next page, second looks, and first looks at the keys of this
/// page.
struct Batch {
    page: Page,
    second: Vec<Vec<Question>>,
    memory: bool,
    sent: Instant,
}

impl<'a, V: Visitor> Reader<'a, V> {
    pub(super) fn open(
        link: Link,
        server: &'a Server,
        node: &'a Node<V::Counts>,
        context: &'a Context<V>,
    ) -> Result<Self, StopReason> {
        let throttle =
            Throttle::start(server, context.args.pace.limits()).map_err(|error| StopReason::of(server, error))?;
        let (slots, probes) = {
            let state = node.state();
            (state.slots.as_ref().map(Slots::table), context.visitor.probes(&state.facts))
        };
        let mut reader = Self {
            link,
            server,
            node,
            context,
            probes,
            throttle,
            slots,
            counts_as_use: false,
            refused: Vec::new(),
            asked: 0,
            asked_for_slots: Instant::now(),
            requests: Requests::default(),
        };
        reader.prepare()?;
        Ok(reader)
    }

    /// Prepares the connection: reading leaves the idle times alone, and replicas reply.
    fn prepare(&mut self) -> Result<(), StopReason> {
        if self.node.is_in_cluster() && self.context.args.replicas {
            self.ask(&[b"READONLY"])?;
        }
        let has_no_touch = self.node.state().facts.has_no_touch(self.node.is_in_cluster());
        let leaves_idle_times = has_no_touch && self.link.set_no_touch().map_err(|error| self.stopped(error))?;
        self.counts_as_use = !leaves_idle_times && !self.context.args.touch;
        self.probes.digest &= leaves_idle_times;
        if self.counts_as_use && self.probes.length {
            self.spare_idle_times();
        }
        // The commands of this scan would be counted as well.
        if self.probes.hot_keys
            && self.node.state().seen == 0
            && let Reply::Value(reply) = self.ask(&[b"HOTKEYS", b"GET"])?
        {
            self.node.state().hot_keys = HotKeys::read(&reply);
        }
        if !self.throttle.measures_latency() && self.context.args.pace.limits().max_latency.is_some() {
            self.note("latency: `PING` is refused");
        }
        Ok(())
    }

    /// Reads no lengths where the server evicts by idle time or by frequency. Elsewhere nothing depends on idle times
    /// but a plan of `purge`, so most are left alone.
    fn spare_idle_times(&mut self) {
        let policy = self.node.state().facts.maxmemory_policy.clone();
        if policy.as_ref().is_some_and(|policy| !policy.ends_with("lru") && !policy.ends_with("lfu")) {
            self.note(
                "compact encodings: without `CLIENT NO-TOUCH`, only lengths near a limit are read (--touch reads all)",
            );
            return;
        }
        (self.probes.length, self.probes.members, self.probes.hyperloglog) = (false, false, false);
        let policy = policy.map_or("an unknown policy".to_owned(), |policy| format!("`{policy}`"));
        self.note(&format!(
            "lengths and members: without `CLIENT NO-TOUCH`, reading them counts as a use under {policy} (--touch reads them)"
        ));
    }

    /// Reads to the end.
    pub(super) fn run(&mut self) -> Result<(), StopReason> {
        self.throttle.set_busy(true);
        let cursor = self.node.state().cursor;
        let first = match cursor {
            Some(cursor) => {
                self.requests.bytes.clear();
                self.push_page(cursor);
                self.link.send(&self.requests).map_err(|error| self.stopped(error))?;
                self.receive_page()?
            }
            None => Page::default(),
        };
        let mut sent = Some(self.send(first)?);
        while let Some(batch) = sent.take() {
            let following = batch.page.next.map(|_| self.receive_page()).transpose()?;
            if self.throttle.pace.is_full_speed() {
                // The server has the next requests before it has answered these.
                sent = following.map(|page| self.send(page)).transpose()?;
                self.receive_looks(&batch)?;
            } else {
                let (keys, begun) = (batch.page.keys.len(), batch.sent);
                self.receive_looks(&batch)?;
                self.pause(keys, begun.elapsed());
                sent = following.map(|page| self.send(page)).transpose()?;
            }
            if self.context.must_stop() {
                return Err(StopReason::Asked);
            }
            if sent.is_some() && self.is_sampled() {
                // Replies to requests that are sent already are received, and not counted.
                if let Some(batch) = sent.take() {
                    batch.page.next.map(|_| self.receive_page()).transpose()?;
                    self.receive_looks(&batch)?;
                }
                self.node.state().cursor = None;
            }
            if sent.is_none() && !self.node.state().pending.is_empty() {
                sent = Some(self.send(Page::default())?);
            }
        }
        self.look_for_moved_slots()?;
        self.must_have_keys()?;
        self.node.set_excess(self.throttle.pace.summary.excess());
        self.node.state().is_finished = true;
        Ok(())
    }

    /// Sends the request for the next page, the second looks that wait, and the first looks at this page's keys.
    fn send(&mut self, mut page: Page) -> Result<Batch, StopReason> {
        if let Some(slots) = &self.slots {
            page.keys.retain(|key| slots.get(usize::from(slot_of(key))).copied().unwrap_or_default());
        }
        if self.context.pattern.is_none() {
            page.keys.retain(|key| self.context.visitor.schemas().is_in_namespace(key));
        }
        self.requests.bytes.clear();
        if let Some(next) = page.next {
            self.push_page(next);
        }
        let mut second = Vec::new();
        {
            let state = self.node.state();
            for look in state.pending.iter().skip(self.asked) {
                let limits = self.context.visitor.schemas().limits(look.declaration, look.redis_type);
                let mut probes = self.probes;
                if self.counts_as_use && look.memory.is_some_and(|memory| !limits.may_be_exceeded(memory)) {
                    (probes.length, probes.members) = (false, false);
                }
                let mut questions = probes::questions(probes, look.redis_type, limits.is_hyperloglog);
                questions.retain(|question| !self.refused.contains(&question.command(look.redis_type)));
                for question in &questions {
                    question.push(&mut self.requests, &look.key, look.redis_type, look.memory);
                }
                second.push(questions);
            }
            self.asked = state.pending.len();
        }
        for key in &page.keys {
            probes::push_first(&mut self.requests, self.probes, key);
        }
        let sent = Instant::now();
        self.link.send(&self.requests).map_err(|error| self.stopped(error))?;
        Ok(Batch { page, second, memory: self.probes.memory, sent })
    }

    fn push_page(&mut self, cursor: u64) {
        let sample = self.context.args.sample.map_or(u32::MAX, |keys| u32::try_from(keys).unwrap_or(u32::MAX));
        let count = self.throttle.pace.page().min(sample);
        probes::push_page(&mut self.requests, cursor, self.context.pattern.as_deref(), count);
    }

    fn receive_page(&mut self) -> Result<Page, StopReason> {
        let reply = self.link.receive_short(MAX_NAME).map_err(|error| self.stopped(error))?;
        Page::read(reply).map_err(|reply| self.unusable("SCAN", &reply.describe()))
    }

    /// Receives the looks of a batch, and then counts them all.
    fn receive_looks(&mut self, batch: &Batch) -> Result<(), StopReason> {
        let mut second_looks = Vec::with_capacity(batch.second.len());
        for (index, questions) in batch.second.iter().enumerate() {
            let redis_type = self.node.state().pending.get(index).map_or(RedisType::Other, |look| look.redis_type);
            second_looks.push(self.receive_second(questions, redis_type)?);
        }
        let mut found = Vec::with_capacity(batch.page.keys.len());
        for _ in &batch.page.keys {
            found.push(self.receive_first(batch.memory)?);
        }
        let has_moved = found.contains(&FirstLookResult::Moved);
        {
            let mut state = self.node.state();
            self.count_second(&mut state, &second_looks).map_err(StopReason::Failed)?;
            self.asked -= batch.second.len();
            self.count_first(&mut state, &batch.page.keys, &found);
            state.long_names += batch.page.long_names;
            state.cursor = batch.page.next;
            self.node.set_seen(state.seen);
        }
        if has_moved && self.asked_for_slots.elapsed() >= ASK_FOR_SLOTS_EVERY {
            self.stop_if_displaced()?;
        }
        Ok(())
    }

    fn receive_first(&mut self, memory: bool) -> Result<FirstLookResult, StopReason> {
        let (mut redis_type, expiry) = (self.receive()?, self.receive()?);
        if redis_type == Reply::CommandRefused && !V::NEEDS_TYPES {
            redis_type = Reply::Value(Value::SimpleString("unknown".to_owned()));
            self.note("types: `TYPE` is refused");
        }
        let memory = if memory { Some(self.receive()?) } else { None };
        if memory == Some(Reply::CommandRefused) && self.probes.memory {
            self.probes.memory = false;
            self.note("memory: `MEMORY USAGE` is refused");
        }
        probes::read_first(redis_type, expiry, memory.as_ref())
            .map_err(|UnusableReply(command, why)| self.unusable(command, &why))
    }

    fn receive_second(&mut self, questions: &[Question], redis_type: RedisType) -> Result<SecondLook, StopReason> {
        let mut look = SecondLook::default();
        for question in questions {
            let reply = self.receive()?;
            let command = question.command(redis_type);
            if reply == Reply::CommandRefused && !self.refused.contains(&command) {
                self.refused.push(command);
                self.note(&format!("`{command}` is refused"));
            }
            question.read(&reply, redis_type, &mut look);
        }
        Ok(look)
    }

    /// Waits as long as the pace demands.
    fn pause(&mut self, keys: usize, busy: Duration) {
        let pause = self.throttle.pause(u64::try_from(keys).unwrap_or(u64::MAX), busy);
        self.throttle.set_busy(false);
        self.context.sleep(pause);
        self.throttle.set_busy(true);
    }

    fn is_sampled(&self) -> bool {
        self.context.args.sample.is_some_and(|keys| self.node.state().seen >= keys)
    }

    fn ask(&mut self, parts: &[&[u8]]) -> Result<Reply, StopReason> {
        self.link.ask(parts).map_err(|error| self.stopped(error))
    }

    fn receive(&mut self) -> Result<Reply, StopReason> {
        self.link.receive().map_err(|error| self.stopped(error))
    }

    pub(super) fn stopped(&self, error: LinkError) -> StopReason {
        StopReason::of(self.server, error)
    }

    /// A command that is needed cannot be used.
    fn unusable(&self, command: &str, why: &str) -> StopReason {
        let message = format!("{} does not reply to `{command}` as expected: {why}", self.server);
        StopReason::Failed(Failure::new(message).help("`--acl` shows what the user must be allowed"))
    }

    fn note(&self, what: &str) {
        self.node.state().not_checked.insert(what.to_owned());
    }

    fn count_second(&self, state: &mut NodeState<V::Counts>, looks: &[SecondLook]) -> Result<(), Failure> {
        let address = self.server.to_string();
        for second in looks {
            let Some(pending) = state.pending.pop_front() else { break };
            self.context.visitor.second_look(&mut state.counts, &address, &pending.first(), second)?;
        }
        Ok(())
    }

    fn count_first(&self, state: &mut NodeState<V::Counts>, keys: &[Vec<u8>], found: &[FirstLookResult]) {
        let visitor = &self.context.visitor;
        for (key, found) in keys.iter().zip(found) {
            let (redis_type, expiry, memory) = match *found {
                FirstLookResult::Key { redis_type, expiry, memory } => (redis_type, expiry, memory),
                FirstLookResult::Refused => {
                    state.refused_keys += 1;
                    continue;
                }
                FirstLookResult::Moved => {
                    state.moved_keys += 1;
                    continue;
                }
                FirstLookResult::Gone => continue,
            };
            if self.context.args.sample.is_some_and(|keys| state.seen >= keys) {
                return;
            }
            state.seen += 1;
            let declaration = visitor.schemas().matcher.find(key);
            let look = FirstLook { key, declaration, redis_type, expiry, memory };
            if visitor.first_look(&mut state.counts, &look) {
                state.pending.push_back(PendingLook::new(&look));
            }
        }
    }
}

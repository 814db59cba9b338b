//! Reads the pages of one node on one connection.

use std::time::{Duration, Instant};

use redis::Value;

use super::Context;
use super::look::{FirstLook, SecondLook};
use super::probes::{self, Found, MAX_NAME, Page, Question, Unusable};
use super::state::{Node, NodeState, PendingLook};
use super::visitor::{Probes, Visitor};
use crate::Failure;
use crate::declare::redis_type::RedisType;
use crate::operate::server::connection::{Link, LinkError, Reply, Requests, Server, refused};
use crate::operate::server::hot_keys::HotKeys;
use crate::operate::server::throttle::Throttle;
use crate::operate::server::topology::{Shard, Slots, Topology, slot_of};
use crate::render::units::things;

/// The interval at which a node asks for its slots, when replies say that some moved.
const ASK_FOR_SLOTS_EVERY: Duration = Duration::from_secs(1);

/// The reason for which reading has stopped.
pub(super) enum Stopped {
    /// The server cannot be reached or is not ready.
    Unavailable(String),
    /// Another node has the slots.
    Displaced,
    /// At Ctrl-C, or because another node failed.
    Asked,
    /// It cannot go on.
    Failed(Failure),
}

impl Stopped {
    /// The reason for an error of a server's connection.
    pub(super) fn by(server: &Server, error: LinkError) -> Self {
        match error {
            LinkError::Unavailable(why) | LinkError::NotReady(why) => Self::Unavailable(why),
            LinkError::Refused(why) => Self::Failed(refused(server, &why)),
        }
    }
}

/// Reads the pages of one node on one connection.
pub(super) struct Reader<'a, V: Visitor> {
    link: Link,
    server: &'a Server,
    node: &'a Node<V::Counts>,
    context: &'a Context<V>,
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
    asked_for_slots: Instant,
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
    ) -> Result<Self, Stopped> {
        let throttle =
            Throttle::start(server, context.args.pace.limits()).map_err(|error| Stopped::by(server, error))?;
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
    fn prepare(&mut self) -> Result<(), Stopped> {
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
    pub(super) fn run(&mut self) -> Result<(), Stopped> {
        self.throttle.set_busy(true);
        let cursor = self.node.state().cursor;
        let first = match cursor {
            Some(cursor) => {
                self.requests.clear();
                self.push_page(cursor);
                self.link.send(&self.requests).map_err(|error| self.stopped(error))?;
                self.receive_page()?
            }
            None => Page::default(),
        };
        let mut sent = Some(self.send(first)?);
        while let Some(batch) = sent.take() {
            let following = batch.page.next.map(|_| self.receive_page()).transpose()?;
            if self.throttle.pace().is_full_speed() {
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
                return Err(Stopped::Asked);
            }
            if sent.is_some() && self.is_sampled() {
                // What is sent already is received, and not counted.
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
        self.node.set_excess(self.throttle.pace().summary().excess());
        self.node.state().is_finished = true;
        Ok(())
    }

    /// Sends the request for the next page, the second looks that wait, and the first looks at the keys of this page.
    fn send(&mut self, mut page: Page) -> Result<Batch, Stopped> {
        if let Some(slots) = &self.slots {
            page.keys.retain(|key| slots.get(usize::from(slot_of(key))).copied().unwrap_or_default());
        }
        if self.context.pattern.is_none() {
            page.keys.retain(|key| self.context.visitor.schemas().is_in_namespace(key));
        }
        self.requests.clear();
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
        let count = self.throttle.pace().page().min(sample);
        probes::push_page(&mut self.requests, cursor, self.context.pattern.as_deref(), count);
    }

    fn receive_page(&mut self) -> Result<Page, Stopped> {
        let reply = self.link.receive_short(MAX_NAME).map_err(|error| self.stopped(error))?;
        Page::read(reply).map_err(|reply| self.unusable("SCAN", &reply.describe()))
    }

    /// Receives the looks of a batch, and then counts all of them.
    fn receive_looks(&mut self, batch: &Batch) -> Result<(), Stopped> {
        let mut second_looks = Vec::with_capacity(batch.second.len());
        for (index, questions) in batch.second.iter().enumerate() {
            let redis_type = self.node.state().pending.get(index).map_or(RedisType::Other, |look| look.redis_type);
            second_looks.push(self.receive_second(questions, redis_type)?);
        }
        let mut found = Vec::with_capacity(batch.page.keys.len());
        for _ in &batch.page.keys {
            found.push(self.receive_first(batch.memory)?);
        }
        let has_moved = found.contains(&Found::Moved);
        {
            let mut state = self.node.state();
            self.count_second(&mut state, &second_looks).map_err(Stopped::Failed)?;
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

    fn receive_first(&mut self, memory: bool) -> Result<Found, Stopped> {
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
            .map_err(|Unusable(command, why)| self.unusable(command, &why))
    }

    fn receive_second(&mut self, questions: &[Question], redis_type: RedisType) -> Result<SecondLook, Stopped> {
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

    /// Asks who has the slots of this node, and stops if another node has them by now.
    fn stop_if_displaced(&mut self) -> Result<Option<Topology>, Stopped> {
        self.asked_for_slots = Instant::now();
        let Some(slots) = self.node.state().slots.clone() else { return Ok(None) };
        // At full speed, replies to other requests come first.
        let topology = Link::open(self.server).and_then(|mut link| Topology::read(&mut link, self.server));
        let topology = topology.map_err(|error| self.stopped(error))?;
        let address = self.server.to_string();
        let here = topology.slots_at(&address);
        let is_reader = |shard: &Shard| shard.has(&address, self.context.args.replicas);
        if here.is_empty() || !topology.shards.iter().any(is_reader) {
            return if slots.is_empty() { Ok(Some(topology)) } else { Err(Stopped::Displaced) };
        }
        Ok(Some(topology))
    }

    /// Names the slots that moved since the node was begun.
    fn look_for_moved_slots(&mut self) -> Result<(), Stopped> {
        let Some(topology) = self.stop_if_displaced()? else { return Ok(()) };
        let now = topology.slots_at(&self.server.to_string());
        let mut state = self.node.state();
        let before = state.slots.clone().unwrap_or_default();
        state.moved_slots = before.without(&now).iter().chain(now.without(&before).iter()).collect();
        Ok(())
    }

    /// Fails if the server says of each key that another node has it.
    fn must_have_keys(&self) -> Result<(), Stopped> {
        let state = self.node.state();
        let moved = state.unexplained_moves();
        if state.seen > 0 || moved == 0 {
            return Ok(());
        }
        let message =
            format!("{} replies for each of its {} that another node has it", self.server, things(moved, "key"));
        let help = if self.node.is_in_cluster() {
            "the nodes disagree about who has the slots: `redis-cli --cluster check` shows it"
        } else {
            "it is a node of a cluster, and does not say so: name a server that has the keys"
        };
        Err(Stopped::Failed(Failure::new(message).help(help)))
    }

    fn ask(&mut self, parts: &[&[u8]]) -> Result<Reply, Stopped> {
        self.link.ask(parts).map_err(|error| self.stopped(error))
    }

    fn receive(&mut self) -> Result<Reply, Stopped> {
        self.link.receive().map_err(|error| self.stopped(error))
    }

    fn stopped(&self, error: LinkError) -> Stopped {
        Stopped::by(self.server, error)
    }

    /// A command that is needed cannot be used.
    fn unusable(&self, command: &str, why: &str) -> Stopped {
        let message = format!("{} does not reply to `{command}` as expected: {why}", self.server);
        Stopped::Failed(Failure::new(message).help("`--acl` shows what the user must be allowed"))
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

    fn count_first(&self, state: &mut NodeState<V::Counts>, keys: &[Vec<u8>], found: &[Found]) {
        let visitor = &self.context.visitor;
        for (key, found) in keys.iter().zip(found) {
            let (redis_type, expiry, memory) = match *found {
                Found::Key { redis_type, expiry, memory } => (redis_type, expiry, memory),
                Found::Refused => {
                    state.refused_keys += 1;
                    continue;
                }
                Found::Moved => {
                    state.moved_keys += 1;
                    continue;
                }
                Found::Gone => continue,
            };
            if self.context.args.sample.is_some_and(|keys| state.seen >= keys) {
                return;
            }
            state.seen += 1;
            let declaration = visitor.schemas().find(key);
            let look = FirstLook { key, declaration, redis_type, expiry, memory };
            if visitor.first_look(&mut state.counts, &look) {
                state.pending.push_back(PendingLook::new(&look));
            }
        }
    }
}

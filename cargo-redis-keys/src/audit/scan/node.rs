//! Reads one node: retries it when it fails, and starts over when another node takes its place.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::reader::{Reader, Stopped};
use super::run::Context;
use super::state::NodeState;
use crate::Failure;
use crate::audit::inspect::inspect;
use crate::audit::report;
use crate::audit::topology::{Shard, Topology};
use crate::connection::{Link, LinkError, Server, is_about_certificates};

/// A node that fails is tried again for so long.
pub(super) const PATIENCE: Duration = Duration::from_secs(30);

pub(super) const RETRY_EVERY: Duration = Duration::from_millis(250);

/// A node and what is known of it.
pub(super) struct Node {
    server: Mutex<Server>,
    /// The nodes of its cluster.
    members: Option<Vec<Server>>,
    state: Mutex<NodeState>,
    seen: AtomicU64,
    excess: Mutex<Option<String>>,
}

impl Node {
    pub(super) fn new(server: Server, members: Option<Vec<Server>>) -> Self {
        let (server, state) = (Mutex::new(server), Mutex::default());
        Self { server, members, state, seen: AtomicU64::default(), excess: Mutex::default() }
    }

    pub(super) fn server(&self) -> Server {
        lock(&self.server).clone()
    }

    pub(super) fn address(&self) -> String {
        self.server().to_string()
    }

    pub(super) fn is_in_cluster(&self) -> bool {
        self.members.is_some()
    }

    pub(super) fn state(&self) -> MutexGuard<'_, NodeState> {
        lock(&self.state)
    }

    pub(super) fn set(&self, state: NodeState) {
        self.set_seen(state.seen);
        *self.state() = state;
    }

    pub(super) fn seen(&self) -> u64 {
        self.seen.load(Ordering::Relaxed)
    }

    pub(super) fn set_seen(&self, seen: u64) {
        self.seen.store(seen, Ordering::Relaxed);
    }

    pub(super) fn keys(&self) -> u64 {
        self.state().facts.keys
    }

    pub(super) fn is_finished(&self) -> bool {
        self.state().is_finished
    }

    /// What to say if the bound of the latency could not be kept.
    pub(super) fn excess(&self) -> Option<String> {
        lock(&self.excess).clone()
    }

    pub(super) fn set_excess(&self, excess: Option<String>) {
        *lock(&self.excess) = excess;
    }

    /// What was found, for the report.
    pub(super) fn take(&self) -> report::Node {
        let NodeState { mut facts, tally, not_checked, refused_keys, moved_slots, took_ms, .. } =
            std::mem::take(&mut *self.state());
        facts.not_checked.extend(not_checked);
        match refused_keys {
            0 => {}
            1 => facts.not_checked.push("1 key: the user may not access it".to_owned()),
            keys => facts.not_checked.push(format!("{keys} keys: the user may not access them")),
        }
        report::Node { facts, tally, moved_slots, took: Duration::from_millis(took_ms) }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reads a node to its end.
pub(super) fn scan(node: &Node, context: &Context) -> Result<(), Failure> {
    let mut failing: Option<Instant> = None;
    loop {
        let before = node.state().cursor;
        let why = match read(node, context) {
            Ok(()) | Err(Stopped::Asked) => return Ok(()),
            Err(Stopped::Failed(failure)) => return Err(failure),
            Err(Stopped::Displaced) => "the node is no primary any more".to_owned(),
            Err(Stopped::Unavailable(why)) => why,
        };
        if node.state().cursor != before {
            failing = None;
        }
        if failing.get_or_insert_with(Instant::now).elapsed() >= PATIENCE {
            return Err(unavailable(&node.server(), &why));
        }
        context.sleep(RETRY_EVERY);
        if node.is_in_cluster() && !move_on(node, context) {
            return Ok(());
        }
    }
}

/// Opens a connection and reads pages.
fn read(node: &Node, context: &Context) -> Result<(), Stopped> {
    let server = node.server();
    let opened = Instant::now();
    let mut link = Link::open(&server).map_err(|error| stopped(&server, error))?;
    let inspected = inspect(&mut link, &server).map_err(|error| stopped(&server, error))?;
    let slots = if node.is_in_cluster() {
        let topology = Topology::read(&mut link, &server).map_err(|error| stopped(&server, error))?;
        Some(topology.slots_at(&server.to_string()))
    } else {
        None
    };
    {
        let mut state = node.state();
        let is_same = state.facts.run_id == inspected.facts.run_id && !state.facts.run_id.is_empty();
        if is_same {
            state.facts = inspected.facts;
        } else {
            if state.seen > 0 {
                context.message(format!("note: {server} was restarted meanwhile, and is read anew"));
            }
            let took_ms = state.took_ms;
            *state = NodeState { took_ms, ..NodeState::new(inspected.facts, slots) };
            node.set_seen(0);
        }
        if state.is_finished {
            return Ok(());
        }
    }
    let result = Reader::open(link, &server, node, context).and_then(|mut reader| reader.run());
    node.state().took_ms += u64::try_from(opened.elapsed().as_millis()).unwrap_or(u64::MAX);
    result
}

/// Finds the node that has the slots by now. Returns `false` if another thread reads it.
fn move_on(node: &Node, context: &Context) -> bool {
    let (old, slots) = (node.address(), node.state().slots.clone().unwrap_or_default());
    let replicas = context.args.replicas;
    let Some(shard) = ask_members(node, |topology| topology.owner(&slots).cloned()) else { return true };
    if shard.has(&old, replicas) && Link::open(&node.server()).is_ok() {
        return true;
    }
    let others = shard.readable(replicas).filter(|member| member.server.to_string() != old);
    for member in others {
        let address = member.server.to_string();
        let mut claimed = lock(&context.claimed);
        if claimed.contains(&address) {
            // All slots moved to a node that is read anyway.
            let mut state = node.state();
            state.is_finished = true;
            state.moved_slots = slots.iter().collect();
            return false;
        }
        if Link::open(&member.server).is_ok() {
            claimed.retain(|claimed| *claimed != old);
            claimed.push(address.clone());
            context.message(format!("note: {address} has taken the place of {old}, and is read anew"));
            *lock(&node.server) = member.server.clone();
            *node.state() = NodeState { slots: Some(slots), ..NodeState::default() };
            node.set_seen(0);
            return true;
        }
    }
    true
}

/// Asks the nodes of the cluster, until one knows.
fn ask_members(node: &Node, find: impl Fn(&Topology) -> Option<Shard>) -> Option<Shard> {
    node.members.iter().flatten().find_map(|server| {
        let mut link = Link::open(server).ok()?;
        find(&Topology::read(&mut link, server).ok()?)
    })
}

pub(super) fn stopped(server: &Server, error: LinkError) -> Stopped {
    match error {
        LinkError::Unavailable(why) => Stopped::Unavailable(why),
        LinkError::Refused(why) => Stopped::Failed(refused(server, &why)),
    }
}

pub(super) fn refused(server: &Server, why: &str) -> Failure {
    let failure = Failure::new(format!("{server} refuses the connection: {why}"));
    if is_about_certificates(why) {
        return failure.help(
            "`--cacert` names the authority of the server, `--cert` and `--tls-key` the certificate of the client",
        );
    }
    failure
}

pub(super) fn unavailable(server: &Server, why: &str) -> Failure {
    Failure::new(format!("cannot read {server}: {why}"))
}

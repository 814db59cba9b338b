//! The state of a node that is scanned.

use std::collections::{BTreeSet, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::visitor::{Expiry, FirstLook};
use crate::Failure;
use crate::declare::redis_type::RedisType;
use crate::operate::server::connection::{LinkError, Server};
use crate::operate::server::facts::Facts;
use crate::operate::server::hot_keys::HotKeys;
use crate::operate::server::topology::Slots;
use crate::render::units::things;

/// The state of a node. The resume file contains it.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct NodeState<C> {
    pub(super) facts: Facts,
    /// The node's slots before its first page.
    pub(super) slots: Option<Slots>,
    /// The cursor of the first page that is not counted yet. `None` after the last page.
    pub(super) cursor: Option<u64>,
    /// Whether everything is counted.
    pub(super) is_finished: bool,
    /// The number of keys that were counted.
    pub(super) seen: u64,
    #[serde(rename = "tally")]
    pub(super) counts: C,
    /// The keys that wait for their second look, from the first.
    pub(super) pending: VecDeque<PendingLook>,
    /// The checks that were not possible, with the reason.
    pub(super) not_checked: BTreeSet<String>,
    /// The number of keys that the user may not access.
    pub(super) refused_keys: u64,
    /// The number of keys that another node has, as the server replies.
    pub(super) moved_keys: u64,
    /// The number of keys whose names are too long to be read.
    pub(super) long_names: u64,
    /// The slots that moved away or here during the scan.
    pub(super) moved_slots: Vec<u16>,
    /// The time that it took, without the time between two runs.
    pub(super) took_ms: u64,
    /// The keys that the server has found hot, before the first page.
    #[serde(default)]
    pub(super) hot_keys: Option<HotKeys>,
}

impl<C> NodeState<C> {
    /// The number of keys that another node has, although none of the slots has moved.
    pub(super) fn unexplained_moves(&self) -> u64 {
        if self.moved_slots.is_empty() { self.moved_keys } else { 0 }
    }
}

/// A key that waits for its second look.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PendingLook {
    pub(super) key: Vec<u8>,
    pub(super) redis_type: RedisType,
    /// The time to live in milliseconds.
    pub(super) ttl: Option<u64>,
    pub(super) memory: Option<u64>,
    /// Its declaration's index.
    pub(super) declaration: Option<usize>,
}

impl PendingLook {
    pub(super) fn new(look: &FirstLook<'_>) -> Self {
        let FirstLook { declaration, redis_type, expiry, memory, .. } = *look;
        Self { key: look.key.to_vec(), redis_type, ttl: expiry.ttl_ms(), memory, declaration }
    }

    /// The first look at the key.
    pub(super) fn first(&self) -> FirstLook<'_> {
        let Self { ref key, redis_type, ttl, memory, declaration } = *self;
        FirstLook { key, declaration, redis_type, expiry: Expiry::of(ttl), memory }
    }
}

/// The result for a node.
pub(crate) struct NodeResult<C> {
    pub(crate) facts: Facts,
    pub(crate) counts: C,
    /// The number of keys that the user may not access.
    pub(crate) refused_keys: u64,
    /// The number of keys that another node has, although none of the slots has moved.
    pub(crate) moved_keys: u64,
    /// The number of keys whose names are too long to be read.
    pub(crate) long_names: u64,
    /// The slots that moved away or here during the scan.
    pub(crate) moved_slots: Vec<u16>,
    pub(crate) took: Duration,
    /// The keys that the server has found hot.
    pub(crate) hot_keys: Option<HotKeys>,
    /// The message if the bound of the latency could not be kept.
    pub(crate) excess: Option<String>,
}

impl<C> NodeResult<C> {
    /// The numbers of keys that could not be read, each with the reason.
    pub(crate) fn not_read(nodes: &[Self]) -> Vec<String> {
        let sum = |of: fn(&Self) -> u64| nodes.iter().map(of).sum::<u64>();
        let reasons = [
            (sum(|node| node.refused_keys), "the user may not access"),
            (sum(|node| node.moved_keys), "the server replies that another node has"),
            (sum(|node| node.long_names), "more than 1 MB is too much for the name of"),
        ];
        let reasons = reasons.into_iter().filter(|(keys, _)| *keys > 0);
        let shown = |(keys, why)| format!("{}: {why} {}", things(keys, "key"), if keys == 1 { "it" } else { "them" });
        reasons.map(shown).collect()
    }
}

/// A scan's nodes.
pub(super) type Nodes<C> = Vec<Arc<Node<C>>>;

/// A node that is scanned.
pub(super) struct Node<C> {
    server: Mutex<Server>,
    /// Its cluster's nodes.
    members: Option<Vec<Server>>,
    state: Mutex<NodeState<C>>,
    seen: AtomicU64,
    excess: Mutex<Option<String>>,
}

impl<C: Default> Node<C> {
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

    /// Its cluster's nodes.
    pub(super) fn members(&self) -> impl Iterator<Item = &Server> {
        self.members.iter().flatten()
    }

    pub(super) fn is_in_cluster(&self) -> bool {
        self.members.is_some()
    }

    pub(super) fn state(&self) -> MutexGuard<'_, NodeState<C>> {
        lock(&self.state)
    }

    pub(super) fn set_server(&self, server: Server) {
        *lock(&self.server) = server;
    }

    pub(super) fn seen(&self) -> u64 {
        self.seen.load(Ordering::Relaxed)
    }

    pub(super) fn set_seen(&self, seen: u64) {
        self.seen.store(seen, Ordering::Relaxed);
    }

    pub(super) fn set_excess(&self, excess: Option<String>) {
        *lock(&self.excess) = excess;
    }

    /// The result, which is taken out of the node.
    pub(super) fn take(&self) -> NodeResult<C> {
        let excess = lock(&self.excess).take();
        let state = std::mem::take(&mut *self.state());
        let moved_keys = state.unexplained_moves();
        let NodeState {
            mut facts, counts, not_checked, refused_keys, long_names, moved_slots, took_ms, hot_keys, ..
        } = state;
        facts.not_checked.extend(not_checked);
        let took = Duration::from_millis(took_ms);
        NodeResult { facts, counts, refused_keys, moved_keys, long_names, moved_slots, took, hot_keys, excess }
    }
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The reason for which reading has stopped.
pub(super) enum StopReason {
    /// The server cannot be reached or is not ready.
    Unavailable(String),
    /// Another node has the slots.
    Displaced,
    /// At Ctrl-C, or because another node failed.
    Asked,
    /// It cannot go on.
    Failed(Failure),
}

impl StopReason {
    /// The reason for an error of a server's connection.
    pub(super) fn of(server: &Server, error: LinkError) -> Self {
        error.retry(server).map_or_else(Self::Failed, Self::Unavailable)
    }
}

//! What is known of a node.

use std::collections::{BTreeSet, VecDeque};

use serde::{Deserialize, Serialize};

use crate::audit::facts::Facts;
use crate::audit::look::{Expiry, FirstLook, RedisType};
use crate::audit::slots::Slots;
use crate::audit::tally::Tally;

/// What is known of a node. It is saved in the resume file.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct NodeState {
    /// What the server says about itself.
    pub(super) facts: Facts,
    /// The slots of the node when it was begun.
    pub(super) slots: Option<Slots>,
    /// Where the first page starts that is not counted yet. `None` after the last page.
    pub(super) cursor: Option<u64>,
    /// Whether everything is counted.
    pub(super) is_finished: bool,
    /// The number of keys that were counted.
    pub(super) seen: u64,
    /// What was counted.
    pub(super) tally: Tally,
    /// The keys that wait for their second look, from the first.
    pub(super) pending: VecDeque<PendingLook>,
    /// What could not be checked and why.
    pub(super) not_checked: BTreeSet<String>,
    /// The number of keys that the user may not access.
    pub(super) refused_keys: u64,
    /// The slots that moved away or here meanwhile.
    pub(super) moved_slots: Vec<u16>,
    /// The time that it took, without the time between two runs.
    pub(super) took_ms: u64,
}

impl NodeState {
    /// The state of a node from which nothing was read yet.
    pub(super) fn new(facts: Facts, slots: Option<Slots>) -> Self {
        Self { tally: Tally::new(&facts), facts, slots, cursor: Some(0), ..Self::default() }
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
    pub(super) slot: Option<u16>,
    /// The number of its declaration.
    pub(super) declaration: Option<usize>,
}

impl PendingLook {
    pub(super) fn new(look: &FirstLook<'_>, declaration: Option<usize>) -> Self {
        let ttl = match look.expiry {
            Expiry::Never => None,
            Expiry::In(ttl) => Some(ttl),
        };
        let (redis_type, memory, slot) = (look.redis_type, look.memory, look.slot);
        Self { key: look.key.to_vec(), redis_type, ttl, memory, slot, declaration }
    }

    /// What the first look found.
    pub(super) fn first(&self) -> FirstLook<'_> {
        let expiry = self.ttl.map_or(Expiry::Never, Expiry::In);
        FirstLook { key: &self.key, redis_type: self.redis_type, expiry, memory: self.memory, slot: self.slot }
    }
}

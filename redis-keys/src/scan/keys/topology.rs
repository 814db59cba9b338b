//! The primaries of a cluster that must be scanned, and the end of a scan.
//!
//! SCAN on a single node misses a key that stays in the cluster in one case only: the key's slot arrives at the node
//! after its SCAN. The node knows that immediately, even if other nodes do not: its CLUSTER NODES then reports other
//! slots or another epoch, or marks the slot as migrating. So a scan surveys the primaries before it scans them, and
//! again afterwards:
//!
//! 1. CLUSTER SLOTS names the primaries, and CLUSTER NODES on each primary reports its slots ([`SlotOwnership`]).
//! 2. The primaries whose ownership is new or has changed since the last survey are scanned, and the next survey follows.
//! 3. The scan is complete when nothing has changed, the owners own as many slots as CLUSTER SLOTS reports, and every
//!    node that receives a slot is among them. Otherwise the survey is repeated, up to [`MAX_SURVEYS`] times.
//!
//! It is enough to scan the receiver of a slot once more after its sender, because keys that this misses were already
//! on their way before. If a migration is aborted, its keys return, so in the first survey both ends of a migration
//! count as unscanned.

use redis::Value;

use super::route::Route;
use crate::run::slot_range::SlotRange;

/// The number of surveys after which a scan gives up.
const MAX_SURVEYS: usize = 100;

/// The primaries and their ownership, as far as known.
#[derive(Default)]
pub(super) struct Topology {
    surveys: usize,
    /// The number of served slots, according to CLUSTER SLOTS.
    reported_slots: usize,
    /// The nodes that have not been asked in this survey; the last is next.
    unasked: Vec<Route>,
    /// The nodes' ownership according to this survey.
    current: Vec<(Route, SlotOwnership)>,
    /// The scanned nodes' ownership before they were scanned.
    scanned: Vec<(Route, SlotOwnership)>,
    /// The nodes that have been unreachable.
    lost: Vec<Route>,
}

/// The result of a survey.
pub(super) enum Survey {
    /// These nodes must be scanned.
    Changed(Vec<Route>),
    /// All nodes have been scanned.
    Complete,
    /// The nodes do not agree on the owners of all slots.
    Inconsistent,
}

impl Topology {
    /// Begins a survey, given the reply to CLUSTER SLOTS. Returns `false` after too many surveys.
    ///
    /// A connection that does not route by node leads to the only node.
    pub(super) fn begin_survey(&mut self, ranges: &[SlotRange], routes_by_node: bool) -> bool {
        self.surveys = self.surveys.saturating_add(1);
        self.reported_slots = ranges.iter().map(SlotRange::len).sum();
        self.current.clear();
        self.unasked = if routes_by_node {
            let routes: Option<Vec<_>> = primaries(ranges).into_iter().map(Route::of_primary).collect();
            // Without addresses, the connection's known nodes must suffice.
            routes.unwrap_or_else(|| vec![Route::AllPrimaries])
        } else {
            vec![Route::Any]
        };
        self.surveys <= MAX_SURVEYS
    }

    /// Returns the node that is asked next for its slots.
    pub(super) fn next_node(&self) -> Option<&Route> {
        self.unasked.last()
    }

    pub(super) fn take_next_node(&mut self) -> Option<Route> {
        self.unasked.pop()
    }

    pub(super) fn record(&mut self, node: Route, ownership: SlotOwnership) {
        self.current.push((node, ownership));
    }

    /// Counts a node that failed during its scan as unscanned. Returns `false` if it failed before.
    pub(super) fn lose(&mut self, node: &Route) -> bool {
        self.scanned.retain(|(scanned, _)| scanned != node);
        let is_first = !self.lost.contains(node);
        self.lost.push(node.clone());
        is_first
    }

    /// Ends a survey, when all nodes have been asked.
    pub(super) fn end_survey(&mut self) -> Survey {
        let changed = self.current.iter().filter(|entry| !self.scanned.contains(entry));
        let changed: Vec<_> = changed.map(|(node, _)| node.clone()).collect();
        let owned: usize = self.current.iter().map(|(_, ownership)| ownership.slots).sum();
        // A node without slots is not reported, but has keys once the first slot is migrating to it.
        let is_known = |id: &str| self.current.iter().any(|(_, ownership)| ownership.id == id);
        let mut receivers =
            self.current.iter().flat_map(|(_, ownership)| &ownership.migrating).filter_map(|mark| receiver(mark));
        let is_consistent = owned == self.reported_slots && receivers.all(is_known);
        self.scanned = std::mem::take(&mut self.current);
        if self.surveys == 1 {
            let ends: Vec<_> =
                self.scanned.iter().flat_map(|(_, ownership)| ownership.migration_ends()).map(str::to_owned).collect();
            self.scanned.retain(|(_, ownership)| !ends.contains(&ownership.id));
        }
        match changed.is_empty() {
            false => Survey::Changed(changed),
            true if is_consistent => Survey::Complete,
            true => Survey::Inconsistent,
        }
    }
}

/// Returns a range of each primary.
pub(super) fn primaries(ranges: &[SlotRange]) -> Vec<&SlotRange> {
    let mut primaries: Vec<&SlotRange> = Vec::new();
    for range in ranges {
        if !primaries.iter().any(|known| known.primary == range.primary) {
            primaries.push(range);
        }
    }
    primaries
}

/// The slots that a node owns, according to the node itself.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct SlotOwnership {
    id: String,
    /// The node's role, epoch and slots. The epoch differs if it has owned other slots in between.
    owned: String,
    slots: usize,
    /// The marks of slots that are migrating to or away from the node.
    migrating: Vec<String>,
}

impl SlotOwnership {
    /// Reads the reply to CLUSTER NODES, in which one line describes the node itself.
    ///
    /// `ID ADDRESS myself,FLAG… PRIMARY|- PING PONG EPOCH LINK FIRST-LAST… [SLOT-<-ID]… [SLOT->-ID]…`
    pub(super) fn read(nodes: &Value) -> Option<Self> {
        let text = match nodes {
            Value::BulkString(text) => std::str::from_utf8(text).ok()?,
            Value::VerbatimString { text, .. } => text,
            _ => return None,
        };
        let is_own =
            |line: &&str| line.split(' ').nth(2).is_some_and(|flags| flags.split(',').any(|flag| flag == "myself"));
        let mut words = text.lines().find(is_own)?.split(' ');
        let (id, primary, epoch) = (words.next()?, words.nth(2)?, words.nth(2)?);
        let owned = [id, primary, epoch].join(" ");
        let mut ownership = Self { id: id.to_owned(), owned, slots: 0, migrating: Vec::new() };
        for word in words.skip(1) {
            if word.starts_with('[') {
                ownership.migrating.push(word.to_owned());
            } else {
                ownership.slots = ownership.slots.checked_add(range_len(word)?)?;
                ownership.owned.push(' ');
                ownership.owned.push_str(word);
            }
        }
        Some(ownership)
    }

    /// The ids of the other nodes in migrations of this node's slots.
    fn migration_ends(&self) -> impl Iterator<Item = &str> {
        let others = self.migrating.iter().filter_map(|mark| sender(mark).or_else(|| receiver(mark)));
        others.flat_map(|other| [self.id.as_str(), other])
    }
}

/// The node from which a slot is migrating: `ID` in `[5-<-ID]`.
fn sender(mark: &str) -> Option<&str> {
    mark.split_once("-<-").map(|(_, id)| id.trim_end_matches(']'))
}

/// The node to which a slot is migrating: `ID` in `[5->-ID]`.
fn receiver(mark: &str) -> Option<&str> {
    mark.split_once("->-").map(|(_, id)| id.trim_end_matches(']'))
}

/// The number of slots in `5` or `5-7`.
fn range_len(range: &str) -> Option<usize> {
    let (first, last) = range.split_once('-').unwrap_or((range, range));
    last.parse::<usize>().ok()?.checked_add(1)?.checked_sub(first.parse().ok()?)
}

//! The slots of a node while it is read: another node can have them by now.

use std::time::Instant;

use super::reader::Reader;
use super::state::StopReason;
use super::visitor::Visitor;
use crate::Failure;
use crate::operate::server::connection::Link;
use crate::operate::server::topology::{Shard, Topology};
use crate::render::units::things;

impl<V: Visitor> Reader<'_, V> {
    /// Asks which node has this node's slots, and stops if another node has them by now.
    pub(super) fn stop_if_displaced(&mut self) -> Result<Option<Topology>, StopReason> {
        self.asked_for_slots = Instant::now();
        let Some(slots) = self.node.state().slots.clone() else { return Ok(None) };
        // At full speed, replies to other requests come first.
        let topology = Link::open(self.server).and_then(|mut link| Topology::read(&mut link, self.server));
        let topology = topology.map_err(|error| self.stopped(error))?;
        let address = self.server.to_string();
        let here = topology.slots_at(&address);
        let is_reader = |shard: &Shard| shard.has(&address, self.context.args.replicas);
        if here.is_empty() || !topology.shards.iter().any(is_reader) {
            return if slots.is_empty() { Ok(Some(topology)) } else { Err(StopReason::Displaced) };
        }
        Ok(Some(topology))
    }

    /// Names the slots that moved since the node was begun.
    pub(super) fn look_for_moved_slots(&mut self) -> Result<(), StopReason> {
        let Some(topology) = self.stop_if_displaced()? else { return Ok(()) };
        let now = topology.slots_at(&self.server.to_string());
        let mut state = self.node.state();
        let before = state.slots.clone().unwrap_or_default();
        state.moved_slots = before.without(&now).iter().chain(now.without(&before).iter()).collect();
        Ok(())
    }

    /// Fails if the server says of each key that another node has it.
    pub(super) fn must_have_keys(&self) -> Result<(), StopReason> {
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
        Err(StopReason::Failed(Failure::new(message).help(help)))
    }
}

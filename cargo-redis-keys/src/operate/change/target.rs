//! The server or cluster whose keys are changed.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::plan::{Header, PlannedNode};
use crate::Failure;
use crate::operate::server::connection::Server;
use crate::operate::server::facts::find;
use crate::operate::server::topology::{Member, Topology, slot_of};
use crate::render::printable;

/// The server or cluster whose keys are changed.
pub(super) struct Target {
    server: Server,
    id: String,
    topology: Option<Topology>,
}

impl Target {
    /// Asks a server for its kind. A replica is refused, unless it belongs to a cluster.
    pub(super) fn open(server: &Server, stop: &AtomicBool) -> Result<Self, Failure> {
        let unavailable = |server: &Server, why: &str| Failure::new(format!("{server} cannot be reached: {why}"));
        let (info, topology) = find(server, stop, unavailable)?;
        match (info.primary, &topology) {
            (Some(primary), None) => Err(is_replica(server).help(format!("name its primary, {primary}"))),
            _ => Ok(Self { server: server.clone(), id: info.facts.run_id, topology }),
        }
    }

    /// The servers whose keys can be changed.
    pub(super) fn primaries(&self) -> Vec<(&Server, PlannedNode)> {
        let node = |server: &Server, id: String| PlannedNode { address: server.to_string(), id, forks: None };
        match &self.topology {
            None => vec![(&self.server, node(&self.server, self.id.clone()))],
            Some(topology) => {
                let primaries = topology.shards.iter().map(|shard| &shard.primary);
                let id = |member: &Member| String::from_utf8_lossy(&member.id).into_owned();
                primaries.map(|member| (&member.server, node(&member.server, id(member)))).collect()
            }
        }
    }

    /// Whether a plan that names this node belongs to this server or cluster. Its replicas count too, because they may
    /// have been primaries.
    ///
    /// Another server can have the same address: after a restart, behind a tunnel. So only the id counts, if both are
    /// known.
    fn knows(&self, node: &PlannedNode) -> bool {
        let is_at = |address: String, id: &[u8]| {
            if node.id.is_empty() || id.is_empty() { address == node.address } else { node.id.as_bytes() == id }
        };
        match &self.topology {
            None => is_at(self.server.to_string(), self.id.as_bytes()),
            Some(topology) => topology.members().any(|member| is_at(member.server.to_string(), &member.id)),
        }
    }

    pub(super) fn database(&self) -> i64 {
        self.server.database()
    }

    pub(super) fn is_cluster(&self) -> bool {
        self.topology.is_some()
    }

    /// Refuses the plan of another server, because its statements about the keys are not true here.
    pub(super) fn must_be_of(&self, header: &Header, path: &Path) -> Result<(), Failure> {
        let (server, path) = (&self.server, path.display());
        let (planned, here) = (header.database, self.database());
        if planned != here {
            return Err(Failure::new(format!(
                "`{path}` is a plan for database {planned}, and {server} is used with database {here}"
            )));
        }
        if header.nodes.iter().any(|node| self.knows(node)) {
            return Ok(());
        }
        let nodes: Vec<_> = header.nodes.iter().map(|node| printable(&node.address)).collect();
        if nodes.contains(&server.to_string()) {
            let message = format!("{server} was restarted since `{path}` was made, or is another server");
            return Err(Failure::new(message).help("make a new plan"));
        }
        Err(Failure::new(format!("`{path}` is a plan for {}, not for {server}", nodes.join(", ")))
            .help("make a plan for this server: keys of the same name are other keys there"))
    }

    /// The server that has a key. `None` if no server has its slot.
    pub(super) fn owner(&self, key: &[u8]) -> Option<&Server> {
        self.owner_with_id(key).map(|(server, _)| server)
    }

    /// The server that has a key, and its id.
    pub(super) fn owner_with_id(&self, key: &[u8]) -> Option<(&Server, &[u8])> {
        let Some(topology) = &self.topology else { return Some((&self.server, self.id.as_bytes())) };
        let slot = slot_of(key);
        let shard = topology.shards.iter().find(|shard| shard.slots.contains(slot))?;
        Some((&shard.primary.server, &shard.primary.id))
    }

    /// Asks the nodes of the cluster which node has which slots by now, until a node replies.
    pub(super) fn refresh(&mut self) {
        let Some(topology) = &self.topology else { return };
        let members = topology.members().map(|member| member.server.clone());
        let known: Vec<Server> = std::iter::once(self.server.clone()).chain(members).collect();
        let found = Topology::ask(&known, |topology| (!topology.shards.is_empty()).then_some(topology));
        if found.is_some() {
            self.topology = found;
        }
    }
}

pub(super) fn is_replica(server: &Server) -> Failure {
    Failure::new(format!("{server} is a replica, which cannot be written to"))
}

/// The failure of a server that does not allow a command.
pub(super) fn refuses(server: &Server, command: &str) -> Failure {
    Failure::new(format!("{server} refuses `{command}`")).help("`--acl` shows what the user must be allowed")
}

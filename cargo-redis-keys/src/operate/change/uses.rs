//! Whether servers note when keys are used.
//!
//! A server does not update the idle times of keys while it has a child process, so that less memory is copied: the
//! child saves, rewrites the AOF or serves a new replica. A use in that time is not seen later. So idle times are
//! compared only if the server has had no child since the plan was made, which it counts.

use std::collections::HashMap;

use super::plan::{Forks, PlannedKey, PlannedNode};
use super::target::{Target, refuses};
use crate::Failure;
use crate::operate::server::connection::{Link, LinkError, Reply, Server};
use crate::operate::server::value::info_fields;
use crate::render::units::things;

/// The fields of `INFO` that say whether there is a child.
const CHILDREN: [&str; 4] = [
    "rdb_bgsave_in_progress",
    "aof_rewrite_in_progress",
    "module_fork_in_progress",
    // Valkey from 9.0 on.
    "slot_migration_fork_in_progress",
];

/// The reasons for which it is not certain when a key was used.
pub(super) const FORKED: &str =
    "its server has had a child process since the plan was made, such as one that saves, and noted no uses meanwhile";
pub(super) const RESET: &str = "`CONFIG RESETSTAT` has reset what its server counts since the plan was made";
const UNKNOWN: &str = "its server does not say whether it noted all uses since the plan was made";
pub(super) const MOVED: &str = "another server has it since the plan was made";

/// A server at a moment.
pub(super) struct ServerSnapshot {
    /// The node, with its forks if it says them and has no child.
    pub(super) node: PlannedNode,
    has_child: bool,
    /// Whether the server reports its counts.
    has_info: bool,
    replicas: u64,
}

/// Asks all primaries.
pub(super) fn observe(target: &Target) -> Result<Vec<ServerSnapshot>, Failure> {
    target.primaries().into_iter().map(|(server, node)| ask(server, node)).collect()
}

fn ask(server: &Server, node: PlannedNode) -> Result<ServerSnapshot, Failure> {
    // Without it, the script cannot compare expiries.
    let mut link = open_with_time(server)?;
    let info = link.ask(&[b"INFO"]).map_err(|error| failed(server, error))?;
    Ok(read(&String::from_utf8_lossy(info.bytes().unwrap_or_default()), node))
}

/// Fails if a server refuses to say the time, on which expiries depend.
pub(super) fn must_allow_time(target: &Target) -> Result<(), Failure> {
    target.primaries().into_iter().try_for_each(|(server, _)| open_with_time(server).map(drop))
}

/// A connection to a server that says the time.
fn open_with_time(server: &Server) -> Result<Link, Failure> {
    let mut link = Link::open(server).map_err(|error| failed(server, error))?;
    if link.ask(&[b"TIME"]).map_err(|error| failed(server, error))? == Reply::CommandRefused {
        return Err(refuses(server, "TIME"));
    }
    Ok(link)
}

fn failed(server: &Server, error: LinkError) -> Failure {
    let unreachable = |why| Failure::new(format!("{server} cannot be reached: {why}"));
    error.retry(server).map_or_else(|failure| failure, unreachable)
}

fn read(info: &str, node: PlannedNode) -> ServerSnapshot {
    let fields = info_fields(info);
    let number = |name: &str| fields.get(name).and_then(|value| value.parse::<u64>().ok());
    let forks = || {
        Some(Forks {
            total: number("total_forks")?,
            latest_us: number("latest_fork_usec")?,
            commands: number("total_commands_processed")?,
            saved_at: number("rdb_last_save_time").unwrap_or_default(),
            aof_base_bytes: number("aof_base_size").unwrap_or_default(),
        })
    };
    let has_child = CHILDREN.iter().any(|name| number(name).is_some_and(|children| children > 0));
    let forks = forks();
    ServerSnapshot {
        has_info: forks.is_some(),
        node: PlannedNode { forks: forks.filter(|_| !has_child), ..node },
        has_child,
        replicas: number("connected_slaves").unwrap_or_default(),
    }
}

/// Refuses to compare uses with a server that does not note any just now.
pub(super) fn must_be_noted(servers: &[ServerSnapshot]) -> Result<(), Failure> {
    let Some(busy) = servers.iter().find(|server| server.has_child) else { return Ok(()) };
    let message = format!(
        "{} has a child process, such as one that saves, and does not note when keys are used until that ends",
        busy.node.address
    );
    Err(Failure::new(message)
        .help("try again when `INFO persistence` shows no child in progress, or add `--without-last-use`"))
}

/// The uses of keys that were not checked, before a plan is made or carried out.
pub(super) fn not_checked(servers: &[ServerSnapshot]) -> Vec<String> {
    let mut notes = Vec::new();
    for server in servers {
        let address = &server.node.address;
        if !server.has_info {
            notes.push(format!("last use of the keys of {address}: `INFO` does not say whether it notes uses"));
        }
        if server.replicas > 0 {
            let replicas = things(server.replicas, "replica");
            notes.push(format!("reads from replicas: {address} has {replicas}, and does not note what is read there"));
        }
    }
    notes
}

/// The remarks about servers that had a child while a plan was made.
pub(super) fn forked_meanwhile(before: &[ServerSnapshot], after: &[ServerSnapshot]) -> Vec<String> {
    let is_same = |server: &&ServerSnapshot| objection(&server.node, after).is_none();
    let known = before.iter().filter(|server| server.has_info);
    let forked = known.filter(|server| !is_same(server)).map(|server| {
        let address = &server.node.address;
        format!(
            "last use of the keys of {address}, which has had a child process while the plan was made, such as one that \
             saves: they stay unless `--without-last-use` is added"
        )
    });
    forked.collect()
}

/// The reason for which there may have been a child between two moments.
fn forked(before: &Forks, after: &Forks) -> Option<&'static str> {
    if after.commands < before.commands {
        return Some(RESET);
    }
    (*before != Forks { commands: before.commands, ..*after }).then_some(FORKED)
}

/// The reason for which it is not certain when a node's keys were used since it was planned.
fn objection(planned: &PlannedNode, now: &[ServerSnapshot]) -> Option<&'static str> {
    let is_it = |server: &&ServerSnapshot| server.node.id == planned.id;
    let Some(server) = now.iter().find(is_it) else { return Some(MOVED) };
    match (&planned.forks, &server.node.forks) {
        (Some(before), Some(after)) => forked(before, after),
        (Some(_), None) if server.has_child => Some(FORKED),
        _ => Some(UNKNOWN),
    }
}

/// The servers of a plan, whose keys are removed only if every use would have been noticed.
pub(super) struct PlannedUses {
    nodes: HashMap<String, PlannedNode>,
    /// The reasons, by address, for which the keys of a server stay.
    objections: HashMap<String, &'static str>,
}

impl PlannedUses {
    /// Compares the servers of a plan with their current state.
    pub(super) fn new(planned: &[PlannedNode], now: &[ServerSnapshot]) -> Self {
        let objections = planned.iter().filter_map(|node| Some((node.address.clone(), objection(node, now)?)));
        Self {
            objections: objections.collect(),
            nodes: planned.iter().map(|node| (node.address.clone(), node.clone())).collect(),
        }
    }

    /// The server that had a key, with its forks, or the reason for which it is not certain when the key was used.
    pub(super) fn of(&self, key: &PlannedKey) -> Result<(&str, Forks), &'static str> {
        if let Some(objection) = self.objections.get(&key.node) {
            return Err(objection);
        }
        let node = self.nodes.get(&key.node).ok_or(UNKNOWN)?;
        Ok((&node.id, node.forks.ok_or(UNKNOWN)?))
    }

    /// Notes that it is not certain any more when a server's keys were used.
    pub(super) fn object(&mut self, address: &str, why: &'static str) {
        self.objections.insert(address.to_owned(), why);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INFO: &str = "rdb_bgsave_in_progress:0\r\naof_rewrite_in_progress:0\r\nmodule_fork_in_progress:0\r\n\
                        rdb_last_save_time:5\r\naof_base_size:0\r\ntotal_forks:3\r\nlatest_fork_usec:250\r\n\
                        total_commands_processed:10\r\nconnected_slaves:0\r\n";

    fn node(id: &str) -> PlannedNode {
        PlannedNode { address: "a:1".to_owned(), id: id.to_owned(), forks: None }
    }

    #[test]
    fn what_a_child_changes_is_noticed() {
        let planned = read(INFO, node("x")).node;
        for (from, to, expected) in [
            ("processed:10", "processed:99", None),
            ("total_forks:3", "total_forks:4", Some(FORKED)),
            ("usec:250", "usec:251", Some(FORKED)),
            // `CONFIG RESETSTAT`, and a child after it.
            ("processed:10", "processed:9", Some(RESET)),
            ("save_time:5", "save_time:6", Some(FORKED)),
            ("base_size:0", "base_size:7", Some(FORKED)),
            ("bgsave_in_progress:0", "bgsave_in_progress:1", Some(FORKED)),
            ("fork_in_progress:0", "fork_in_progress:1", Some(FORKED)),
            ("total_forks", "other", Some(UNKNOWN)),
        ] {
            let now = read(&INFO.replace(from, to), node("x"));
            assert_eq!(objection(&planned, &[now]), expected, "{to}");
        }
        assert_eq!(objection(&planned, &[read(INFO, node("y"))]), Some(MOVED));
        assert_eq!(objection(&node("x"), &[read(INFO, node("x"))]), Some(UNKNOWN));
        assert_eq!(objection(&read("", node("x")).node, &[read(INFO, node("x"))]), Some(UNKNOWN));
    }
}

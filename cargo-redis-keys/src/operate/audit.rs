//! `audit`: compares a live server with the declarations, reading only.
//!
//! A [scan](crate::operate::server::scan) reads each node. Every key gets a [first look](crate::operate::server::scan::FirstLook) (its
//! type, expiry and memory), and some a [second look](crate::operate::server::scan::SecondLook). A [`Tally`] for each node
//! counts them in a bounded amount of memory. The report is made of the tallies and of the facts about each server.

mod findings;
#[cfg(test)]
pub(crate) mod fixtures;
pub(crate) mod report;
pub(crate) mod tally;

use std::sync::Arc;
use std::time::{Duration, SystemTime};

pub use report::STOCK;
use tally::Tally;

use crate::Failure;
use crate::operate::server::connection::Server;
use crate::operate::server::facts::Facts;
use crate::operate::server::scan::{FirstLook, NodeResult, Probes, ScanArgs, ScanResult, SecondLook, Visitor, scan};
use crate::operate::server::schemas::Schemas;

/// The result for a node.
pub(crate) type Node = NodeResult<Tally>;

/// The scan of an audit as a whole.
pub(crate) struct Run {
    pub(crate) started: SystemTime,
    pub(crate) took: Duration,
    /// The servers that were named, with their databases.
    pub(crate) servers: Vec<String>,
    /// The options that say which keys were seen, such as `("match", "user:*")`, and how, such as `("pace", "share
    /// 50%")`.
    pub(crate) options: Vec<(String, String)>,
    /// Whether all keys were seen that the options ask for.
    pub(crate) is_complete: bool,
    /// Whether it was interrupted or has failed.
    pub(crate) has_ended_early: bool,
    /// Whether real keys are shown.
    pub(crate) shows_keys: bool,
}

/// The servers that are named, with their databases.
pub(crate) fn names_of(servers: &[Server]) -> Vec<String> {
    servers.iter().map(|server| format!("{server}/{}", server.database())).collect()
}

/// The result of an audit.
pub(crate) struct AuditResult {
    pub(crate) run: Run,
    pub(crate) nodes: Vec<Node>,
    /// The failure if it has ended early.
    pub(crate) failure: Option<Failure>,
}

/// The options that say which keys are seen, and the pace.
pub(crate) fn options(args: &ScanArgs, schemas: &Schemas) -> Vec<(String, String)> {
    let mut options = args.described();
    options.extend(schemas.namespace.iter().map(|namespace| ("namespace".to_owned(), namespace.clone())));
    options.extend(schemas.legacy_prefix.iter().map(|prefix| ("legacy-prefix".to_owned(), prefix.clone())));
    options
}

/// Reads the servers, and counts each node's keys.
pub(crate) fn run(
    servers: &[Server],
    args: &ScanArgs,
    schemas: &Arc<Schemas>,
    shows_keys: bool,
) -> Result<AuditResult, Failure> {
    let started = SystemTime::now();
    let visitor = Arc::new(AuditVisitor { schemas: Arc::clone(schemas) });
    let ScanResult { mut nodes, took, failure, .. } = scan(servers, args, &visitor)?;
    let mut options = options(args, schemas);
    for node in &mut nodes {
        let excess = node.excess.iter().map(|excess| format!("{}: {excess}", node.facts.address));
        options.extend(excess.map(|excess| ("latency".to_owned(), excess)));
        node.facts.not_checked.extend(NodeResult::not_read(std::slice::from_ref(node)));
    }
    let has_all = failure.is_none() && nodes.iter().all(|node| node.moved_keys == 0);
    let is_complete = args.sample.is_none() && has_all;
    let servers = names_of(servers);
    let has_ended_early = failure.is_some();
    let run = Run { started, took, servers, options, is_complete, has_ended_early, shows_keys };
    Ok(AuditResult { run, nodes, failure })
}

/// Counts the keys of each node in a [`Tally`].
struct AuditVisitor {
    schemas: Arc<Schemas>,
}

impl Visitor for AuditVisitor {
    type Counts = Tally;

    const WITHOUT_RESUME: Option<&'static str> =
        Some("with `--resume FILE`, the audit can be interrupted and go on later");

    const IS_USEFUL_IN_PART: bool = true;

    fn schemas(&self) -> &Schemas {
        &self.schemas
    }

    fn probes(&self, facts: &Facts) -> Probes {
        let is_lfu = facts.maxmemory_policy.as_ref().map(|policy| policy.ends_with("lfu"));
        Probes {
            memory: true,
            length: true,
            encoding: true,
            frequency: is_lfu == Some(true),
            idle_time: is_lfu == Some(false),
            members: true,
            hyperloglog: true,
            hot_keys: facts.has_hot_keys(),
            ..Probes::default()
        }
    }

    fn counts(&self, facts: &Facts) -> Tally {
        Tally::new(facts)
    }

    fn first_look(&self, tally: &mut Tally, look: &FirstLook<'_>) -> bool {
        tally.first_look(&self.schemas, look)
    }

    fn second_look(
        &self,
        tally: &mut Tally,
        _: &str,
        look: &FirstLook<'_>,
        second: &SecondLook,
    ) -> Result<(), Failure> {
        tally.second_look(&self.schemas, look, second);
        Ok(())
    }
}

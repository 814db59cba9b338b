//! `audit`: compares a live server with the declarations, reading only.
//!
//! A [scan](crate::server::scan) reads each node. Every key gets a [first look](crate::server::scan::FirstLook) (its
//! type, expiry and memory), and some a [second look](crate::server::scan::SecondLook). A [`Tally`] for each node
//! counts them in a bounded amount of memory. The report is made of the tallies and of the facts about each server.

mod finding_id;
mod findings;
#[cfg(test)]
mod fixtures;
pub(crate) mod report;
pub(crate) mod tally;

use std::sync::Arc;
use std::time::{Duration, SystemTime};

pub use report::STOCK;
use tally::Tally;

use crate::Failure;
use crate::server::connection::Server;
use crate::server::scan::{ScanArgs, Scanned, ScannedNode, scan};
use crate::server::schemas::Schemas;

/// A node that was audited.
pub(crate) type Node = ScannedNode<Tally>;

/// The scan of an audit as a whole.
pub(crate) struct Run {
    pub(crate) started: SystemTime,
    pub(crate) took: Duration,
    /// The options that say which keys were seen, such as `("match", "user:*")`, and how, such as `("pace", "share
    /// 50%")`.
    pub(crate) options: Vec<(String, String)>,
    /// Whether all keys were seen that the options ask for.
    pub(crate) is_complete: bool,
}

/// Reads the servers, and counts the keys of each node.
pub(crate) fn run(servers: &[Server], args: &ScanArgs, schemas: &Arc<Schemas>) -> Result<(Run, Vec<Node>), Failure> {
    let started = SystemTime::now();
    let Scanned { mut nodes, took, .. } = scan(servers, args, schemas)?;
    let mut options = args.described();
    options.extend(schemas.namespace.iter().map(|namespace| ("namespace".to_owned(), namespace.clone())));
    options.extend(schemas.legacy_prefix.iter().map(|prefix| ("legacy-prefix".to_owned(), prefix.clone())));
    for node in &mut nodes {
        let excess = node.excess.iter().map(|excess| format!("{}: {excess}", node.facts.address));
        options.extend(excess.map(|excess| ("latency".to_owned(), excess)));
        match node.refused_keys {
            0 => {}
            1 => node.facts.not_checked.push("1 key: the user may not access it".to_owned()),
            keys => node.facts.not_checked.push(format!("{keys} keys: the user may not access them")),
        }
    }
    Ok((Run { started, took, options, is_complete: args.sample.is_none() }, nodes))
}

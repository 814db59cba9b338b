//! The file from which an audit resumes.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::options::ScanArgs;
use super::state::{Node, NodeState};
use crate::Failure;
use crate::declare::if_exists;
use crate::file::{Access, replace_with};
use crate::operate::server::schemas::Schemas;
use crate::render::printable;

/// The file's version.
const FORMAT: u32 = 4;

/// A number that changes with the declarations and with the options that say which keys are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Fingerprint(u64);

impl Fingerprint {
    pub(super) fn new(schemas: &Schemas, args: &ScanArgs) -> Self {
        let options = (&args.pattern, args.sample, args.replicas, args.touch, &schemas.namespace);
        let prefix = schemas.legacy_prefix.as_deref().unwrap_or_default();
        let text = format!("{}{options:?}{prefix}", schemas.catalog.to_json());
        // FNV-1a.
        Self(
            text.bytes()
                .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)),
        )
    }
}

/// The file's content.
#[derive(Serialize, Deserialize)]
struct ResumeFile<Servers, Nodes> {
    format: u32,
    fingerprint: Fingerprint,
    /// The servers that were named, with their databases.
    servers: Servers,
    nodes: Nodes,
}

/// Loads the states of these nodes from a file, if it exists. Whether a node still runs is found out when it is read.
pub(super) fn load<C: Default + DeserializeOwned>(
    file: &Path,
    fingerprint: Fingerprint,
    servers: &[String],
    nodes: &[Arc<Node<C>>],
) -> Result<(), Failure> {
    let shown = file.display();
    let Some(opened) = if_exists(file, File::open(file))? else { return Ok(()) };
    let help = format!("remove `{shown}` to start over, or name another file");
    let loaded: ResumeFile<Vec<String>, Vec<NodeState<C>>> = serde_json::from_reader(BufReader::new(opened))
        .map_err(|error| Failure::new(format!("`{shown}` is not the state of an audit: {error}")).help(&help))?;
    if loaded.format != FORMAT {
        let message = format!("`{shown}` has format {}, expected {FORMAT}", loaded.format);
        return Err(Failure::new(message).help(help));
    }
    if loaded.servers != servers {
        let [saved, asked] = [&loaded.servers, servers].map(|servers| printable(servers.join(", ")));
        return Err(Failure::new(format!("`{shown}` belongs to an audit of {saved}, not of {asked}")).help(help));
    }
    if loaded.fingerprint != fingerprint {
        let message = format!("`{shown}` belongs to an audit with other declarations or options");
        return Err(Failure::new(message).help(help));
    }
    for state in loaded.nodes {
        if let Some(node) = nodes.iter().find(|node| node.address() == state.facts.address) {
            node.set_seen(state.seen);
            *node.state() = state;
        }
    }
    Ok(())
}

/// Saves the states of the nodes, with real keys.
pub(super) fn save<C: Default + Serialize>(
    file: &Path,
    fingerprint: Fingerprint,
    servers: &[String],
    nodes: &[Arc<Node<C>>],
) -> Result<(), Failure> {
    replace_with(file, Access::Owner, |out| {
        let locked: Vec<_> = nodes.iter().map(|node| node.state()).collect();
        let nodes: Vec<_> = locked.iter().map(|state| &**state).collect();
        serde_json::to_writer(out, &ResumeFile { format: FORMAT, fingerprint, servers, nodes })?;
        Ok(())
    })
}

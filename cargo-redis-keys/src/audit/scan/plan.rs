//! Finds the nodes that are to be read.

use std::sync::Arc;
use std::time::Instant;

use super::node::{self, Node};
use super::run::Context;
use crate::Failure;
use crate::audit::inspect::inspect;
use crate::audit::topology::Topology;
use crate::connection::{Link, LinkError, Server};

/// The nodes that are to be read.
pub(super) struct Plan {
    pub(super) nodes: Vec<Arc<Node>>,
}

/// What is found at an address.
enum Found {
    Sentinel,
    Server { run_id: String },
    Cluster(Topology),
}

/// Finds the nodes that are to be read: these servers, and all nodes of their clusters.
pub(super) fn plan(servers: &[Server], context: &Context) -> Result<Plan, Failure> {
    let (mut nodes, mut known) = (Vec::new(), Vec::new());
    let mut add = |node: Node, id: Vec<u8>| {
        // Two URLs can name the same server.
        if !known.contains(&id) {
            known.push(id);
            nodes.push(Arc::new(node));
        }
    };
    for server in servers {
        match find_patiently(server, context)? {
            Found::Sentinel => return Err(Failure::new(format!("{server} is a sentinel, which has no keys"))),
            Found::Server { run_id } => {
                let id = if run_id.is_empty() { server.to_string() } else { format!("{run_id} {}", server.database()) };
                add(Node::new(server.clone(), None), id.into_bytes());
            }
            Found::Cluster(topology) => {
                let members: Vec<_> = topology.members().map(|member| member.server.clone()).collect();
                for shard in &topology.shards {
                    let member = shard.member(context.args.replicas);
                    if context.args.replicas && shard.replicas.is_empty() {
                        context.message(format!("note: {} has no replica, and is read itself", member.server));
                    }
                    add(Node::new(member.server.clone(), Some(members.clone())), member.id.clone());
                }
            }
        }
    }
    if let Ok(mut claimed) = context.claimed.lock() {
        claimed.extend(nodes.iter().map(|node: &Arc<Node>| node.address()));
    }
    Ok(Plan { nodes })
}

/// Waits for a server that is not ready.
fn find_patiently(server: &Server, context: &Context) -> Result<Found, Failure> {
    let started = Instant::now();
    loop {
        match find(server) {
            Ok(found) => return Ok(found),
            Err(LinkError::Refused(why)) => return Err(node::refused(server, &why)),
            Err(LinkError::Unavailable(why)) if started.elapsed() >= node::PATIENCE => {
                return Err(node::unavailable(server, &why));
            }
            Err(LinkError::Unavailable(_)) if context.must_stop() => return Err(Failure::new("interrupted")),
            Err(LinkError::Unavailable(_)) => context.sleep(node::RETRY_EVERY),
        }
    }
}

fn find(server: &Server) -> Result<Found, LinkError> {
    let mut link = Link::open(server)?;
    let inspected = inspect(&mut link, server)?;
    if inspected.is_sentinel {
        return Ok(Found::Sentinel);
    }
    if !inspected.is_cluster {
        return Ok(Found::Server { run_id: inspected.facts.run_id });
    }
    let topology = Topology::read(&mut link, server)?;
    if topology.shards.is_empty() {
        return Err(LinkError::Unavailable("the cluster has no slots".to_owned()));
    }
    Ok(Found::Cluster(topology))
}

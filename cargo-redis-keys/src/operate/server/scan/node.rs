//! Finds the nodes to read, and reads a node to its end: tries again when it fails, and starts over when another node
//! takes its place.

use std::sync::Arc;
use std::time::Instant;

use super::Context;
use super::reader::Reader;
use super::state::{Node, NodeState, Nodes, StopReason, lock};
use super::visitor::Visitor;
use crate::Failure;
use crate::operate::server::connection::{Link, Server};
use crate::operate::server::facts::{Patience, RETRY_EVERY, find, inspect};
use crate::operate::server::topology::Topology;
use crate::render::units::millis;

/// Finds the nodes to read: these servers, and all nodes of their clusters.
pub(super) fn nodes<V: Visitor>(servers: &[Server], context: &Context<V>) -> Result<Nodes<V::Counts>, Failure> {
    let replicas = context.args.replicas;
    let (mut nodes, mut known) = (Vec::new(), Vec::new());
    let mut add = |node: Node<V::Counts>, id: Vec<u8>| {
        // Two URLs can name the same server.
        if !known.contains(&id) {
            known.push(id);
            nodes.push(Arc::new(node));
        }
    };
    for server in servers {
        let (info, topology) = find(server, &context.stop, unavailable)?;
        let Some(topology) = topology else {
            let id = info.facts.run_id;
            let id = if id.is_empty() { server.to_string() } else { format!("{id} {}", server.database()) };
            add(Node::new(server.clone(), None), id.into_bytes());
            continue;
        };
        let members: Vec<_> = topology.members().map(|member| member.server.clone()).collect();
        for shard in &topology.shards {
            let member = shard.member(replicas);
            if replicas && shard.replicas.is_empty() {
                context.message(format!("note: {} has no replica, and is read itself", member.server));
            }
            add(Node::new(member.server.clone(), Some(members.clone())), member.id.clone());
        }
    }
    lock(&context.claimed).extend(nodes.iter().map(|node| node.address()));
    Ok(nodes)
}

fn unavailable(server: &Server, why: &str) -> Failure {
    Failure::new(format!("cannot read {server}: {why}"))
}

/// Reads a node to its end.
pub(super) fn scan<V: Visitor>(node: &Node<V::Counts>, context: &Context<V>) -> Result<(), Failure> {
    let mut patience = Patience::default();
    loop {
        let before = node.state().cursor;
        let why = match read(node, context) {
            Ok(()) | Err(StopReason::Asked) => return Ok(()),
            Err(StopReason::Failed(failure)) => return Err(failure),
            Err(StopReason::Displaced) => "the node is no primary any more".to_owned(),
            Err(StopReason::Unavailable(why)) => why,
        };
        if patience.is_over(node.state().cursor != before) {
            return Err(unavailable(&node.server(), &why));
        }
        context.sleep(RETRY_EVERY);
        if node.is_in_cluster() && !move_on(node, context) {
            return Ok(());
        }
    }
}

/// Opens a connection and reads pages.
fn read<V: Visitor>(node: &Node<V::Counts>, context: &Context<V>) -> Result<(), StopReason> {
    let server = node.server();
    let opened = Instant::now();
    let ask = || {
        let mut link = Link::open(&server)?;
        let info = inspect(&mut link, &server)?;
        let topology = if node.is_in_cluster() { Some(Topology::read(&mut link, &server)?) } else { None };
        Ok((link, info.facts, topology.map(|topology| topology.slots_at(&server.to_string()))))
    };
    let (link, facts, slots) = ask().map_err(|error| StopReason::of(&server, error))?;
    {
        let mut state = node.state();
        let is_same = state.facts.run_id == facts.run_id && !state.facts.run_id.is_empty();
        if is_same {
            state.facts = facts;
        } else {
            if state.seen > 0 {
                context.message(format!("note: {server} was restarted; starting over"));
            }
            let took_ms = state.took_ms;
            let counts = context.visitor.counts(&facts);
            *state = NodeState { counts, facts, slots, cursor: Some(0), took_ms, ..NodeState::default() };
            node.set_seen(0);
        }
        if state.is_finished {
            return Ok(());
        }
    }
    let result = Reader::open(link, &server, node, context).and_then(|mut reader| reader.run());
    node.state().took_ms += millis(opened.elapsed());
    result
}

/// Finds the node that has the slots by now. Returns `false` if another thread reads it.
fn move_on<V: Visitor>(node: &Node<V::Counts>, context: &Context<V>) -> bool {
    let (old, slots) = (node.address(), node.state().slots.clone().unwrap_or_default());
    let replicas = context.args.replicas;
    let shard = Topology::ask(node.members(), |topology| topology.owner(&slots).cloned());
    let Some(shard) = shard else { return true };
    if shard.has(&old, replicas) && Link::open(&node.server()).is_ok() {
        return true;
    }
    let others = shard.readable(replicas).filter(|member| member.server.to_string() != old);
    for member in others {
        let address = member.server.to_string();
        let mut claimed = lock(&context.claimed);
        if claimed.contains(&address) {
            // All slots moved to a node that is read anyway.
            let mut state = node.state();
            state.is_finished = true;
            state.moved_slots = slots.iter().collect();
            return false;
        }
        if Link::open(&member.server).is_ok() {
            claimed.retain(|claimed| *claimed != old);
            claimed.push(address.clone());
            context.message(format!("note: {address} has taken the place of {old}; starting over"));
            node.set_server(member.server.clone());
            *node.state() = NodeState { slots: Some(slots), ..NodeState::default() };
            node.set_seen(0);
            return true;
        }
    }
    true
}

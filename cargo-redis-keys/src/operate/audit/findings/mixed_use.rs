//! Servers that several owners share, or a cache and what must stay.

use std::collections::BTreeMap;

use super::listed;
use crate::declare::catalog::Key;
use crate::operate::audit::Node;
use crate::operate::server::schemas::Schemas;
use crate::render::units::things;
use crate::render::{Figures, Finding, FindingId, StoredSubject};

/// The servers with several purposes, together: those of a cluster have the same keys.
pub(super) fn mixed_use(schemas: &Schemas, nodes: &[Node]) -> Option<Finding> {
    let mixed = |node: &Node| {
        let present = present(schemas, node);
        let purposes: Vec<_> = [owners(&present), evicted(node, &present)].into_iter().flatten().collect();
        (!purposes.is_empty()).then(|| purposes.join("; "))
    };
    let found: Vec<_> = nodes.iter().filter_map(|node| Some((node, mixed(node)?))).collect();
    let (node, what) = found.first()?;
    let (stored, servers) = match found.len() {
        1 => (StoredSubject::Server(node.facts.address.clone()), String::new()),
        several => (StoredSubject::Servers, format!(", on {several} of {} servers", nodes.len())),
    };
    let figures = Figures { count: found.len() as u64, ..Figures::default() };
    Some(Finding::of_audit(FindingId::MixedUse, stored, format!("{what}{servers}"), figures))
}

/// The declarations with keys on a node, and the number of these keys.
fn present<'s>(schemas: &'s Schemas, node: &Node) -> Vec<(&'s Key, u64)> {
    let keys = |index: usize| node.counts.declared(index).map_or(0, |counts| counts.keys);
    let all = schemas.catalog.keys.iter().enumerate().map(|(index, key)| (key, keys(index)));
    all.filter(|(_, keys)| *keys > 0).collect()
}

/// The owners, if there are several.
fn owners(present: &[(&Key, u64)]) -> Option<String> {
    let mut owners = BTreeMap::<&str, u64>::new();
    for (key, keys) in present {
        if let Some(owner) = &key.owner {
            *owners.entry(owner).or_default() += keys;
        }
    }
    let shown: Vec<_> = owners.iter().map(|(owner, keys)| format!("`{owner}` ({})", things(*keys, "key"))).collect();
    (owners.len() > 1).then(|| format!("it has keys of {}", shown.join(", ")))
}

/// The keys that never expire and can be evicted, beside those for which the server evicts.
fn evicted(node: &Node, present: &[(&Key, u64)]) -> Option<String> {
    let policy = node.facts.maxmemory_policy.as_deref().filter(|policy| policy.starts_with("allkeys"))?;
    if node.facts.maxmemory.is_none_or(|limit| limit == 0) {
        return None;
    }
    let named = |is_wanted: fn(&Key) -> bool| -> Vec<&str> {
        present.iter().filter(|(key, _)| is_wanted(key)).map(|(key, _)| key.name.as_str()).collect()
    };
    let (kept, cached) = (named(|key| key.ttl_ms().is_none()), named(|key| key.role_name() == Some("cache")));
    let both = !kept.is_empty() && !cached.is_empty();
    both.then(|| {
        format!("`{policy}` can evict what never expires ({}) for what is cached ({})", listed(&kept), listed(&cached))
    })
}

//! The hot keys of a report, by declaration, pattern and program.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::document::{HotSubject, HotSummary, HotTotal, PatternSummary};
use super::pattern::matches;
use crate::operate::audit::Node;
use crate::operate::server::hot_keys::{HotKeys, KeyCosts};
use crate::operate::server::schemas::Schemas;
use crate::render::KeyText;
use crate::render::units::percent;

/// The hot keys that the servers have found, with most CPU time first.
pub(super) fn hot_keys(
    schemas: &Schemas,
    nodes: &[Node],
    unknown: &[PatternSummary],
) -> (Vec<HotSummary>, Option<HotTotal>) {
    let collections = collections(nodes);
    let mut subjects = BTreeMap::<_, (BTreeSet<_>, u64, u64)>::new();
    for hot in &collections {
        let cpu_us = keys_of(hot.cpu_us.as_ref()).map(|(key, us)| (key, *us, 0));
        let network = keys_of(hot.network_bytes.as_ref()).map(|(key, bytes)| (key, 0, *bytes));
        for (key, us, bytes) in cpu_us.chain(network) {
            let (keys, cpu_us, network_bytes) = subjects.entry(subject_of(schemas, unknown, key)).or_default();
            keys.insert(key);
            (*cpu_us, *network_bytes) = (cpu_us.saturating_add(us), network_bytes.saturating_add(bytes));
        }
    }
    let summary = |(subject, (keys, cpu_us, network_bytes)): (_, (BTreeSet<_>, _, _))| HotSummary {
        subject,
        keys: keys.len() as u64,
        cpu_us,
        network_bytes,
    };
    let mut summaries: Vec<_> = subjects.into_iter().map(summary).collect();
    summaries.sort_by_key(|summary| Reverse((summary.cpu_us, summary.network_bytes)));
    (summaries, total(&collections))
}

fn keys_of(measured: Option<&KeyCosts>) -> impl Iterator<Item = &(KeyText, u64)> {
    measured.into_iter().flat_map(|measured| &measured.keys)
}

/// The collections, one of each server: its databases share the collection.
fn collections(nodes: &[Node]) -> Vec<&HotKeys> {
    let mut known = BTreeSet::new();
    let found = nodes.iter().filter_map(|node| Some((&node.facts.run_id, node.hot_keys.as_ref()?)));
    found.filter(|(run_id, _)| run_id.is_empty() || known.insert(*run_id)).map(|(_, hot)| hot).collect()
}

fn total(collections: &[&HotKeys]) -> Option<HotTotal> {
    let sum = |of: fn(&HotKeys) -> &Option<KeyCosts>| {
        let totals = collections.iter().filter_map(|hot| Some(of(hot).as_ref()?.total));
        totals.reduce(u64::saturating_add)
    };
    Some(HotTotal {
        servers: collections.len() as u64,
        collected_ms: collections.iter().map(|hot| hot.collected_ms).max()?,
        sample_ratio: collections.iter().map(|hot| hot.sample_ratio).max()?,
        cpu_us: sum(|hot| &hot.cpu_us),
        network_bytes: sum(|hot| &hot.network_bytes),
    })
}

/// The subject of a key. The text of an unknown key is not in the report, so it needs a pattern that is in the report.
fn subject_of(schemas: &Schemas, unknown: &[PatternSummary], key: &KeyText) -> HotSubject {
    let Some(whole) = key.whole() else { return HotSubject::Others };
    if let Some(declared) = schemas.matcher.find(whole).and_then(|index| schemas.catalog.keys.get(index)) {
        return HotSubject::Template(declared.template.clone());
    }
    if let Some(program) = schemas.foreign.find(whole) {
        return HotSubject::Program(program.to_owned());
    }
    // The pattern with most literal text.
    let text = |summary: &&PatternSummary| (Reverse(summary.pattern.matches('{').count()), summary.pattern.len());
    let pattern = unknown.iter().filter(|summary| matches(&summary.pattern, whole)).max_by_key(text);
    pattern.map_or(HotSubject::Others, |summary| HotSubject::Pattern(summary.pattern.clone()))
}

impl HotSummary {
    /// Their shares of the CPU time and of the network of all keys. Empty if that was not collected.
    pub(super) fn shares(&self, total: &HotTotal) -> [String; 2] {
        let share = |part: u64, whole: Option<u64>| whole.map(|whole| percent(part, whole)).unwrap_or_default();
        [share(self.cpu_us, total.cpu_us), share(self.network_bytes, total.network_bytes)]
    }
}

impl HotSubject {
    /// The text that is shown for it.
    pub(super) fn shown(&self) -> &str {
        match self {
            Self::Template(text) | Self::Pattern(text) | Self::Program(text) => text,
            Self::Others => "other keys",
        }
    }
}

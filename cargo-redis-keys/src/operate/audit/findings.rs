//! An audit's findings: findings about keys from the counts, and findings about servers from their facts.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use redis_keys_core::Kind;
use redis_keys_core::schema::ParameterForm;

use super::Node;
use super::tally::{Counts, Tally};
use crate::declare::catalog::{Key, Parameter, parameters};
use crate::operate::masking::Masking;
use crate::operate::server::facts::Facts;
use crate::operate::server::schemas::{Limits, Schemas};
use crate::render::units::{bytes, count, duration, exact_bytes, percent, things};
use crate::render::{Example, Figures, Finding, FindingId, KeyText, StoredSubject, printable};

/// A restart of an instance with more keys takes minutes.
const MAX_KEYS: u64 = 10_000_000;

/// The findings, the most serious first, and among equals the finding with most memory. `whole` has the counts of all
/// nodes.
pub(crate) fn findings_of(schemas: &Schemas, nodes: &[Node], whole: &Tally, masking: &Masking) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (index, key) in schemas.catalog.keys.iter().enumerate() {
        if let (Some(counts), Some(limits)) = (whole.declared(index), schemas.declared(index)) {
            let subject = declaration(key);
            add_counted(&mut findings, &subject, counts, masking, |id, example| {
                let detail = of_declaration(id, key, limits, counts);
                let example = example.filter(|_| masking.shows_keys);
                let decoded = example.and_then(|example| decoded(key, schemas, &example.key));
                [detail].into_iter().filter(|detail| !detail.is_empty()).chain(decoded).collect::<Vec<_>>().join("; ")
            });
            findings.extend(without_rebuild(key, counts));
        }
    }
    let unknown = &whole.unknown;
    add_counted(&mut findings, &StoredSubject::UnknownKeys, unknown, masking, |id, _| of_unknown(id, unknown));
    for (name, counts) in whole.foreign() {
        add_counted(&mut findings, &StoredSubject::Foreign(name.to_owned()), counts, masking, |_, _| String::new());
    }
    if schemas.catalog.keys.is_empty() {
        // All keys are unknown then.
        findings.retain(|finding| finding.id() != Some(FindingId::UnknownKey));
    }
    for node in nodes {
        add_server(&mut findings, &node.facts, &schemas.catalog.keys);
    }
    findings.extend(without_lfu(nodes));
    findings.extend(mixed_use(schemas, nodes));
    findings.sort_by(|one, other| {
        let order = |finding: &Finding| {
            (std::cmp::Reverse((finding.level, finding.figures.bytes, finding.figures.count)), finding.code)
        };
        order(one).cmp(&order(other)).then_with(|| one.stored().cmp(&other.stored()))
    });
    findings
}

fn add_counted(
    findings: &mut Vec<Finding>,
    stored: &StoredSubject,
    counts: &Counts,
    masking: &Masking,
    detail: impl Fn(FindingId, Option<&Example>) -> String,
) {
    findings.extend(counts.findings().map(|(id, evidence)| {
        let examples = evidence.examples.items();
        let figures = Figures {
            count: evidence.count,
            bytes: evidence.bytes,
            examples: examples.iter().map(|example| masking.example(example)).collect(),
        };
        Finding::of_audit(id, stored.clone(), detail(id, examples.first()), figures)
    }));
}

fn declaration(key: &Key) -> StoredSubject {
    StoredSubject::Declaration { name: key.name.clone(), template: key.template.clone() }
}

/// The keys of a declaration that never expire, without a description how they are restored.
fn without_rebuild(key: &Key, counts: &Counts) -> Option<Finding> {
    (key.ttl_ms().is_none() && key.rebuild.is_none() && counts.keys > 0).then(|| {
        let figures = Figures { count: counts.keys, bytes: counts.bytes, examples: Vec::new() };
        let message = format!("`{}` has no `rebuild`", key.name);
        Finding::of_audit(FindingId::NoRebuild, declaration(key), message, figures)
    })
}

/// The reasons for which keys with legacy texts cannot have their names, the most frequent first.
fn objections(counts: &Counts) -> String {
    let mut objections: Vec<_> = counts.objections.iter().collect();
    objections.sort_by_key(|(_, keys)| std::cmp::Reverse(**keys));
    if let [(only, _)] = objections.as_slice() {
        return (*only).clone();
    }
    let shown = objections.iter().take(3).map(|(objection, keys)| format!("{}: {objection}", things(**keys, "key")));
    shown.collect::<Vec<_>>().join("; ")
}

/// Declarations whose former text no key has any more.
pub(crate) fn unneeded_options(schemas: &Schemas, whole: &Tally) -> Vec<Finding> {
    let unneeded = schemas.catalog.keys.iter().enumerate().filter(|(index, key)| {
        key.formerly.is_some() && whole.declared(*index).is_none_or(|counts| counts.legacy == 0)
    });
    let finding = |(_, key): (usize, &Key)| {
        let message = format!("no key has the former text any more: remove `formerly` from `{}`", key.name);
        Finding::of_audit(FindingId::UnneededFormerly, declaration(key), message, Figures::default())
    };
    unneeded.map(finding).collect()
}

/// The parameters of a finding's first example that are in base32, decoded.
fn decoded(key: &Key, schemas: &Schemas, example: &KeyText) -> Option<String> {
    let is_base32 = |parameter: &&Parameter| parameter.form == ParameterForm::Base32;
    key.parameters.iter().find(is_base32)?;
    let whole = example.whole().filter(|whole| !schemas.template_text(whole).is_empty())?;
    let texts = parameters(key, schemas.namespace.as_deref(), whole);
    let decoded = key.parameters.iter().zip(texts).filter(|(parameter, _)| is_base32(parameter)).filter_map(
        |(parameter, text)| Some(format!("`{}` is `{}`", parameter.name, printable(&parameter.decoded(text)?))),
    );
    Some(decoded.collect::<Vec<_>>().join(", ")).filter(|decoded| !decoded.is_empty())
}

/// The detail of a finding of declared keys.
fn of_declaration(id: FindingId, key: &Key, limits: &Limits, counts: &Counts) -> String {
    let limit = |limit: Option<u64>, shown: fn(u64) -> String| limit.map(shown).unwrap_or_default();
    match id {
        FindingId::WrongType => format!("declared as `{}`", key.kind),
        FindingId::NoExpiry => {
            format!("the declared ttl is {}{}", duration(key.ttl_ms().unwrap_or(0)), key.stale_brief())
        }
        FindingId::LongExpiry => {
            let end =
                key.ttl_from_end_of.as_ref().map(|bucket| format!(" from the end of `{bucket}`")).unwrap_or_default();
            let with = match key.stale_ms() {
                0 => "jitter".to_owned(),
                stale => {
                    format!("a ttl of {}, jitter and `stale` of {}", limit(key.ttl_ms(), duration), duration(stale))
                }
            };
            format!("with {with} they live for {} at most{end}", limit(limits.lifetime_ms, duration))
        }
        FindingId::BigValue => {
            let by_memory = counts.measured_by_memory;
            let note = if by_memory > 0 {
                format!("; of {} only the memory is known, which proves it", things(by_memory, "key"))
            } else {
                String::new()
            };
            format!("the limit is {}{note}", limit(limits.max_bytes, exact_bytes))
        }
        FindingId::BigCollection => format!("the limit is {} elements", limit(limits.max_len, count)),
        FindingId::BigMember => format!("the limit is {}", limit(limits.max_member_bytes, exact_bytes)),
        FindingId::RefusedName => objections(counts),
        id => sample(id, counts),
    }
}

/// The detail of a finding of unknown keys.
fn of_unknown(id: FindingId, counts: &Counts) -> String {
    match id {
        FindingId::WrongType => "the last segment names another type".to_owned(),
        FindingId::BigValue => "without a declaration, the limit is 10 KB".to_owned(),
        FindingId::BigCollection => {
            "without a declaration, the limit is 5,000 elements, of a stream 1,000,000 entries".to_owned()
        }
        FindingId::BigMember => "without a declaration, the limit is 4 KB".to_owned(),
        id => sample(id, counts),
    }
}

/// The number of keys that were asked for details that only a second look shows.
fn sample(id: FindingId, counts: &Counts) -> String {
    let looked = match id {
        FindingId::LeftCompactEncoding => counts.second_looks,
        FindingId::HotKey => counts.frequencies,
        FindingId::ColdData => return cold_share(counts),
        _ => return String::new(),
    };
    format!("{} of {} were looked at", count(looked), things(counts.keys, "key"))
}

/// The share of the memory that was not used for a long time, of the keys that were looked at.
fn cold_share(counts: &Counts) -> String {
    let cold = counts.findings().find(|(id, _)| *id == FindingId::ColdData).map_or(0, |(_, evidence)| evidence.bytes);
    let (share, memory) = (percent(cold, counts.idle_bytes), bytes(counts.idle_bytes));
    format!("{share} of {memory} not used for 30 days, of the {} that were looked at", things(counts.idle_times, "key"))
}

fn add_server(findings: &mut Vec<Finding>, facts: &Facts, keys: &[Key]) {
    let mut add = |id: FindingId, count: u64, bytes: u64, detail: String| {
        let figures = Figures { count, bytes, examples: Vec::new() };
        findings.push(Finding::of_audit(id, StoredSubject::Server(facts.address.clone()), detail, figures));
    };
    if facts.keys > MAX_KEYS {
        add(FindingId::TooManyKeys, facts.keys, facts.used_memory, things(facts.keys, "key"));
    }
    if facts.maxmemory == Some(0) {
        let used = bytes(facts.used_memory);
        add(FindingId::NoMaxmemory, 1, facts.used_memory, format!("`maxmemory` is 0, and {used} are in use"));
    }
    if facts.lazy_expire == Some(false) {
        add(FindingId::LazyExpireOff, 1, 0, "`lazyfree-lazy-expire` is `no`".to_owned());
    }
    let Some(policy) = facts.maxmemory_policy.as_deref() else { return };
    // Without a limit nothing is evicted.
    if facts.maxmemory.is_some_and(|limit| limit > 0)
        && let Some(reason) = unfit_policy(policy, keys)
    {
        add(FindingId::EvictionPolicy, 1, 0, reason);
    }
}

/// The reason for which a policy does not fit these keys.
fn unfit_policy(policy: &str, keys: &[Key]) -> Option<String> {
    let named = |roles: &[&str]| -> Vec<&str> {
        let matching = keys.iter().filter(|key| key.role_name().is_some_and(|name| roles.contains(&name)));
        matching.map(|key| key.name.as_str()).collect()
    };
    let kept = named(&["lock", "limit", "jobs"]);
    let cached = named(&["cache"]);
    let is_eternal = |key: &&Key| key.ttl_ms().is_none() && key.kind != Kind::Channel;
    let eternal: Vec<_> = keys.iter().filter(is_eternal).map(|key| key.name.as_str()).collect();
    if policy == "noeviction" {
        let fills_up = kept.is_empty() && !cached.is_empty();
        fills_up.then(|| format!("`{policy}` rejects writes of cached keys when memory is full: {}", listed(&cached)))
    } else if !kept.is_empty() {
        Some(format!("`{policy}` can evict locks, limits and jobs: {}", listed(&kept)))
    } else {
        // Beside cached keys, this is `mixed_use`.
        let loses_data = policy.starts_with("allkeys") && cached.is_empty() && !eternal.is_empty();
        loses_data.then(|| format!("`{policy}` can evict keys that never expire: {}", listed(&eternal)))
    }
}

/// The first names of declarations, and the number of others.
fn listed(names: &[&str]) -> String {
    let shown: Vec<_> = names.iter().take(3).map(|name| format!("`{name}`")).collect();
    let more = names.len().saturating_sub(3);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", shown.join(", "))
}

/// The servers that do not count how often keys are used, together.
fn without_lfu(nodes: &[Node]) -> Option<Finding> {
    let policies = nodes.iter().filter_map(|node| Some((&node.facts, node.facts.maxmemory_policy.as_deref()?)));
    let without: Vec<_> = policies.filter(|(_, policy)| !policy.ends_with("lfu")).collect();
    let (facts, policy) = without.first()?;
    let is_same = without.iter().all(|(_, other)| other == policy);
    let policy = if is_same { format!("`{policy}`") } else { "not LFU".to_owned() };
    Some(of_servers(FindingId::NoLfu, facts, without.len(), nodes, &format!("`maxmemory-policy` is {policy}")))
}

/// The finding for some of the servers together, the first of which has these facts.
fn of_servers(id: FindingId, first: &Facts, count: usize, nodes: &[Node], detail: &str) -> Finding {
    let (stored, servers) = match count {
        1 => (StoredSubject::Server(first.address.clone()), String::new()),
        several => (StoredSubject::Servers, format!(", on {several} of {} servers", nodes.len())),
    };
    Finding::of_audit(id, stored, format!("{detail}{servers}"), Figures { count: count as u64, ..Figures::default() })
}

/// The servers with several purposes, together: the servers of a cluster have the same keys.
fn mixed_use(schemas: &Schemas, nodes: &[Node]) -> Option<Finding> {
    let mixed = |node: &Node| {
        let present = present(schemas, node);
        let purposes: Vec<_> = [owners(&present), evicted(node, &present)].into_iter().flatten().collect();
        (!purposes.is_empty()).then(|| purposes.join("; "))
    };
    let found: Vec<_> = nodes.iter().filter_map(|node| Some((node, mixed(node)?))).collect();
    let (node, what) = found.first()?;
    Some(of_servers(FindingId::MixedUse, &node.facts, found.len(), nodes, what))
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

/// The keys that never expire and can be evicted, beside keys for which the server evicts.
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

//! Makes the summaries of a report from the counts.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::time::{SystemTime, UNIX_EPOCH};

use redis_keys_schema::Kind;

use super::document::{
    DeclarationSummary, Document, ExpirySummary, FORMAT, ForeignSummary, LargeKeySummary, ModuleSummary, NodeSummary,
    OtherPatterns, PatternSummary, Percentiles, TextsSummary, Totals, TypeSummary,
};
use super::hot_keys::hot_keys;
use crate::date::Date;
use crate::declare::catalog::Key;
use crate::operate::audit::findings::{findings_of, unneeded_options};
use crate::operate::audit::tally::{Counts, LargeKey, SPANS, Tally};
use crate::operate::audit::{Node, Run};
use crate::operate::infer::InferredTemplate;
use crate::operate::masking::Masking;
use crate::operate::server::schemas::Schemas;
use crate::operate::server::topology::Slots;
use crate::operate::stats::Histogram;
use crate::render::units::{count, millis, things};
use crate::render::{Finding, KeyText};

/// The most patterns of unknown keys in a report.
pub(super) const MAX_PATTERNS: usize = 1_000;

impl Document {
    /// The report of these nodes.
    pub(super) fn new(schemas: &Schemas, run: &Run, nodes: &[Node], most_patterns: usize) -> Self {
        let whole = merged(nodes);
        let templates = whole.templates.templates();
        let masking = masking(schemas, run, &templates);
        let families = families(&templates, &masking);
        let modules = modules(schemas, &whole, &families);
        let (unknown, unknown_others) = unknown(&families, most_patterns, &masking);
        let (hot_keys, hot_total) = hot_keys(schemas, nodes, &unknown);
        let (keys, bytes) = whole.total();
        let all = || counts_of(schemas, &whole);
        let without_expiry = all().map(|counts| counts.without_expiry).sum();
        Self {
            format: FORMAT,
            started: utc(run.started),
            took_ms: millis(run.took),
            is_complete: run.is_complete,
            servers: run.servers.clone(),
            shows_keys: run.shows_keys,
            options: run.options.clone(),
            total: Totals {
                keys,
                bytes,
                without_expiry,
                unknown_keys: whole.unknown.keys,
                second_looks: all().map(|counts| counts.second_looks).sum(),
                unmeasured: all().map(|counts| counts.unmeasured).sum(),
                coverage: coverage(run, nodes, keys),
            },
            nodes: nodes.iter().map(node).collect(),
            findings: findings(schemas, run, nodes, &whole, &masking),
            changes: None,
            declarations: declarations(schemas, &whole, &masking),
            hot_keys,
            hot_total,
            modules,
            unknown,
            unknown_others,
            foreign: foreign(&whole),
            types: whole
                .types()
                .map(|(name, keys, bytes)| TypeSummary { name: name.to_owned(), keys, bytes })
                .collect(),
            expiries: expiries(&whole, without_expiry),
            largest: largest(schemas, &whole, &masking),
            not_checked: not_checked(schemas, run, nodes, &whole),
        }
    }
}

/// The counts of all nodes.
fn merged(nodes: &[Node]) -> Cow<'_, Tally> {
    let [first, others @ ..] = nodes else { return Cow::default() };
    let mut whole = Cow::Borrowed(&first.counts);
    for node in others {
        whole.to_mut().merge(node.counts.clone());
    }
    whole
}

/// Shows keys with the words that the declarations and the arguments contain.
fn masking(schemas: &Schemas, run: &Run, templates: &[InferredTemplate]) -> Masking {
    let mut masking = Masking::new(run.shows_keys, &schemas.catalog, templates);
    let options =
        run.options.iter().filter(|(name, _)| ["match", "namespace", "legacy-prefix"].contains(&name.as_str()));
    options.for_each(|(_, text)| masking.publish(text));
    masking
}

/// Unknown keys that are shown alike, with one type, which either all expire or all do not.
struct Family {
    /// The text as it is shown.
    pattern: String,
    /// The number of patterns.
    patterns: u64,
    /// All keys together.
    keys: InferredTemplate,
}

/// The unknown keys as they are shown, with most memory first.
fn families(templates: &[InferredTemplate], masking: &Masking) -> Vec<Family> {
    let mut families = BTreeMap::<_, Family>::new();
    for template in templates {
        let pattern = masking.family(template);
        match families.entry((pattern.clone(), template.redis_type, template.without_expiry > 0)) {
            Entry::Vacant(entry) => drop(entry.insert(Family { pattern, patterns: 1, keys: template.clone() })),
            Entry::Occupied(entry) => {
                let family = entry.into_mut();
                family.patterns += 1;
                family.keys.merge(template);
            }
        }
    }
    let mut families: Vec<_> = families.into_values().collect();
    families.sort_by_key(|family| Reverse((family.keys.bytes, family.keys.keys)));
    families
}

/// The counts of all declarations, then the counts of the unknown keys and of other programs.
fn counts_of<'a>(schemas: &Schemas, whole: &'a Tally) -> impl Iterator<Item = &'a Counts> {
    (0..schemas.catalog.keys.len())
        .filter_map(|index| whole.declared(index))
        .chain([&whole.unknown])
        .chain(whole.foreign().map(|(_, counts)| counts))
}

fn node(node: &Node) -> NodeSummary {
    let (keys, bytes) = node.counts.total();
    let facts = &node.facts;
    NodeSummary {
        address: facts.address.clone(),
        version: facts.version.clone(),
        keys,
        bytes,
        used_memory: facts.used_memory,
        maxmemory: facts.maxmemory,
        maxmemory_policy: facts.maxmemory_policy.clone(),
        took_ms: millis(node.took),
        moved_slots: Slots::of(&node.moved_slots).ranges(),
    }
}

/// The declarations with their keys, and without channels, which have none.
fn declarations(schemas: &Schemas, whole: &Tally, masking: &Masking) -> Vec<DeclarationSummary> {
    let none = Counts::default();
    let summary = |(index, key): (usize, &Key)| {
        let counts = whole.declared(index).unwrap_or(&none);
        DeclarationSummary {
            name: key.name.clone(),
            template: key.template.clone(),
            kind: key.kind.name().to_owned(),
            package: key.package.clone(),
            owner: key.owner.clone(),
            ttl_ms: key.ttl_ms(),
            stale_ms: Some(key.stale_ms()).filter(|ms| *ms > 0),
            keys: counts.keys,
            bytes: counts.bytes,
            without_expiry: counts.without_expiry,
            unmeasured: counts.unmeasured,
            sizes: percentiles(&counts.sizes),
            times_left_ms: percentiles(&counts.times_left),
            largest: counts.largest.items().iter().map(|example| masking.example(example)).collect(),
            texts: texts(key, counts),
        }
    };
    let may_have_keys = |(index, key): &(usize, &Key)| {
        key.kind != Kind::Channel || whole.declared(*index).is_some_and(|counts| counts.keys > 0)
    };
    let keys = schemas.catalog.keys.iter().enumerate().filter(may_have_keys);
    let mut declarations: Vec<_> = keys.map(summary).collect();
    declarations.sort_by_key(|summary| Reverse((summary.bytes, summary.keys)));
    declarations
}

/// A declaration's keys by their texts, if it has two.
fn texts(key: &Key, counts: &Counts) -> Option<TextsSummary> {
    let legacy = key.legacy.as_ref().map(|text| ("legacy", text));
    let (option, text) = legacy.or(key.formerly.as_ref().map(|text| ("formerly", text)))?;
    Some(TextsSummary {
        option: option.to_owned(),
        legacy: text.clone(),
        legacy_keys: counts.legacy,
        template_keys: counts.keys.saturating_sub(counts.legacy),
    })
}

/// The findings. Only a look at all keys shows that none has a text any more.
fn findings(schemas: &Schemas, run: &Run, nodes: &[Node], whole: &Tally, masking: &Masking) -> Vec<Finding> {
    let mut findings = findings_of(schemas, nodes, whole, masking);
    if has_seen_all(run, nodes, &["match", "sample"]) && whole.unknown.behind_a_prefix == 0 {
        findings.extend(unneeded_options(schemas, whole));
    }
    findings
}

/// Whether all keys were seen, as none of these options selects some.
fn has_seen_all(run: &Run, nodes: &[Node], options: &[&str]) -> bool {
    let is_selected = run.options.iter().any(|(name, _)| options.contains(&name.as_str()));
    run.is_complete && !is_selected && nodes.iter().all(|node| node.refused_keys == 0)
}

/// The share of the servers' keys that were seen. Their number changes during the audit, so it is not counted again if
/// all were.
fn coverage(run: &Run, nodes: &[Node], seen: u64) -> Option<f64> {
    if has_seen_all(run, nodes, &["match", "sample", "namespace"]) {
        return Some(1.0);
    }
    let all: u64 = nodes.iter().map(|node| node.facts.keys).sum();
    #[allow(clippy::cast_precision_loss, reason = "a share needs few digits")]
    let share = (seen as f64 / all as f64).min(1.0);
    (all > 0).then_some((share * 1e6).floor() / 1e6)
}

fn percentiles(values: &Histogram) -> Option<Percentiles> {
    let of = |percent| values.percentile(percent);
    Some(Percentiles { p50: of(50)?, p90: of(90)?, p99: of(99)?, max: values.max()? })
}

fn modules(schemas: &Schemas, whole: &Tally, families: &[Family]) -> Vec<ModuleSummary> {
    let mut modules = BTreeMap::<String, ModuleSummary>::new();
    let mut of = |module: &str, keys: u64, bytes: u64, is_unknown: bool| {
        let new = || ModuleSummary { module: module.to_owned(), ..ModuleSummary::default() };
        let summary = modules.entry(module.to_owned()).or_insert_with(new);
        summary.keys += keys;
        summary.bytes += bytes;
        if is_unknown {
            summary.unknown_keys += keys;
            summary.unknown_bytes += bytes;
        }
    };
    for (index, key) in schemas.catalog.keys.iter().enumerate() {
        if let Some(counts) = whole.declared(index).filter(|counts| counts.keys > 0) {
            of(key.business_module(), counts.keys, counts.bytes, false);
        }
    }
    for family in families {
        let text = schemas.without_namespace(family.pattern.as_bytes());
        let module = text.split(|byte| *byte == b':').next().unwrap_or_default();
        of(&KeyText::new(module).shown(), family.keys.keys, family.keys.bytes, true);
    }
    let mut modules: Vec<_> = modules.into_values().collect();
    modules.sort_by_key(|summary| Reverse((summary.bytes, summary.keys)));
    modules
}

/// The patterns with most memory, and all others together.
fn unknown(families: &[Family], most: usize, masking: &Masking) -> (Vec<PatternSummary>, OtherPatterns) {
    let (listed, others) = families.split_at(families.len().min(most));
    let summary = |Family { pattern, patterns, keys }: &Family| PatternSummary {
        pattern: pattern.clone(),
        patterns: *patterns,
        redis_type: keys.redis_type.name().to_owned(),
        keys: keys.keys,
        bytes: keys.bytes,
        without_expiry: keys.without_expiry,
        sizes: percentiles(&keys.sizes),
        lengths: percentiles(&keys.lengths),
        times_left_ms: keys.expiry,
        example: masking.shows_keys.then(|| keys.example.1.clone()),
    };
    let rest = OtherPatterns {
        keys: others.iter().map(|family| family.keys.keys).sum(),
        bytes: others.iter().map(|family| family.keys.bytes).sum(),
        without_expiry: others.iter().map(|family| family.keys.without_expiry).sum(),
    };
    (listed.iter().map(summary).collect(), rest)
}

/// The keys of other programs, with most memory first.
fn foreign(whole: &Tally) -> Vec<ForeignSummary> {
    let summary = |(program, counts): (&str, &Counts)| ForeignSummary {
        program: program.to_owned(),
        keys: counts.keys,
        bytes: counts.bytes,
        without_expiry: counts.without_expiry,
    };
    let mut foreign: Vec<_> = whole.foreign().map(summary).collect();
    foreign.sort_by_key(|summary| Reverse((summary.bytes, summary.keys)));
    foreign
}

/// The keys by the span of time in which they expire.
fn expiries(whole: &Tally, never: u64) -> Vec<ExpirySummary> {
    let spans = SPANS.into_iter().map(|(within, _)| within).chain(["later"]).zip(whole.expiries);
    let spans = spans.chain([("never", never)]);
    spans.map(|(within, keys)| ExpirySummary { within: within.to_owned(), keys }).collect()
}

fn largest(schemas: &Schemas, whole: &Tally, masking: &Masking) -> Vec<LargeKeySummary> {
    let summary = |large: &LargeKey| LargeKeySummary {
        key: masking.key(&large.key),
        bytes: large.bytes,
        redis_type: large.redis_type.name().to_owned(),
        length: large.length,
        template: large.declaration.and_then(|index| schemas.catalog.keys.get(index)).map(|key| key.template.clone()),
    };
    whole.largest.items().iter().map(summary).collect()
}

/// The checks that are missing: commands that the servers refuse, and keys that could not be measured.
fn not_checked(schemas: &Schemas, run: &Run, nodes: &[Node], whole: &Tally) -> Vec<String> {
    let sum = |of: fn(&Counts) -> u64| counts_of(schemas, whole).map(of).sum::<u64>();
    let on_servers: u64 = nodes.iter().map(|node| node.facts.keys).sum();
    let is_nothing_read = run.is_complete && whole.total().0 == 0;
    let counted =
        |number: u64, name: &str, reason: fn(String) -> String| (number > 0).then(|| reason(things(number, name)));
    let fixed = |is_so: bool, reason: &str| is_so.then(|| reason.to_owned());
    let reasons = [
        counted(sum(|counts| counts.without_memory), "key", |keys| format!("the memory of {keys} is unknown")),
        counted(sum(|counts| counts.unmeasured), "key", |keys| {
            format!("the size of {keys} that may exceed a limit is unknown")
        }),
        fixed(!run.is_complete, "the audit has ended before all keys were seen"),
        fixed(schemas.catalog.keys.is_empty(), "there are no declarations, so unknown keys are not findings"),
        counted(if is_nothing_read { on_servers } else { 0 }, "key", |keys| {
            format!("the servers have {keys}, of which none was read: see `--namespace` and `--match`")
        }),
        counted(whole.unknown.behind_a_prefix, "unknown key", |keys| {
            format!("{keys} with a legacy text behind another prefix: see `--legacy-prefix`")
        }),
        counted(schemas.catalog.unread.len() as u64, "place", |places| {
            format!("keys of {places} that could not be read count as unknown")
        }),
    ];
    let mut reasons: Vec<_> = reasons.into_iter().flatten().collect();
    let mut refused = BTreeMap::<&str, Vec<&str>>::new();
    for facts in nodes.iter().map(|node| &node.facts) {
        facts.not_checked.iter().for_each(|reason| refused.entry(reason).or_default().push(&facts.address));
    }
    for (reason, addresses) in refused {
        let is_everywhere = addresses.len() == nodes.len();
        reasons.push(if is_everywhere { reason.to_owned() } else { format!("{reason} ({})", addresses.join(", ")) });
    }
    for facts in nodes.iter().map(|node| &node.facts) {
        let is_read = |database: i64| {
            nodes.iter().any(|node| node.facts.run_id == facts.run_id && node.facts.database == database)
        };
        let others = facts.databases.iter().filter(|(database, _)| !is_read(*database));
        reasons.extend(others.map(|(database, keys)| {
            let (keys, address) = (things(*keys, "key"), &facts.address);
            format!("{keys} in database {database} of {address}: its URL ends with `/{database}`")
        }));
    }
    for node in nodes.iter().filter(|node| !node.moved_slots.is_empty()) {
        let slots = count(node.moved_slots.len() as u64);
        let address = &node.facts.address;
        reasons
            .push(format!("slots of {address} moved meanwhile: {slots}, whose keys may be missing or counted twice"));
    }
    reasons
}

/// A time as `2026-11-22T19:27:00Z`.
fn utc(time: SystemTime) -> String {
    let second = time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs() % 86_400;
    format!("{}T{:02}:{:02}:{:02}Z", Date::of(time), second / 3_600, second / 60 % 60, second % 60)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn slots_in_ranges() {
        assert_eq!(Slots::of(&[7, 3, 4, 5, 16_383, 0]).ranges(), [(0, 0), (3, 5), (7, 7), (16_383, 16_383)]);
        assert_eq!(Slots::of(&[]).ranges(), []);
    }

    #[test]
    fn times_in_utc() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (1_709_164_799, "2024-02-28T23:59:59Z"),
            (1_709_164_800, "2024-02-29T00:00:00Z"),
            (1_798_761_599, "2026-12-31T23:59:59Z"),
        ] {
            assert_eq!(utc(UNIX_EPOCH + Duration::from_secs(seconds)), text);
        }
    }
}

//! The differences from an earlier report: all that is new or larger.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::document::{Change, Document, PatternSummary, ReportPart};
use super::pattern::contains;
use crate::operate::masking::HIDDEN;
use crate::render::FindingId;

/// The size of a part of a report.
#[derive(Clone, Copy, Default)]
struct Size {
    keys: u64,
    bytes: u64,
    /// The number of patterns of unknown keys.
    patterns: u64,
}

impl Size {
    fn new(keys: u64, bytes: u64) -> Self {
        Self { keys, bytes, patterns: 0 }
    }

    fn of(summary: &PatternSummary) -> Self {
        Self { keys: summary.keys, bytes: summary.bytes, patterns: summary.patterns }
    }

    fn and(self, other: Self) -> Self {
        Self { keys: self.keys + other.keys, bytes: self.bytes + other.bytes, patterns: self.patterns + other.patterns }
    }
}

/// The sizes of everything that is compared.
fn sizes(document: &Document) -> BTreeMap<ReportPart, Size> {
    let total = (ReportPart::Total, Size::new(document.total.keys, document.total.bytes));
    let findings = document.findings.iter().filter_map(|finding| {
        let (id, subject) = (finding.id()?, finding.stored()?.clone());
        Some((ReportPart::Finding { id, subject }, Size::new(finding.figures.count, finding.figures.bytes)))
    });
    let declarations = document.declarations.iter().filter(|summary| summary.keys > 0).map(|summary| {
        let (name, template) = (summary.name.clone(), summary.template.clone());
        (ReportPart::Declaration { name, template }, Size::new(summary.keys, summary.bytes))
    });
    let patterns = document.unknown.iter().map(|summary| (summary.changed(), Size::of(summary)));
    [total].into_iter().chain(findings).chain(declarations).chain(patterns).collect()
}

/// Lists new items and items 10 % larger than in the baseline: findings first, then the largest growth.
pub(super) fn changes(baseline: &Document, document: &Document) -> Vec<Change> {
    let mut before = sizes(baseline);
    // A pattern can be a part of a pattern in the baseline, or contain some of its keys: a fifth queue makes their
    // names a value.
    for summary in &document.unknown {
        if let Entry::Vacant(entry) = before.entry(summary.changed()) {
            let known = |other: &&PatternSummary| other.is_like(summary) || summary.is_like(other);
            let sizes = baseline.unknown.iter().filter(known).map(Size::of);
            sizes.reduce(Size::and).map(|sizes| entry.insert(sizes));
        }
    }
    let mut found: Vec<_> = sizes(document)
        .into_iter()
        .filter_map(|(what, size)| {
            let known = before.get(&what).copied();
            change(what, known, size)
        })
        .collect();
    found.sort_by_key(|change| {
        std::cmp::Reverse((change.finding().is_some(), change.bytes.saturating_sub(change.bytes_before)))
    });
    found
}

/// A part of a report that is new or 10 % larger.
fn change(what: ReportPart, known: Option<Size>, now: Size) -> Option<Change> {
    let is_larger = |now: u64, before: u64| now > before && now - before >= before.div_ceil(10);
    let before = known.unwrap_or_default();
    // The memory of a server changes all the time: for a finding the number of keys counts.
    let is_finding = matches!(what, ReportPart::Finding { .. });
    let is_new_without_expiry =
        matches!(what, ReportPart::Unknown { expires: false, .. }) && now.patterns > before.patterns;
    let has_grown = is_larger(now.keys, before.keys) || (!is_finding && is_larger(now.bytes, before.bytes));
    (known.is_none() || has_grown || is_new_without_expiry).then_some(Change {
        what,
        keys_before: before.keys,
        keys: now.keys,
        bytes_before: before.bytes,
        bytes: now.bytes,
        is_new_without_expiry,
    })
}

impl Change {
    /// The finding, if the change is a finding.
    pub(super) fn finding(&self) -> Option<FindingId> {
        match &self.what {
            ReportPart::Finding { id, .. } => Some(*id),
            _ => self.is_new_without_expiry.then_some(FindingId::NoExpiry),
        }
    }
}

impl PatternSummary {
    fn changed(&self) -> ReportPart {
        let (pattern, redis_type) = (self.pattern.clone(), self.redis_type.clone());
        ReportPart::Unknown { pattern, redis_type, expires: self.without_expiry == 0 }
    }

    /// Whether this pattern contains another, with the same type and expiry. Patterns with hidden words match no other.
    fn is_like(&self, other: &Self) -> bool {
        let is_same = self.redis_type == other.redis_type && (self.without_expiry == 0) == (other.without_expiry == 0);
        let is_hidden = self.pattern.contains(HIDDEN) || other.pattern.contains(HIDDEN);
        is_same && !is_hidden && contains(&self.pattern, &other.pattern)
    }
}

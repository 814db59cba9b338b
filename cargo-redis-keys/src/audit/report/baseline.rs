//! What is new or larger than in an earlier report.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::document::Document;
use crate::audit::findings::{FindingId, Subject};

/// What is new or larger than in an earlier report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Change {
    /// What it is.
    pub(super) what: Changed,
    /// The number of keys in the earlier report.
    pub(super) keys_before: u64,
    /// The number of keys now.
    pub(super) keys: u64,
    /// Their memory in the earlier report.
    pub(super) bytes_before: u64,
    /// Their memory now.
    pub(super) bytes: u64,
}

/// What is new or larger.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Changed {
    /// All keys.
    Total,
    /// A finding.
    Finding {
        /// What is wrong.
        id: FindingId,
        /// Where.
        subject: Subject,
    },
    /// The keys of a declaration.
    Declaration {
        /// The name of the struct.
        name: String,
        /// The template.
        template: String,
    },
    /// Unknown keys of a pattern.
    Unknown {
        /// The pattern, escaped.
        pattern: String,
    },
}

/// The keys and the memory of everything that is compared.
fn sizes(document: &Document) -> BTreeMap<Changed, (u64, u64)> {
    let total = (Changed::Total, (document.total.keys, document.total.bytes));
    let findings = document.findings.iter().map(|finding| {
        let subject = finding.subject.clone();
        (Changed::Finding { id: finding.id, subject }, (finding.count, finding.bytes))
    });
    let declarations = document.declarations.iter().filter(|summary| summary.keys > 0).map(|summary| {
        let (name, template) = (summary.name.clone(), summary.template.clone());
        (Changed::Declaration { name, template }, (summary.keys, summary.bytes))
    });
    let patterns = document
        .unknown
        .iter()
        .map(|summary| (Changed::Unknown { pattern: summary.pattern.shown() }, (summary.keys, summary.bytes)));
    [total].into_iter().chain(findings).chain(declarations).chain(patterns).collect()
}

/// What is new or 10 % larger than in the baseline: findings first, then what has grown most.
pub(super) fn changes(baseline: &Document, document: &Document) -> Vec<Change> {
    let before = sizes(baseline);
    let is_larger = |now: u64, before: u64| now > before && now - before >= before.div_ceil(10);
    let mut changes: Vec<_> = sizes(document)
        .into_iter()
        .filter_map(|(what, (keys, bytes))| {
            let known = before.get(&what).copied();
            let (keys_before, bytes_before) = known.unwrap_or_default();
            // The memory of a server changes all the time: for a finding the number of keys counts.
            let is_finding = matches!(what, Changed::Finding { .. });
            let has_grown = is_larger(keys, keys_before) || (!is_finding && is_larger(bytes, bytes_before));
            (known.is_none() || has_grown).then_some(Change { what, keys_before, keys, bytes_before, bytes })
        })
        .collect();
    changes.sort_by_key(|change| {
        let is_finding = matches!(change.what, Changed::Finding { .. });
        std::cmp::Reverse((is_finding, change.bytes.saturating_sub(change.bytes_before)))
    });
    changes
}

//! Findings in the JSON form of a report.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize};

use crate::render::{Example, Figures, Finding, FindingId, Level, StoredSubject};

/// A finding. Its level is there for readers: it follows from the id.
#[derive(Serialize, Deserialize)]
pub(super) struct JsonFinding<'a> {
    id: FindingId,
    level: Level,
    subject: Cow<'a, StoredSubject>,
    count: u64,
    bytes: u64,
    examples: Cow<'a, [Example]>,
    detail: Cow<'a, str>,
}

/// The findings as they are written.
pub(super) fn of(findings: &[Finding]) -> Vec<JsonFinding<'_>> {
    findings.iter().filter_map(json_finding).collect()
}

fn json_finding(finding: &Finding) -> Option<JsonFinding<'_>> {
    let Finding { level, message, figures, .. } = finding;
    Some(JsonFinding {
        id: finding.id()?,
        level: *level,
        subject: Cow::Borrowed(finding.stored()?),
        count: figures.count,
        bytes: figures.bytes,
        examples: Cow::Borrowed(&figures.examples),
        detail: Cow::Borrowed(message),
    })
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Finding>, D::Error> {
    let read = |JsonFinding { id, level, subject, count, bytes, examples, detail }: JsonFinding<'static>| {
        let figures = Figures { count, bytes, examples: examples.into_owned() };
        Finding { level, ..Finding::of_audit(id, subject.into_owned(), detail.into_owned(), figures) }
    };
    Ok(Vec::deserialize(deserializer)?.into_iter().map(read).collect())
}

//! Findings as SARIF 2.1.0, which GitHub and other hosts show beside the code.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::finding::{Code, Finding, Location, SourcePlace, Subject};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// The whole report. `explained` is the summary of a code that `explain` knows.
pub(crate) fn report(findings: &[Finding], explained: fn(Code) -> Option<&'static str>) -> String {
    let mut codes: Vec<_> = findings.iter().map(|finding| finding.code).collect();
    codes.sort_unstable();
    codes.dedup();
    let results: Vec<_> = findings.iter().map(|finding| result(finding, &codes)).collect();
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "cargo-redis-keys",
                "version": env!("CARGO_PKG_VERSION"),
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "informationUri": env!("CARGO_PKG_REPOSITORY"),
                "rules": codes.iter().map(|code| rule(*code, explained(*code))).collect::<Vec<_>>(),
            } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    log.to_string()
}

/// The description of a rule, from its explanation.
fn rule(code: Code, explained: Option<&str>) -> Value {
    let summary = explained.or(code.summary()).unwrap_or_default();
    let help = format!("{summary} `cargo redis-keys explain {}` says more.", code.name());
    json!({
        "id": code.name(),
        "shortDescription": { "text": summary },
        "help": { "text": if explained.is_some() { help.as_str() } else { summary } },
    })
}

fn result(finding: &Finding, codes: &[Code]) -> Value {
    let Finding { level, code, subject, message, details, help, .. } = finding;
    let mut text = message.clone();
    for detail in details {
        let _ = write!(text, "\n{}: {}", detail.name, detail.text);
    }
    if !help.is_empty() {
        let _ = write!(text, "\nhelp: {help}");
    }
    let mut result = json!({
        "ruleId": code.name(),
        "ruleIndex": codes.iter().position(|known| known == code),
        "level": level.name(),
        "message": { "text": text },
    });
    let Some(fields) = result.as_object_mut() else { return result };
    match subject {
        Subject::Source(SourcePlace { at, other, .. }) => {
            fields.insert("locations".to_owned(), json!([location(at, None)]));
            if let Some((place, label)) = other {
                fields.insert("relatedLocations".to_owned(), json!([location(place, Some(label))]));
            }
        }
        // Nothing of a server is in a file.
        Subject::Stored(stored) => {
            let name = json!({ "fullyQualifiedName": stored.shown() });
            fields.insert("locations".to_owned(), json!([{ "logicalLocations": [name] }]));
        }
    }
    result
}

fn location(at: &Location, message: Option<&str>) -> Value {
    let (start, end) = (at.start(), at.end());
    let mut location = json!({
        "physicalLocation": {
            "artifactLocation": { "uri": uri(&at.file.path), "uriBaseId": "%SRCROOT%" },
            "region": {
                "startLine": start.line,
                "startColumn": start.column,
                "endLine": end.line,
                "endColumn": end.column,
                "byteOffset": at.range.start,
                "byteLength": at.range.len(),
            },
        },
    });
    if let (Some(location), Some(message)) = (location.as_object_mut(), message) {
        location.insert("message".to_owned(), json!({ "text": message }));
    }
    location
}

/// A relative path as a relative URI.
fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(char::from(byte)),
            byte => drop(write!(uri, "%{byte:02X}")),
        }
    }
    uri
}

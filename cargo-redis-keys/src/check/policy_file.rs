//! Errors and typos in policy files.

use std::fs;
use std::rc::Rc;

use redis_keys_schema::{self as schema, Lint, MAX_POLICY_BYTES, Policy, PolicyError, Rule};
use redis_keys_syntax::policy::{Document, PolicyFile};

use super::finding::{Code, File, Finding, Level, Location};

/// The findings of a policy file that was read. Its path is shown as `shown`.
pub(crate) fn check(found: &PolicyFile, document: &Document, shown: &str) -> Vec<Finding> {
    match text(found) {
        Some(text) => of_text(text, shown),
        // The place is the file as a whole.
        None => document.errors.iter().map(|report| unreadable(report, shown)).collect(),
    }
}

/// The text of a file that can be read.
fn text(found: &PolicyFile) -> Option<String> {
    let data = fs::metadata(&found.path).ok()?;
    if !data.is_file() || data.len() > MAX_POLICY_BYTES {
        return None;
    }
    fs::read_to_string(&found.path).ok().filter(|text| !text.contains('\0'))
}

/// The findings with their places in the text.
pub(crate) fn of_text(text: String, shown: &str) -> Vec<Finding> {
    let (policy, errors) = Policy::parse(&text);
    let file = Rc::new(File { path: shown.to_owned(), text });
    let finding = |level, code, error: &PolicyError| {
        let at = Location { file: Rc::clone(&file), range: super::inside(error.range.clone(), &file.text) };
        let (message, help) = (error.message.clone(), error.suggestion.clone());
        Finding { level, code, message, help, at, label: None, other: None }
    };
    let errors = errors.iter().map(|error| finding(Level::Error, Code::Rule(Rule::Policy), error));
    let lint = Lint::MisspeltModule;
    let level = match policy.lints.of(lint) {
        schema::Level::Deny => Level::Error,
        schema::Level::Warn | schema::Level::Allow => Level::Warning,
    };
    errors.chain(policy.misspelt.iter().map(|error| finding(level, Code::Lint(lint), error))).collect()
}

/// The finding for a report such as `redis-keys.toml: the policy file is a folder`, with `help:` and `rule:` on lines of their own.
fn unreadable(report: &str, shown: &str) -> Finding {
    let (message, rest) = report.split_once("\nhelp: ").unwrap_or((report, ""));
    let message = message.split_once(": ").map_or(message, |(_, message)| message);
    let help = rest.split('\n').next().unwrap_or_default();
    let file = Rc::new(File { path: shown.to_owned(), text: String::new() });
    Finding {
        level: Level::Error,
        code: Code::Rule(Rule::Policy),
        message: message.to_owned(),
        help: help.to_owned(),
        at: Location { file, range: 0..0 },
        label: None,
        other: None,
    }
}

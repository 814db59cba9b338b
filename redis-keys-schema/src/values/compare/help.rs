//! The remedies.

use redis_keys_core::schema::Schema;

use super::super::finding::{Cause, Finding, Outcome};
use super::super::lifetime::Lifetime;
use super::{Differences, outcome};

/// A `Postcard` form whose number has to change.
#[derive(Clone, Copy)]
pub(super) struct Postcard {
    pub(super) version: u8,
}

const ACCEPT: &str = "`cargo redis-keys values --accept`, and review the file";

pub(super) fn helps(
    schema: &Schema<String>,
    lifetime: &Lifetime,
    differences: &Differences,
    postcard: Option<Postcard>,
) -> Vec<String> {
    if let Some(Postcard { version }) = postcard {
        return match version.checked_add(1) {
            Some(next) => vec![format!("write `Postcard<T, {next}>`")],
            None => vec![another_key(schema, lifetime)],
        };
    }
    let worst = differences.worst();
    let mut helps = Vec::new();
    if worst > Outcome::Unsure {
        of_stored_values(&differences.stored, &mut helps);
        of_new_values(differences, &mut helps);
        // A cache replaces the values that it cannot read by itself.
        if worst == Outcome::Misread || !matches!(lifetime, Lifetime::Cached(_)) {
            helps.push(another_key(schema, lifetime));
        }
    } else if worst == Outcome::Unsure {
        helps.push("test that the new program reads a value that the old one has written".to_owned());
    }
    // What is misread is no matter of taste.
    if worst != Outcome::Misread {
        let or = if helps.is_empty() { "" } else { "or " };
        helps.push(format!("{or}accept it: {ACCEPT}"));
    }
    helps
}

/// The new program has to read what is stored.
fn of_stored_values(findings: &[Finding], helps: &mut Vec<String>) {
    for finding in findings {
        let help = match &finding.cause {
            Cause::Missing { field, former: Some(former), is_in_record: true } => {
                format!("keep the stored name: `#[redis_hash(rename = \"{former}\")]` on `{field}`")
            }
            Cause::Missing { field, former: Some(former), is_in_record: false } => {
                format!("keep the stored name: `#[serde(rename = \"{former}\")]` on `{field}`")
            }
            Cause::Missing { field, former: None, is_in_record: true } => {
                format!("make `{field}` an `Option`, or add `#[redis_hash(default)]` to it")
            }
            Cause::Missing { field, former: None, is_in_record: false } => {
                format!("make `{field}` an `Option`, or add `#[serde(default)]` to it")
            }
            Cause::UnknownVariant(name) => format!("keep the variant `{name}` as long as values with it are stored"),
            Cause::Dropped | Cause::NotKnown | Cause::Other => continue,
        };
        add(helps, help);
    }
}

/// Old programs have to read what the new one writes, so what they need is deployed before.
fn of_new_values(differences: &Differences, helps: &mut Vec<String>) {
    for finding in &differences.rolling {
        let help = match &finding.cause {
            // The stored name is the better remedy, and has a help if stored values need it.
            Cause::Missing { former: Some(_), .. } if outcome(&differences.stored) > Outcome::Unsure => continue,
            Cause::Missing { field, former: Some(new), .. } => {
                let first = format!("first programs with `#[serde(alias = \"{new}\")]` on `{field}`");
                format!("deploy twice: {first}, then programs that write `{new}`")
            }
            Cause::Missing { field, former: None, .. } => {
                format!("deploy twice: first programs that can read values without `{field}`, then programs without it")
            }
            Cause::UnknownVariant(name) => {
                format!("deploy twice: first programs that can read the variant `{name}`, then programs that write it")
            }
            Cause::Dropped | Cause::NotKnown | Cause::Other => continue,
        };
        add(helps, help);
    }
}

/// Adds a help once.
fn add(helps: &mut Vec<String>, help: String) {
    if !helps.contains(&help) {
        helps.push(help);
    }
}

/// A new key has no old values.
fn another_key(schema: &Schema<String>, lifetime: &Lifetime) -> String {
    // The text of such a key is given, so there is no rule for another.
    let key = if schema.legacy.is_some() { String::new() } else { format!(", `{}`", next_template(&schema.template)) };
    match lifetime {
        Lifetime::Message => format!("use another channel{key}"),
        Lifetime::Job => format!("use another queue{key}, and run workers for both until the old one is empty"),
        Lifetime::Endless => format!("use another key{key}, and move or delete the old values"),
        Lifetime::Cached(_) | Lifetime::RenewedByReads(_) | Lifetime::RenewedByWrites | Lifetime::Limited(_) => {
            format!("use another key{key}: the old values expire by themselves")
        }
    }
}

/// The template with `.v2` after its second word, or with the next number.
fn next_template(template: &str) -> String {
    let mut segments: Vec<String> = template.split(':').map(str::to_owned).collect();
    let count = segments.len();
    match segments.get_mut(1) {
        Some(word) if count > 2 && !word.contains('{') => {
            let numbered = word.rsplit_once(".v").and_then(|(name, number)| Some((name, number.parse::<u32>().ok()?)));
            *word = match numbered {
                Some((name, number)) => format!("{name}.v{}", number.saturating_add(1)),
                None => format!("{word}.v2"),
            };
        }
        _ => segments.insert(count.min(1), "v2".to_owned()),
    }
    segments.join(":")
}

//! The list in Markdown: all about a key in separate lines, without anything that the change of another key changes.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use redis_keys_core::schema::Role;

use crate::declare::catalog::{Catalog, Key, UnreadPlace, duration, near_copies};
use crate::render::markdown::{cell, code, prose, spans, text};
use crate::render::units;

/// The start of a key's heading.
pub(super) const HEADING: &str = "### ";

/// The heading of the keys.
const KEYS: &str = "## Keys";

pub(super) fn list(catalog: &Catalog) -> String {
    let mut list = "# Redis keys\n\nWritten by `cargo redis-keys catalog --format markdown`.\n\n".to_owned();
    if !catalog.keys.is_empty() {
        list.push_str(&checklist(&catalog.keys));
        list.push_str(KEYS);
        list.push('\n');
        for key in &catalog.keys {
            list.push('\n');
            list.push_str(&section(key));
        }
    }
    list.push_str(&unread(&catalog.unread));
    list
}

/// The points of a review, with a row for each key.
fn checklist(keys: &[Key]) -> String {
    let has_legacy_texts = keys.iter().any(|key| key.text_in_use().is_some());
    let (column, line) = if has_legacy_texts { (" text in use |", "---|") } else { ("", "") };
    let mut list = format!(
        "## Checklist\n\n\
         | key |{column} longest | expiry | value | size | breakdown guard | penetration guard | avalanche guard | owner |\n\
         |---|{line}---|---|---|---|---|---|---|---|\n"
    );
    for key in keys {
        let cache = if let Some(Role::Cache(cache)) = key.role { Some(cache) } else { None };
        let lock = cache.map(|cache| format!("one load in {}{}", duration(cache.lease), near_copies(cache)));
        let absence = cache.map(|cache| format!("absence for {}", duration(cache.null_ttl)));
        let jitter = (key.jitter_ms() > 0).then(|| format!("jitter of {}", units::duration(key.jitter_ms())));
        let or_dash = |given: Option<String>| given.map_or("–".to_owned(), |given| text(&given));
        let in_use = key.text_in_use().map_or("–".to_owned(), code);
        let cells = [
            format!("{} of {}", key.longest, key.max_key_bytes),
            key.ttl_ms().map_or_else(|| key.without_ttl().to_owned(), units::duration) + &key.stale_brief(),
            key.stored().map_or("–".to_owned(), |stored| code(&stored)),
            or_dash(key.limit()),
            or_dash(lock),
            or_dash(absence),
            or_dash(jitter),
            or_dash(key.owner.clone()),
        ];
        let names = [Some(code(&key.template)), has_legacy_texts.then_some(in_use)];
        let cells: Vec<_> = names.into_iter().flatten().chain(cells).map(|markdown| cell(&markdown)).collect();
        let _ = writeln!(list, "| {} |", cells.join(" | "));
    }
    list.push('\n');
    list
}

/// All about a key.
pub(super) fn section(key: &Key) -> String {
    let mut section = format!("{HEADING}{}\n\n", code(&key.template));
    for paragraph in key.docs.as_deref().unwrap_or_default().split("\n\n") {
        let paragraph = prose(paragraph);
        if !paragraph.is_empty() {
            let _ = write!(section, "{paragraph}\n\n");
        }
    }
    for fact in key.facts() {
        let _ = writeln!(section, "- {}: {}", fact.label, spans(&fact.text));
    }
    section
}

/// The places that were not read, without their lines.
fn unread(places: &[UnreadPlace]) -> String {
    if places.is_empty() {
        return String::new();
    }
    let mut counts: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    for place in places {
        *counts.entry((&place.file, &place.why)).or_default() += 1;
    }
    let mut list = "\n## Not in this list\n\nKeys that these places declare, if they do:\n\n".to_owned();
    for ((file, why), count) in counts {
        let times = if count > 1 { format!(", {count} times") } else { String::new() };
        let _ = writeln!(list, "- {}: {}{times}", code(file), text(why));
    }
    list
}

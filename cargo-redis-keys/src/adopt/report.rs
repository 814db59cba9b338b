//! The keys that were found, as a table, JSON or a page.

use std::io;

use serde_json::{Value, json};

use super::FoundKey;
use crate::declare::redis_type::RedisType;
use crate::operate::masking::Masking;
use crate::render::report::{Body, Cell, Most, Report, Section, Table, Text};
use crate::render::table::write_table;
use crate::render::units::{bytes, count, duration, things};
use crate::render::{html, printable, visible_json};

/// Writes a table, each row with the commands of the sources.
pub(crate) fn write(
    found: &[FoundKey],
    masking: &Masking,
    width: Option<usize>,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let row = |key: &FoundKey| {
        let figures = [count(key.keys()), bytes(key.bytes()), expiry(key)];
        let figures = if key.keys() > 0 { figures } else { [const { String::new() }; 3] };
        [vec![shown(key, masking), type_name(key).to_owned()], figures.into(), vec![sources(key)]].concat()
    };
    let rows: Vec<_> = found.iter().map(row).collect();
    write_table(out, &["KEY", "TYPE", "KEYS", "MEMORY", "EXPIRY", "SOURCES"], &rows, width)
}

/// The text with its fields' names, or the text of a key.
fn shown(key: &FoundKey, masking: &Masking) -> String {
    let shown = printable(key.shown(masking));
    match example(key, masking) {
        Some(example) => format!("{shown} ({example})"),
        None => shown,
    }
}

fn example(key: &FoundKey, masking: &Masking) -> Option<String> {
    key.seen.first().filter(|_| masking.shows_keys).map(|seen| printable(seen.example.1.bytes()))
}

fn type_name(key: &FoundKey) -> &'static str {
    key.redis_type.map_or("", |redis_type| redis_type.name())
}

fn expiry(key: &FoundKey) -> String {
    match (key.longest_expiry(), key.without_expiry()) {
        (Some(longest), 0) => duration(longest),
        (Some(longest), without) => format!("{}, {} never", duration(longest), count(without)),
        (None, 1..) => "never".to_owned(),
        (None, 0) => String::new(),
    }
}

/// The first command that creates the key, and the number of others.
fn sources(key: &FoundKey) -> String {
    let first = key.uses.iter().find(|used| used.creates.is_some()).or(key.uses.first());
    match (first, key.uses.len()) {
        (Some(first), 1) => printable(first.to_string()),
        (Some(first), uses) => format!("{} and {} more", printable(first.to_string()), uses - 1),
        (None, _) => String::new(),
    }
}

/// The list for programs.
pub(crate) fn to_json(found: &[FoundKey], masking: &Masking) -> String {
    let keys: Vec<_> = found.iter().map(|key| entry(key, masking)).collect();
    let text = serde_json::to_string_pretty(&json!({ "format": 1, "keys": keys })).unwrap_or_default();
    visible_json(&text) + "\n"
}

fn entry(key: &FoundKey, masking: &Masking) -> Value {
    let uses: Vec<_> = key
        .uses
        .iter()
        .map(|used| json!({ "place": used.place, "command": used.command, "creates": used.creates.is_some() }))
        .collect();
    json!({
        "text": key.shown(masking), "type": key.redis_type.map(RedisType::name), "keys": key.keys(),
        "bytes": key.bytes(), "largest_bytes": key.largest(), "largest_length": key.longest(),
        "without_expiry": key.without_expiry(), "longest_expiry_ms": key.longest_expiry(), "sources": uses,
        "values": key.values().names(),
        "example": example(key, masking),
    })
}

/// The list as a page.
pub(crate) fn to_html(found: &[FoundKey], masking: &Masking) -> String {
    let rows = found.iter().map(|key| {
        let largest = key.largest();
        vec![
            Cell::code(shown(key, masking)),
            Cell::text(type_name(key)),
            Cell::count(key.keys()),
            Cell::bytes(key.bytes()),
            Cell::number(largest, bytes),
            Cell::text(expiry(key)),
            Cell::text(sources(key)),
        ]
    });
    let columns = ["key", "type", "keys", "memory", "largest", "expiry", "sources"];
    let caption = things(found.len() as u64, "kind");
    let table = Table { caption, ..Table::new(&columns, Most::ALL, rows) };
    html::page(&Report {
        title: "Redis keys to declare".to_owned(),
        lead: vec![Text::from("The kinds of keys without a declaration, on servers and in sources.".to_owned())],
        search: "Search: text, type, file, …",
        sections: vec![Section::new("", Body::Table(table))],
        end: Vec::new(),
    })
}

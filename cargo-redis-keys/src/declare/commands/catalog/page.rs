//! The list as an HTML page.

use crate::declare::catalog::{Catalog, Key, UnreadPlace};
use crate::render::report::{Body, Cell, Most, Report, Section, Span, Table, Text};
use crate::render::{html, one_line, units};

const COLUMNS: [&str; 8] = ["key", "type", "value", "limit", "expiry", "jitter", "owner", "pattern"];

pub(super) fn list(catalog: &Catalog) -> String {
    let mut rows: Vec<_> = catalog.keys.iter().map(row).collect();
    let mut columns = COLUMNS.to_vec();
    if catalog.has_legacy_texts() {
        columns.insert(1, "text in use");
        for (row, key) in rows.iter_mut().zip(&catalog.keys) {
            row.insert(1, code(key.text_in_use()));
        }
    }
    let caption = units::things(catalog.keys.len() as u64, "key");
    let table = Table { caption, ..Table::new(&columns, Most::ALL, rows) };
    let mut sections = vec![Section::new("", Body::Table(table))];
    if !catalog.unread.is_empty() {
        let items = catalog.unread.iter().map(unread).collect();
        let lead = Text::from("Keys that these places declare, if they do:".to_owned());
        sections.push(Section::new("Not in this list", Body::List { items, most: Most::ALL }).with_lead(lead));
    }
    let lead = "The keys that the project declares. A key opens with all that its declaration says.";
    html::page(&Report {
        title: "Redis keys".to_owned(),
        lead: vec![Text::from(lead.to_owned())],
        search: "Search: module, type, owner, …",
        sections,
        end: Vec::new(),
    })
}

fn code(text: Option<&str>) -> Cell {
    text.map_or_else(Cell::default, |text| Cell::code(one_line(text)))
}

fn row(key: &Key) -> Vec<Cell> {
    // A key without expiry lives longest.
    let expiry =
        key.ttl_ms().map_or_else(|| (u64::MAX, key.without_ttl().to_owned()), |ttl| (ttl, units::duration(ttl)));
    let jitter = if key.jitter_ms() == 0 { String::new() } else { units::duration(key.jitter_ms()) };
    vec![
        Cell { details: details(key), ..code(Some(&key.template)) },
        Cell::text(one_line(key.kind.name())),
        code(key.stored().as_deref()),
        Cell::text(key.size_brief().replace(' ', "\u{a0}")),
        Cell::sorted(expiry.0, expiry.1 + &key.stale_brief()),
        Cell::sorted(key.jitter_ms(), jitter),
        Cell::text(one_line(key.owner.as_deref().unwrap_or_default())),
        Cell::text(key.role_name().unwrap_or_default()),
    ]
}

/// All about a key.
fn details(key: &Key) -> Vec<(Option<&'static str>, Text)> {
    let paragraphs = key.docs.as_deref().unwrap_or_default().split("\n\n").filter(|text| !text.trim().is_empty());
    let paragraphs = paragraphs.map(|paragraph| (None, Text::from(one_line(paragraph))));
    paragraphs.chain(key.facts().into_iter().map(|fact| (Some(fact.label), visible(fact.text)))).collect()
}

fn unread(UnreadPlace { file, line, why, .. }: &UnreadPlace) -> Text {
    Text(vec![Span::Code(format!("{}:{line}", one_line(file))), Span::Text(format!(" {}", one_line(why)))])
}

/// The same text, in one line and without anything that could change a terminal.
fn visible(text: Text) -> Text {
    let visible = |span: Span| match span {
        // With the spaces around it.
        Span::Text(words) => {
            let line = one_line(&format!("x{words}x"));
            Span::Text(line.strip_prefix('x').and_then(|rest| rest.strip_suffix('x')).unwrap_or_default().to_owned())
        }
        Span::Code(words) => Span::Code(one_line(&words)),
        span => span,
    };
    Text(text.0.into_iter().map(visible).collect())
}

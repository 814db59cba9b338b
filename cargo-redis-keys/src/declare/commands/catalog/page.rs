//! The list as an HTML page.

use maud::{Markup, html};

use crate::declare::catalog::{Catalog, Key, Span};
use crate::render::html::{Cell, page, search, table};
use crate::render::{one_line, units};

const COLUMNS: [&str; 8] = ["key", "type", "value", "limit", "expiry", "jitter", "owner", "pattern"];

pub(super) fn list(catalog: &Catalog) -> String {
    let number = |length: usize| u64::try_from(length).unwrap_or(u64::MAX);
    let mut rows: Vec<_> = catalog.keys.iter().map(row).collect();
    let mut columns = COLUMNS.to_vec();
    if catalog.has_legacy_texts() {
        columns.insert(1, "text in use");
        for (row, key) in rows.iter_mut().zip(&catalog.keys) {
            row.insert(1, key.text_in_use().map_or_else(|| Cell::text(""), |text| Cell::code(&one_line(text))));
        }
    }
    let body = html! {
        p { "The keys that the project declares. A key opens with all that its declaration says." }
        (search("Search: module, type, owner, …"))
        (table(&units::things(number(catalog.keys.len()), "key"), &columns, &rows))
        @if !catalog.unread.is_empty() {
            h2 { "Not in this list" }
            p { "Keys that these places declare, if they do:" }
            ul {
                @for place in &catalog.unread {
                    li { code { (one_line(&place.file)) ":" (place.line) } " " (one_line(&place.why)) }
                }
            }
        }
    };
    page("Redis keys", &body)
}

fn row(key: &Key) -> Vec<Cell> {
    let text = |text: &Option<String>| Cell::text(&one_line(text.as_deref().unwrap_or_default()));
    // A key without expiry lives longest.
    let expiry =
        key.ttl_ms().map_or_else(|| (u64::MAX, key.without_ttl().to_owned()), |ttl| (ttl, units::duration(ttl)));
    let jitter = if key.jitter_ms() == 0 { String::new() } else { units::duration(key.jitter_ms()) };
    vec![
        Cell::Text(html! { details { summary { code { (one_line(&key.template)) } } (details(key)) } }),
        Cell::text(&one_line(key.kind.name())),
        key.stored().map_or_else(|| Cell::text(""), |stored| Cell::code(&one_line(&stored))),
        Cell::text(&key.size_brief().replace(' ', "\u{a0}")),
        Cell::Number(expiry.0, expiry.1),
        Cell::Number(key.jitter_ms(), jitter),
        text(&key.owner),
        Cell::text(key.role_name().unwrap_or_default()),
    ]
}

/// All about a key.
fn details(key: &Key) -> Markup {
    html! {
        @for paragraph in key.docs.as_deref().unwrap_or_default().split("\n\n").filter(|text| !text.trim().is_empty()) {
            p { (one_line(paragraph)) }
        }
        dl {
            @for fact in key.facts() {
                dt.dim { (fact.label) }
                dd {
                    @for span in &fact.spans {
                        @match span {
                            Span::Text(words) => (in_line(words)),
                            Span::Code(words) => code { (one_line(words)) },
                        }
                    }
                }
            }
        }
    }
}

/// Text between code, with the spaces around it.
fn in_line(words: &str) -> String {
    let text = one_line(&format!("x{words}x"));
    text.strip_prefix('x').and_then(|rest| rest.strip_suffix('x')).unwrap_or_default().to_owned()
}

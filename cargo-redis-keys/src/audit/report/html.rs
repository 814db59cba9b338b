//! The report as an HTML page: pictures, and a table beside each of them.

mod pictures;

use maud::{Markup, html};

use self::pictures::{bars, treemap};
use super::baseline::Change;
use super::document::Document;
use super::measure;
use crate::audit::findings::{Finding, FindingId};
use crate::output::page::{Cell, Column, page, search, table};
use crate::output::printable;
use crate::output::units::{bytes, count, duration, percent, shortened, things};

/// The most rows of each table, 500 together.
const FINDINGS: usize = 120;
const CHANGES: usize = 50;
const DECLARATIONS: usize = 150;
const PATTERNS: usize = 120;
const NODES: usize = 40;

/// The most characters of a key, so that the page stays small.
const WIDTH: usize = 120;

impl Document {
    /// The report as an HTML page without any request.
    pub(super) fn to_html(&self) -> String {
        let servers: Vec<_> = self.nodes.iter().map(|node| printable(node.address.as_bytes())).collect();
        let title = match servers.as_slice() {
            [server] => format!("Audit of {server}"),
            [server, others @ ..] => format!("Audit of {server} and {} more", others.len()),
            [] => "Audit".to_owned(),
        };
        let body = html! {
            (self.head())
            (search("Search in all tables"))
            @if let Some(changes) = &self.changes { (changes_table(changes)) }
            (self.findings_section())
            (self.memory_section())
            (self.unknown_section())
            (self.expiry_section())
            (self.largest_section())
            (self.nodes_section())
            (self.not_checked_section())
        };
        page(&title, &body)
    }

    fn head(&self) -> Markup {
        let total = &self.total;
        html! {
            p {
                (things(total.keys, "key")) ", " (bytes(total.bytes)) " of memory, " (count(total.without_expiry))
                " without expiry, " (count(total.unknown_keys)) " unknown. Started " (self.started) ", " (self.pace()) "."
                @if !self.is_complete { " " strong { "Not all keys were seen." } }
            }
            @if !self.options.is_empty() {
                p.dim {
                    @for (place, (name, value)) in self.options.iter().enumerate() {
                        @if place > 0 { ", " }
                        (printable(name.as_bytes())) " " code { (printable(value.as_bytes())) }
                    }
                }
            }
        }
    }

    fn findings_section(&self) -> Markup {
        let columns = [
            Column::text("level"),
            Column::text("finding"),
            Column::text("where"),
            Column::number("keys"),
            Column::number("memory"),
            Column::text("details and examples"),
        ];
        let rows: Vec<_> = self.findings.iter().take(FINDINGS).map(finding_row).collect();
        let mut ids: Vec<FindingId> = self.findings.iter().map(|finding| finding.id).collect();
        ids.sort_unstable();
        ids.dedup();
        html! {
            h2 { "Findings" }
            @if self.findings.is_empty() {
                p { "None." }
            } @else {
                (table(&shown_of("Findings, the most serious first", self.findings.len(), FINDINGS), &columns, &rows))
                details {
                    summary { "What they mean and what to do" }
                    dl {
                        @for id in ids {
                            dt { code { (id.name()) } ": " (id.text().what) }
                            dd { "Why it matters: " (id.text().why) ". What to do: " (id.text().remedy) "." }
                        }
                    }
                }
            }
        }
    }

    fn memory_section(&self) -> Markup {
        let present: Vec<_> = self.declarations.iter().filter(|summary| summary.keys > 0).collect();
        let absent = self.declarations.len() - present.len();
        let columns = [
            Column::text("key"),
            Column::text("declaration"),
            Column::number("keys"),
            Column::number("memory"),
            Column::number("share"),
            Column::number("median"),
            Column::number("largest"),
            Column::number("no expiry"),
            Column::number("median time left"),
        ];
        let rows = present.iter().take(DECLARATIONS).map(|summary| {
            let sizes = summary.sizes;
            let size =
                |of: Option<u64>| of.map_or(Cell::Number(0, String::new()), |size| Cell::Number(size, bytes(size)));
            let left = summary.times_left_ms.map(|times| times.p50);
            vec![
                Cell::code(&key_text(&summary.template)),
                Cell::text(&format!("{} in {}", summary.name, summary.package)),
                Cell::Number(summary.keys, count(summary.keys)),
                Cell::Number(summary.bytes, bytes(summary.bytes)),
                Cell::Number(summary.bytes, percent(summary.bytes, self.total.bytes)),
                size(sizes.map(|sizes| sizes.p50)),
                size(sizes.map(|sizes| sizes.max)),
                Cell::Number(summary.without_expiry, count(summary.without_expiry)),
                Cell::Number(left.unwrap_or(0), left.map(duration).unwrap_or_default()),
            ]
        });
        let rows: Vec<_> = rows.collect();
        html! {
            h2 { "Memory" }
            (treemap(self))
            (modules_table(self))
            @if !rows.is_empty() {
                (table(&shown_of("Declarations, the one with most memory first", present.len(), DECLARATIONS), &columns, &rows))
            }
            @if absent > 0 { p.dim { (things(absent as u64, "declaration")) " without keys." } }
        }
    }

    fn unknown_section(&self) -> Markup {
        let columns = [
            Column::text("pattern"),
            Column::number("keys"),
            Column::number("memory"),
            Column::number("no expiry"),
            Column::text("largest key"),
        ];
        let rows = self.unknown.iter().take(PATTERNS).map(|summary| {
            let example = summary.example.as_ref().map(super::KeyText::shown).unwrap_or_default();
            vec![
                Cell::code(&shortened(&summary.pattern.shown(), WIDTH)),
                Cell::Number(summary.keys, count(summary.keys)),
                Cell::Number(summary.bytes, bytes(summary.bytes)),
                Cell::Number(summary.without_expiry, count(summary.without_expiry)),
                Cell::code(&shortened(&example, WIDTH)),
            ]
        });
        let rows: Vec<_> = rows.collect();
        html! {
            @if !rows.is_empty() {
                h2 { "Unknown keys" }
                (table(&shown_of("Keys without declaration by pattern", self.unknown.len(), PATTERNS), &columns, &rows))
            }
        }
    }

    fn expiry_section(&self) -> Markup {
        let values: Vec<_> = self.expiries.iter().map(|span| (span.within.as_str(), span.keys)).collect();
        let types: Vec<_> = self.types.iter().map(|summary| (summary.name.as_str(), summary.bytes)).collect();
        let rows = |values: &[(&str, u64)], shown: fn(u64) -> String| -> Vec<Vec<Cell>> {
            values.iter().map(|(name, number)| vec![Cell::text(name), Cell::Number(*number, shown(*number))]).collect()
        };
        html! {
            h2 { "Expiry" }
            (bars("Keys by the time until they expire", &values, count))
            (table("Keys by the time until they expire", &[Column::text("within"), Column::number("keys")], &rows(&values, count)))
            h2 { "Types" }
            (bars("Memory by type", &types, bytes))
            (table("Memory by type", &[Column::text("type"), Column::number("memory")], &rows(&types, bytes)))
        }
    }

    fn largest_section(&self) -> Markup {
        let columns = [
            Column::text("key"),
            Column::text("type"),
            Column::number("memory"),
            Column::number("length"),
            Column::text("declaration"),
        ];
        let rows = self.largest.iter().map(|large| {
            vec![
                Cell::code(&shortened(&large.key.shown(), WIDTH)),
                Cell::text(&large.redis_type),
                Cell::Number(large.bytes, bytes(large.bytes)),
                Cell::Number(large.length.unwrap_or(0), large.length.map(count).unwrap_or_default()),
                Cell::code(&key_text(large.template.as_deref().unwrap_or("unknown"))),
            ]
        });
        let rows: Vec<_> = rows.collect();
        html! {
            @if !rows.is_empty() {
                h2 { "Largest keys" }
                (table("Largest keys, with bytes of strings and elements of collections as length", &columns, &rows))
            }
        }
    }

    fn nodes_section(&self) -> Markup {
        let columns = [
            Column::text("server"),
            Column::text("version"),
            Column::number("keys"),
            Column::number("memory of keys"),
            Column::number("memory in use"),
            Column::number("limit"),
            Column::text("policy"),
            Column::number("time"),
        ];
        let rows = self.nodes.iter().take(NODES).map(|node| {
            let limit = match node.maxmemory {
                None => "unknown".to_owned(),
                Some(0) => "none".to_owned(),
                Some(limit) => bytes(limit),
            };
            vec![
                Cell::code(&printable(node.address.as_bytes())),
                Cell::text(&printable(node.version.as_bytes())),
                Cell::Number(node.keys, count(node.keys)),
                Cell::Number(node.bytes, bytes(node.bytes)),
                Cell::Number(node.used_memory, bytes(node.used_memory)),
                Cell::Number(node.maxmemory.unwrap_or(0), limit),
                Cell::text(&printable(node.maxmemory_policy.as_deref().unwrap_or("unknown").as_bytes())),
                Cell::Number(node.took_ms, duration(node.took_ms)),
            ]
        });
        html! {
            h2 { "Servers" }
            (table(&shown_of("Servers", self.nodes.len(), NODES), &columns, &rows.collect::<Vec<_>>()))
        }
    }

    fn not_checked_section(&self) -> Markup {
        html! {
            @if !self.not_checked.is_empty() {
                h2 { "Not checked" }
                ul { @for reason in &self.not_checked { li { (printable(reason.as_bytes())) } } }
            }
        }
    }
}

/// Text with code between backticks.
fn prose(text: &str) -> Markup {
    html! {
        @for (number, piece) in text.split('`').enumerate() {
            @if number % 2 == 1 { code.word { (piece) } } @else { (piece) }
        }
    }
}

fn finding_row(finding: &Finding) -> Vec<Cell> {
    let (level, id) = (finding.level.name(), finding.id);
    let keys = if id.is_about_keys() { count(finding.count) } else { String::new() };
    let memory = if id.is_about_keys() { bytes(finding.bytes) } else { String::new() };
    vec![
        Cell::Text(html! { span class=(level) { (level) } }),
        Cell::Text(html! { code { (id.name()) } }),
        Cell::code(&key_text(finding.subject.shown())),
        Cell::Number(if id.is_about_keys() { finding.count } else { 0 }, keys),
        Cell::Number(if id.is_about_keys() { finding.bytes } else { 0 }, memory),
        Cell::Text(html! {
            (prose(&printable(finding.detail.as_bytes())))
            @for (place, example) in finding.examples.iter().take(3).enumerate() {
                @if place > 0 || !finding.detail.is_empty() { br; }
                code { (shortened(&example.key.shown(), WIDTH)) } " " span.dim { (measure(id, example.weight)) }
            }
        }),
    ]
}

fn changes_table(changes: &[Change]) -> Markup {
    let columns = [
        Column::text("what"),
        Column::number("keys before"),
        Column::number("keys"),
        Column::number("memory before"),
        Column::number("memory"),
    ];
    let rows = changes.iter().take(CHANGES).map(|change| {
        vec![
            Cell::code(&shortened(&change.what.shown(), WIDTH)),
            Cell::Number(change.keys_before, count(change.keys_before)),
            Cell::Number(change.keys, count(change.keys)),
            Cell::Number(change.bytes_before, bytes(change.bytes_before)),
            Cell::Number(change.bytes, bytes(change.bytes)),
        ]
    });
    html! {
        h2 { "New or 10% larger than in the baseline" }
        @if changes.is_empty() {
            p { "Nothing." }
        } @else {
            (table(&shown_of("Changes, findings first", changes.len(), CHANGES), &columns, &rows.collect::<Vec<_>>()))
        }
    }
}

fn modules_table(document: &Document) -> Markup {
    let columns = [
        Column::text("module"),
        Column::number("keys"),
        Column::number("memory"),
        Column::number("share"),
        Column::number("unknown keys"),
    ];
    let rows = document.modules.iter().take(pictures::MODULES).map(|summary| {
        vec![
            Cell::code(&shortened(&summary.module, WIDTH)),
            Cell::Number(summary.keys, count(summary.keys)),
            Cell::Number(summary.bytes, bytes(summary.bytes)),
            Cell::Number(summary.bytes, percent(summary.bytes, document.total.bytes)),
            Cell::Number(summary.unknown_keys, count(summary.unknown_keys)),
        ]
    });
    let caption = shown_of("Modules, the one with most memory first", document.modules.len(), pictures::MODULES);
    html! { (table(&caption, &columns, &rows.collect::<Vec<_>>())) }
}

/// The text of a template, as it is shown.
fn key_text(text: &str) -> String {
    shortened(&printable(text.as_bytes()), WIDTH)
}

/// A caption that says how many rows there are if not all of them are shown.
fn shown_of(caption: &str, rows: usize, shown: usize) -> String {
    if rows > shown {
        format!("{caption} ({shown} of {}; the JSON report has all of them)", count(rows as u64))
    } else {
        caption.to_owned()
    }
}

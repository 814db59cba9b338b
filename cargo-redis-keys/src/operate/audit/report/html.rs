//! The report as an HTML page of tables.

use maud::{Markup, html};

use super::document::{Change, Document, Percentiles};
use super::measure;
use crate::declare::explain::in_report;
use crate::operate::audit::finding_id::FindingId;
use crate::operate::audit::findings::Finding;
use crate::render::html::{Cell, page, search, table};
use crate::render::printable;
use crate::render::units::{bytes, count, duration, percent, shortened, things};

/// The most rows of each table, 500 together.
const FINDINGS: usize = 120;
const CHANGES: usize = 50;
const DECLARATIONS: usize = 130;
const HOT: usize = 20;
const MODULES: usize = 30;
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
            (self.hot_section())
            (self.texts_section())
            (self.unknown_section())
            (self.foreign_section())
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
        let columns = ["level", "finding", "where", "keys", "memory", "details and examples"];
        let mut ids: Vec<FindingId> = self.findings.iter().map(|finding| finding.id).collect();
        ids.sort_unstable();
        ids.dedup();
        html! {
            h2 { "Findings" }
            @if self.findings.is_empty() {
                p { "None." }
            } @else {
                (first(FINDINGS, "Findings, the most serious first", &columns, self.findings.iter().map(finding_row)))
                p { "What they mean and what to do:" }
                @for name in ids.into_iter().map(FindingId::name) {
                    @let [what, why, remedy] = in_report(name);
                    details {
                        summary { code { (name) } ": " (prose(what)) }
                        p { (prose(why)) " What to do: " (prose(remedy)) }
                    }
                }
            }
        }
    }

    fn memory_section(&self) -> Markup {
        let present: Vec<_> = self.declarations.iter().filter(|summary| summary.keys > 0).collect();
        let absent = self.declarations.len() - present.len();
        let columns =
            ["key", "declaration", "keys", "memory", "share", "median", "largest", "no expiry", "median time left"];
        let rows = present.iter().map(|summary| {
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
        html! {
            h2 { "Memory" }
            (modules_table(self))
            (first(DECLARATIONS, "Declarations, the one with most memory first", &columns, rows))
            @if absent > 0 { p.dim { (things(absent as u64, "declaration")) " without keys." } }
        }
    }

    fn hot_section(&self) -> Markup {
        let columns = ["key", "hot keys", "CPU time", "network"];
        html! {
            @if let Some(total) = self.hot_total.as_ref().filter(|_| !self.hot_keys.is_empty()) {
                h2 { "Hot keys" }
                (first(HOT, &total.title(), &columns, self.hot_keys.iter().map(|hot| {
                    let [cpu, network] = hot.shares(total);
                    vec![
                        Cell::code(&key_text(hot.subject.shown())),
                        Cell::Number(hot.keys, count(hot.keys)),
                        Cell::Number(hot.cpu_us, cpu),
                        Cell::Number(hot.network_bytes, network),
                    ]
                })))
            }
        }
    }

    fn texts_section(&self) -> Markup {
        let texts: Vec<_> =
            self.declarations.iter().filter_map(|summary| Some((summary, summary.texts.as_ref()?))).collect();
        let columns = ["key", "text", "option", "keys with the text", "keys with the template"];
        let rows = texts.iter().map(|(summary, texts)| {
            vec![
                Cell::code(&key_text(&summary.template)),
                Cell::code(&key_text(&texts.legacy)),
                Cell::code(&texts.option),
                Cell::Number(texts.legacy_keys, count(texts.legacy_keys)),
                Cell::Number(texts.template_keys, count(texts.template_keys)),
            ]
        });
        html! {
            @if !texts.is_empty() {
                h2 { "Two texts" }
                (first(DECLARATIONS, "Declarations with `legacy` or `formerly`", &columns, rows))
            }
        }
    }

    fn unknown_section(&self) -> Markup {
        let mut columns = vec!["pattern", "type", "keys", "memory", "median", "largest", "expires within"];
        let shows_keys = self.unknown.iter().any(|summary| summary.example.is_some());
        columns.extend(shows_keys.then_some("largest key"));
        let rows = self.unknown.iter().map(|summary| {
            let size = |of: fn(&Percentiles) -> u64| {
                let size = summary.sizes.as_ref().map(of);
                Cell::Number(size.unwrap_or(0), size.map(bytes).unwrap_or_default())
            };
            let expiry = summary.times_left_ms.map_or(u64::MAX, |(_, last)| last);
            let mut row = vec![
                Cell::code(&key_text(&summary.pattern)),
                Cell::text(&summary.redis_type),
                Cell::Number(summary.keys, count(summary.keys)),
                Cell::Number(summary.bytes, bytes(summary.bytes)),
                size(|sizes| sizes.p50),
                size(|sizes| sizes.max),
                Cell::Number(expiry, summary.expiry()),
            ];
            row.extend(summary.example.as_ref().map(|example| Cell::code(&shortened(&example.shown(), WIDTH))));
            row
        });
        html! {
            @if !self.unknown.is_empty() {
                h2 { "Unknown keys" }
                (first(PATTERNS, "Keys without declaration by pattern", &columns, rows))
            }
        }
    }

    fn foreign_section(&self) -> Markup {
        let columns = ["program", "keys", "memory", "no expiry"];
        let rows = self.foreign.iter().map(|summary| {
            vec![
                Cell::code(&shortened(&key_text(&summary.program), WIDTH)),
                Cell::Number(summary.keys, count(summary.keys)),
                Cell::Number(summary.bytes, bytes(summary.bytes)),
                Cell::Number(summary.without_expiry, count(summary.without_expiry)),
            ]
        });
        html! {
            @if !self.foreign.is_empty() {
                h2 { "Other programs" }
                (first(PATTERNS, "Keys of other programs", &columns, rows))
            }
        }
    }

    fn expiry_section(&self) -> Markup {
        let expiries =
            self.expiries.iter().map(|span| vec![Cell::text(&span.within), Cell::Number(span.keys, count(span.keys))]);
        let types = self.types.iter().map(|of| vec![Cell::text(&of.name), Cell::Number(of.bytes, bytes(of.bytes))]);
        let [expiries, types]: [Vec<_>; 2] = [expiries.collect(), types.collect()];
        html! {
            h2 { "Expiry" }
            (table("Keys by the time until they expire", &["within", "keys"], &expiries))
            h2 { "Types" }
            (table("Memory by type", &["type", "memory"], &types))
        }
    }

    fn largest_section(&self) -> Markup {
        let columns = ["key", "type", "memory", "length", "declaration"];
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
        let columns = ["server", "version", "keys", "memory of keys", "memory in use", "limit", "policy", "time"];
        let rows = self.nodes.iter().map(|node| {
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
            (first(NODES, "Servers", &columns, rows))
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
        @for (index, piece) in text.split('`').enumerate() {
            @if index % 2 == 1 { code.word { (piece) } } @else { (piece) }
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
    let columns = ["what", "keys before", "keys", "memory before", "memory"];
    let rows = changes.iter().map(|change| {
        vec![
            Cell::code(&shortened(&change.shown(), WIDTH)),
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
            (first(CHANGES, "Changes, findings first", &columns, rows))
        }
    }
}

fn modules_table(document: &Document) -> Markup {
    let columns = ["module", "keys", "memory", "share", "unknown keys"];
    let rows = document.modules.iter().map(|summary| {
        vec![
            Cell::code(&shortened(&summary.module, WIDTH)),
            Cell::Number(summary.keys, count(summary.keys)),
            Cell::Number(summary.bytes, bytes(summary.bytes)),
            Cell::Number(summary.bytes, percent(summary.bytes, document.total.bytes)),
            Cell::Number(summary.unknown_keys, count(summary.unknown_keys)),
        ]
    });
    first(MODULES, "Modules, the one with most memory first", &columns, rows)
}

/// The text of a template, as it is shown.
fn key_text(text: &str) -> String {
    shortened(&printable(text.as_bytes()), WIDTH)
}

/// A table with the first `most` rows. Its caption says how many there are if not all of them are shown.
fn first(most: usize, caption: &str, columns: &[&str], rows: impl ExactSizeIterator<Item = Vec<Cell>>) -> Markup {
    let all = count(rows.len() as u64);
    let is_cut = rows.len() > most;
    let rows: Vec<_> = rows.take(most).collect();
    let more = if is_cut { format!(" ({most} of {all}; the JSON report has all of them)") } else { String::new() };
    html! { @if !rows.is_empty() { (table(&format!("{caption}{more}"), columns, &rows)) } }
}

//! The sections of a report for people.

use super::document::{Change, Document, HotTotal, PatternSummary, Percentiles, ReportPart};
use crate::declare::explain::in_report;
use crate::render::report::{Body, Cell, Most, Report, Section, Span, Table, Text};
use crate::render::units::{bytes, count, duration, percent, shortened, things};
use crate::render::{FindingId, Level, printable};

/// The most rows of each table: 500 together on a page, and in a terminal as many as fit a screen.
const FINDINGS: Most = Most { brief: 12, full: 120 };
const CHANGES: Most = Most { brief: 8, full: 50 };
const MODULES: Most = Most { brief: 0, full: 30 };
const DECLARATIONS: Most = Most { brief: 8, full: 130 };
const HOT: Most = Most { brief: 6, full: 20 };
const PATTERNS: Most = Most { brief: 6, full: 120 };
const LARGEST: Most = Most { brief: 5, full: usize::MAX };
const NODES: Most = Most { brief: 0, full: 40 };
const REASONS: Most = Most { brief: 6, full: usize::MAX };

/// The most characters of each of two texts.
const WIDTH: usize = 56;

impl Document {
    /// The report, in a terminal with all patterns of unknown keys if that is asked for.
    pub(super) fn report(&self, all_unknown: bool) -> Report {
        let sections = [
            self.changes.as_deref().map(changes),
            Some(self.findings()),
            self.explanations(),
            self.modules(),
            self.memory(),
            self.hot(),
            self.texts(),
            self.unknown(if all_unknown { Most { brief: usize::MAX, ..PATTERNS } } else { PATTERNS }),
            self.foreign(),
            Some(self.expiries()),
            Some(self.types()),
            self.largest(),
            Some(self.nodes()),
            self.not_checked(),
        ];
        Report {
            title: format!("Audit of {}", self.shown_servers()),
            lead: self.lead(),
            search: "Search in all tables",
            sections: sections.into_iter().flatten().collect(),
            end: self.end(),
        }
    }

    fn shown_servers(&self) -> String {
        let servers: Vec<_> = self.nodes.iter().map(|node| printable(&node.address)).collect();
        let version = self.nodes.first().map(|node| printable(&node.version)).unwrap_or_default();
        match servers.as_slice() {
            [server] => format!("{server} ({version})"),
            [server, others @ ..] => format!("{server} ({version}) and {} more", others.len()),
            [] => "no server".to_owned(),
        }
    }

    fn lead(&self) -> Vec<Text> {
        let total = &self.total;
        let (keys, memory, never) = (things(total.keys, "key"), bytes(total.bytes), count(total.without_expiry));
        let pace = format!("{keys}, {memory} of memory, {never} without expiry; {}", self.pace());
        let shown = |(name, value): &(String, String)| {
            let [name, value] = [name, value].map(printable);
            Text(vec![Span::Dim(format!("{name}: {value}"))])
        };
        [Text::from(pace)].into_iter().chain(self.options.iter().map(shown)).collect()
    }

    /// The duration and the speed of the scan.
    fn pace(&self) -> String {
        let time = match self.took_ms {
            0..60_000 => format!("{}.{} s", self.took_ms / 1_000, self.took_ms % 1_000 / 100),
            longer => duration(longer),
        };
        match (self.total.keys * 1_000).checked_div(self.took_ms) {
            Some(pace) => format!("scanned in {time}, {} keys a second", count(pace)),
            None => format!("scanned in {time}"),
        }
    }

    fn findings(&self) -> Section {
        let section = Section::new("Findings", Body::Findings { findings: self.findings.clone(), most: FINDINGS });
        if self.findings.is_empty() { section.with_lead(Text::from("none".to_owned())) } else { section }
    }

    fn explanations(&self) -> Option<Section> {
        let mut ids: Vec<_> = self.findings.iter().filter_map(crate::render::Finding::id).collect();
        ids.sort_unstable();
        ids.dedup();
        let explained = |id: FindingId| {
            let [what, why, remedy] = in_report(id.name());
            (Text::prose(&format!("`{}`: {what}", id.name())), Text::prose(&format!("{why} What to do: {remedy}")))
        };
        let explanations: Vec<_> = ids.into_iter().map(explained).collect();
        let title = "What they mean and what to do";
        (!explanations.is_empty()).then(|| Section::full(title, Body::Explanations(explanations)))
    }

    fn modules(&self) -> Option<Section> {
        let rows = self.modules.iter().map(|summary| {
            vec![
                Cell::key(&summary.module),
                Cell::count(summary.keys),
                Cell::bytes(summary.bytes),
                Cell::number(Some(summary.bytes), |part| percent(part, self.total.bytes)),
                Cell::count(summary.unknown_keys),
            ]
        });
        let table = Table::new(&["module", "keys", "memory", "share", "unknown keys"], MODULES, rows);
        non_empty("Modules with most memory", table).map(|section| Section { is_brief: false, ..section })
    }

    fn memory(&self) -> Option<Section> {
        let present: Vec<_> = self.declarations.iter().filter(|summary| summary.keys > 0).collect();
        let absent = self.declarations.len() - present.len();
        let rows = present.iter().map(|summary| {
            let sizes = summary.sizes;
            vec![
                Cell::key(&summary.template),
                Cell::text(printable(format!("{} in {}", summary.name, summary.package))),
                Cell::bytes(summary.bytes),
                Cell::number(Some(summary.bytes), |part| percent(part, self.total.bytes)),
                Cell::count(summary.keys),
                Cell::number(sizes.map(|sizes| sizes.p50), bytes),
                Cell::number(sizes.map(|sizes| sizes.max), bytes),
                Cell::count(summary.without_expiry),
                Cell::number(summary.times_left_ms.map(|times| times.p50), duration),
            ]
        });
        let columns =
            ["key", "+declaration", "memory", "share", "keys", "+median", "largest", "+no expiry", "+median time left"];
        let section = non_empty("Declarations with most memory", Table::new(&columns, DECLARATIONS, rows))?;
        let note = Text(vec![Span::Dim(format!("{} without keys", things(absent as u64, "declaration")))]);
        Some(if absent > 0 { section.with_lead(note) } else { section })
    }

    fn hot(&self) -> Option<Section> {
        let total = self.hot_total.as_ref()?;
        let rows = self.hot_keys.iter().map(|hot| {
            let [cpu, network] = hot.shares(total);
            vec![
                Cell::key(hot.subject.shown()),
                Cell::sorted(hot.cpu_us, cpu),
                Cell::sorted(hot.network_bytes, network),
                Cell::count(hot.keys),
            ]
        });
        non_empty(&total.title(), Table::new(&["key", "CPU", "network", "hot keys"], HOT, rows))
    }

    fn texts(&self) -> Option<Section> {
        let rows = self.declarations.iter().filter_map(|summary| {
            let texts = summary.texts.as_ref()?;
            let [template, legacy] = [&summary.template, &texts.legacy].map(|text| shortened(&printable(text), WIDTH));
            let (code, between) = (Span::Code, |words: &str| Span::Text(words.to_owned()));
            let (both, in_use, other) = if texts.option == "legacy" {
                ([code(legacy), between(", and "), code(template)], texts.legacy_keys, texts.template_keys)
            } else {
                ([code(template), between(", formerly "), code(legacy)], texts.template_keys, texts.legacy_keys)
            };
            let both = Cell::from(Text(both.into()));
            Some(vec![both, Cell::count(in_use), Cell::count(other)])
        });
        let table = Table::new(&["texts", "in use", "other"], DECLARATIONS, rows);
        non_empty("Declarations with two texts", table)
    }

    fn unknown(&self, most: Most) -> Option<Section> {
        let shows_keys = self.unknown.iter().any(|summary| summary.example.is_some());
        let mut columns = vec!["pattern", "memory", "keys", "type", "+median", "+largest", "expires within"];
        columns.extend(shows_keys.then_some("+largest key"));
        let rows = self.unknown.iter().map(|summary| {
            let size = |of: fn(&Percentiles) -> u64| Cell::number(summary.sizes.as_ref().map(of), bytes);
            let expiry = summary.times_left_ms.map_or(u64::MAX, |(_, last)| last);
            let row = [
                Cell::key(&summary.pattern),
                Cell::bytes(summary.bytes),
                Cell::count(summary.keys),
                Cell::text(printable(&summary.redis_type)),
                size(|sizes| sizes.p50),
                size(|sizes| sizes.max),
                Cell::sorted(expiry, summary.expiry()),
            ];
            row.into_iter().chain(summary.example.as_ref().map(Cell::key_text)).collect()
        });
        non_empty("Unknown keys by pattern", Table::new(&columns, most, rows))
    }

    fn foreign(&self) -> Option<Section> {
        let rows = self.foreign.iter().map(|summary| {
            vec![
                Cell::key(&summary.program),
                Cell::bytes(summary.bytes),
                Cell::count(summary.keys),
                Cell::count(summary.without_expiry),
            ]
        });
        let columns = ["program", "memory", "keys", "no expiry"];
        non_empty("Keys of other programs", Table::new(&columns, PATTERNS, rows))
    }

    fn expiries(&self) -> Section {
        let rows = self.expiries.iter().map(|span| vec![Cell::text(&*span.within), Cell::count(span.keys)]);
        let table = Table::new(&["within", "keys"], Most::ALL, rows);
        Section::full("Keys by the time until they expire", Body::Table(table))
    }

    fn types(&self) -> Section {
        let rows = self.types.iter().map(|of| vec![Cell::text(&*of.name), Cell::bytes(of.bytes)]);
        Section::full("Memory by type", Body::Table(Table::new(&["type", "memory"], Most::ALL, rows)))
    }

    fn largest(&self) -> Option<Section> {
        let rows = self.largest.iter().map(|large| {
            vec![
                Cell::key_text(&large.key),
                Cell::bytes(large.bytes),
                Cell::text(printable(&large.redis_type)),
                Cell::number(large.length, count),
                Cell::key(large.template.as_deref().unwrap_or("unknown")),
            ]
        });
        let columns = ["key", "memory", "type", "length", "+declaration"];
        non_empty("Largest keys", Table::new(&columns, LARGEST, rows))
    }

    fn nodes(&self) -> Section {
        let rows = self.nodes.iter().map(|node| {
            let limit = match node.maxmemory {
                None => "unknown".to_owned(),
                Some(0) => "none".to_owned(),
                Some(limit) => bytes(limit),
            };
            vec![
                Cell::key(&node.address),
                Cell::text(printable(&node.version)),
                Cell::count(node.keys),
                Cell::bytes(node.bytes),
                Cell::bytes(node.used_memory),
                Cell::sorted(node.maxmemory.unwrap_or(0), limit),
                Cell::text(printable(node.maxmemory_policy.as_deref().unwrap_or("unknown"))),
                Cell::number(Some(node.took_ms), duration),
            ]
        });
        let columns = ["server", "version", "keys", "memory of keys", "memory in use", "limit", "policy", "time"];
        Section::full("Servers", Body::Table(Table::new(&columns, NODES, rows)))
    }

    fn not_checked(&self) -> Option<Section> {
        let items: Vec<_> = self.not_checked.iter().map(|reason| Text::prose(reason)).collect();
        (!items.is_empty()).then(|| Section::new("Not checked", Body::List { items, most: REASONS }))
    }

    fn end(&self) -> Vec<Text> {
        let count_of = |level| self.findings.iter().filter(|finding| finding.level == level).count() as u64;
        let of = |level: Level| things(count_of(level), level.name());
        let unchecked = match self.not_checked.as_slice() {
            [] => String::new(),
            [only] => format!("; not checked: {}", printable(only)),
            [first, others @ ..] => {
                format!("; not checked: {}, and {} more", printable(first), others.len())
            }
        };
        let sum = format!("\n{}, {}, {}{unchecked}", of(Level::Error), of(Level::Warning), of(Level::Note));
        let explain = |name| format!("`cargo redis-keys explain {name}` says why it matters and what to do");
        let help = self.findings.first().map(|finding| Text(vec![Span::Dim(explain(finding.code.name()))]));
        [Text::from(sum)].into_iter().chain(help).collect()
    }
}

/// A section, if its table has rows.
fn non_empty(title: &str, table: Table) -> Option<Section> {
    (!table.rows.is_empty()).then(|| Section::new(title, Body::Table(table)))
}

fn changes(changes: &[Change]) -> Section {
    let rows = changes.iter().map(|change| {
        vec![
            Cell::key(&change.shown()),
            Cell::count(change.keys_before),
            Cell::count(change.keys),
            Cell::bytes(change.bytes_before),
            Cell::bytes(change.bytes),
        ]
    });
    let columns = ["what", "keys before", "keys", "memory before", "memory"];
    let section =
        Section::new("New or 10% larger than in the baseline", Body::Table(Table::new(&columns, CHANGES, rows)));
    if changes.is_empty() { section.with_lead(Text::from("nothing".to_owned())) } else { section }
}

impl PatternSummary {
    /// The time within which all of these keys expire.
    fn expiry(&self) -> String {
        self.times_left_ms.map_or_else(|| "never".to_owned(), |(_, last)| duration(last))
    }
}

impl Change {
    /// The text that is shown for it.
    pub(super) fn shown(&self) -> String {
        let finding = if self.is_new_without_expiry { "no_expiry in new " } else { "" };
        let what = match &self.what {
            ReportPart::Total => "all keys".to_owned(),
            ReportPart::Finding { id, subject } => format!("{} in {}", id.name(), subject.shown()),
            ReportPart::Declaration { template, .. } => template.clone(),
            ReportPart::Unknown { pattern, redis_type, expires } => {
                let never = if *expires { "" } else { " without expiry" };
                format!("unknown {redis_type}{never} {pattern}")
            }
        };
        format!("{finding}{what}")
    }
}

impl HotTotal {
    /// The title of a table of hot keys.
    fn title(&self) -> String {
        let time = duration(self.collected_ms);
        match self.sample_ratio {
            1 => format!("Hot keys, as the server counted them for {time}"),
            ratio => format!("Hot keys, as the server counted 1 in {} commands for {time}", count(ratio)),
        }
    }
}

//! The report for a terminal: what fits a screen.

use std::io::{self, Write};

use anstyle::Style;

use super::document::{Change, Changed, Document, PatternSummary};
use super::measure;
use crate::operate::audit::findings::Finding;
use crate::render::units::{bytes, count, duration, percent, shortened, things};
use crate::render::{Level, printable, wrapped};

/// The most rows of each table.
const FINDINGS: usize = 12;
const CHANGES: usize = 8;
const DECLARATIONS: usize = 8;
const HOT: usize = 6;
const PATTERNS: usize = 6;
const LARGEST: usize = 5;
const REASONS: usize = 6;

/// The most characters of a key or a template.
const WIDTH: usize = 56;

/// The fewest characters of a text that is shortened.
const NARROWEST: usize = 16;

/// The spaces in front of what a finding says below its name.
const INDENT: usize = 10;

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

/// The output, whose lines should not be longer than a terminal is wide: there a table cannot be read otherwise.
struct Lines<'a> {
    out: &'a mut dyn Write,
    width: usize,
}

impl Lines<'_> {
    /// The characters that are left in a line for a text that can be shortened.
    fn rest(&self, used: usize) -> usize {
        self.width.saturating_sub(used).max(NARROWEST)
    }
}

impl Write for Lines<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Document {
    /// Writes the summary for a terminal with so many columns.
    pub(super) fn write_summary(&self, all_unknown: bool, width: Option<usize>, out: &mut dyn Write) -> io::Result<()> {
        let out = &mut Lines { out, width: width.unwrap_or(usize::MAX) };
        self.write_head(out)?;
        if let Some(changes) = &self.changes {
            write_changes(changes, out)?;
        }
        write_findings(&self.findings, out)?;
        self.write_memory(out)?;
        self.write_hot(out)?;
        self.write_texts(out)?;
        self.write_unknown(out, if all_unknown { usize::MAX } else { PATTERNS })?;
        self.write_foreign(out)?;
        self.write_largest(out)?;
        self.write_not_checked(out)?;
        self.write_end(out)
    }

    fn write_head(&self, out: &mut Lines<'_>) -> io::Result<()> {
        let servers: Vec<_> = self.nodes.iter().map(|node| printable(node.address.as_bytes())).collect();
        let version = self.nodes.first().map(|node| printable(node.version.as_bytes())).unwrap_or_default();
        let servers = match servers.as_slice() {
            [server] => format!("{server} ({version})"),
            [server, others @ ..] => format!("{server} ({version}) and {} more", others.len()),
            [] => "no server".to_owned(),
        };
        writeln!(out, "{BOLD}Audit of {servers}{BOLD:#}")?;
        let total = &self.total;
        let (keys, memory, never) = (things(total.keys, "key"), bytes(total.bytes), count(total.without_expiry));
        writeln!(out, "{keys}, {memory} of memory, {never} without expiry; {}", self.pace())?;
        for (name, value) in &self.options {
            writeln!(out, "{DIM}{}: {}{DIM:#}", printable(name.as_bytes()), printable(value.as_bytes()))?;
        }
        Ok(())
    }

    /// The duration and the speed of the scan.
    pub(super) fn pace(&self) -> String {
        let time = match self.took_ms {
            0..60_000 => format!("{}.{} s", self.took_ms / 1_000, self.took_ms % 1_000 / 100),
            longer => duration(longer),
        };
        match (self.total.keys * 1_000).checked_div(self.took_ms) {
            Some(pace) => format!("scanned in {time}, {} keys a second", count(pace)),
            None => format!("scanned in {time}"),
        }
    }

    fn write_memory(&self, out: &mut Lines<'_>) -> io::Result<()> {
        let present: Vec<_> = self.declarations.iter().filter(|summary| summary.keys > 0).collect();
        let rows = present.iter().map(|summary| {
            let largest = summary.sizes.map(|sizes| bytes(sizes.max)).unwrap_or_default();
            let (memory, share) = (bytes(summary.bytes), percent(summary.bytes, self.total.bytes));
            let template = shortened(&printable(summary.template.as_bytes()), WIDTH);
            vec![memory, share, count(summary.keys), largest, template]
        });
        let heads = ["memory", "share", "keys", "largest", "key"];
        write_table(out, "Declarations with most memory", &heads, rows, DECLARATIONS)
    }

    fn write_hot(&self, out: &mut Lines<'_>) -> io::Result<()> {
        let Some(total) = &self.hot_total else { return Ok(()) };
        let rows = self.hot_keys.iter().map(|hot| {
            let [cpu, network] = hot.shares(total);
            vec![cpu, network, count(hot.keys), shortened(&printable(hot.subject.shown().as_bytes()), WIDTH)]
        });
        write_table(out, &total.title(), &["CPU", "network", "hot keys", "key"], rows, HOT)
    }

    fn write_texts(&self, out: &mut Lines<'_>) -> io::Result<()> {
        let texts: Vec<_> =
            self.declarations.iter().filter_map(|summary| Some((summary, summary.texts.as_ref()?))).collect();
        let rows = texts.iter().map(|(summary, texts)| {
            let shown = |text: &str| shortened(&printable(text.as_bytes()), WIDTH);
            let (template, legacy) = (shown(&summary.template), shown(&texts.legacy));
            let (keys, legacy_keys) = (count(texts.template_keys), count(texts.legacy_keys));
            if texts.option == "legacy" {
                vec![legacy_keys, keys, format!("{legacy}, and {template}")]
            } else {
                vec![keys, legacy_keys, format!("{template}, formerly {legacy}")]
            }
        });
        write_table(out, "Declarations with two texts", &["in use", "other", "texts"], rows, DECLARATIONS)
    }

    fn write_unknown(&self, out: &mut Lines<'_>, most: usize) -> io::Result<()> {
        let rows = self.unknown.iter().map(|summary| {
            let pattern = shortened(&printable(summary.pattern.as_bytes()), WIDTH);
            let keys = count(summary.keys);
            vec![bytes(summary.bytes), keys, summary.redis_type.clone(), summary.expiry(), pattern]
        });
        let heads = ["memory", "keys", "type", "expires within", "pattern"];
        write_table(out, "Unknown keys by pattern", &heads, rows, most)
    }

    fn write_foreign(&self, out: &mut Lines<'_>) -> io::Result<()> {
        let rows = self.foreign.iter().map(|summary| {
            let program = shortened(&printable(summary.program.as_bytes()), WIDTH);
            vec![bytes(summary.bytes), count(summary.keys), count(summary.without_expiry), program]
        });
        write_table(out, "Keys of other programs", &["memory", "keys", "no expiry", "program"], rows, PATTERNS)
    }

    fn write_largest(&self, out: &mut Lines<'_>) -> io::Result<()> {
        let rows = self.largest.iter().map(|large| {
            let length = large.length.map(count).unwrap_or_default();
            vec![bytes(large.bytes), large.redis_type.clone(), length, shortened(&large.key.shown(), WIDTH)]
        });
        write_table(out, "Largest keys", &["memory", "type", "length", "key"], rows, LARGEST)
    }

    fn write_not_checked(&self, out: &mut Lines<'_>) -> io::Result<()> {
        if self.not_checked.is_empty() {
            return Ok(());
        }
        write_title(out, "Not checked", self.not_checked.len(), REASONS)?;
        for reason in self.not_checked.iter().take(REASONS) {
            writeln!(out, "  {}", printable(reason.as_bytes()))?;
        }
        Ok(())
    }

    fn write_end(&self, out: &mut Lines<'_>) -> io::Result<()> {
        let count_of = |level| self.findings.iter().filter(|finding| finding.level == level).count() as u64;
        let of = |level: Level| things(count_of(level), level.name());
        let unchecked = match self.not_checked.as_slice() {
            [] => String::new(),
            [only] => format!("; not checked: {}", printable(only.as_bytes())),
            [first, others @ ..] => {
                format!("; not checked: {}, and {} more", printable(first.as_bytes()), others.len())
            }
        };
        writeln!(out, "\n{}, {}, {}{unchecked}", of(Level::Error), of(Level::Warning), of(Level::Note))?;
        if let Some(finding) = self.findings.first() {
            let name = finding.id.name();
            writeln!(out, "{DIM}`cargo redis-keys explain {name}` says why it matters and what to do{DIM:#}")?;
        }
        Ok(())
    }
}

impl PatternSummary {
    /// The time within which all of these keys expire.
    pub(super) fn expiry(&self) -> String {
        self.times_left_ms.map_or_else(|| "never".to_owned(), |(_, last)| duration(last))
    }
}

fn write_changes(changes: &[Change], out: &mut Lines<'_>) -> io::Result<()> {
    write_title(out, "New or 10% larger than in the baseline", changes.len(), CHANGES)?;
    if changes.is_empty() {
        return writeln!(out, "  nothing");
    }
    let rows = changes.iter().take(CHANGES).map(|change| {
        let from_to = |before: String, now: String| if before == now { now } else { format!("{before} → {now}") };
        vec![
            from_to(count(change.keys_before), count(change.keys)),
            from_to(bytes(change.bytes_before), bytes(change.bytes)),
            shortened(&change.shown(), WIDTH + 20),
        ]
    });
    write_rows(out, &["keys", "memory", "what"], &rows.collect::<Vec<_>>())
}

impl Change {
    /// The text that is shown for it.
    pub(super) fn shown(&self) -> String {
        let finding = if self.is_new_without_expiry { "no_expiry in new " } else { "" };
        format!("{finding}{}", self.what.shown())
    }
}

impl Changed {
    /// The text that is shown for it.
    fn shown(&self) -> String {
        match self {
            Self::Total => "all keys".to_owned(),
            Self::Finding { id, subject } => format!("{} in {}", id.name(), printable(subject.shown().as_bytes())),
            Self::Declaration { template, .. } => printable(template.as_bytes()),
            Self::Unknown { pattern, redis_type, expires } => {
                let never = if *expires { "" } else { " without expiry" };
                format!("unknown {redis_type}{never} {}", printable(pattern.as_bytes()))
            }
        }
    }
}

fn write_findings(findings: &[Finding], out: &mut Lines<'_>) -> io::Result<()> {
    write_title(out, "Findings", findings.len(), FINDINGS)?;
    if findings.is_empty() {
        return writeln!(out, "  none");
    }
    let width = findings.iter().take(FINDINGS).map(|finding| finding.id.name().len()).max().unwrap_or(0);
    for finding in findings.iter().take(FINDINGS) {
        let (level, name) = (finding.level, finding.id.name());
        let style = level.style();
        let size = if finding.bytes > 0 { format!(", {}", bytes(finding.bytes)) } else { String::new() };
        let keys = if finding.id.is_about_keys() {
            format!("  {}{size}", things(finding.count, "key"))
        } else {
            String::new()
        };
        let most = out.rest(INDENT + width + 2 + keys.len()).min(WIDTH);
        let subject = shortened(&printable(finding.subject.shown().as_bytes()), most);
        writeln!(out, "  {style}{:<7}{style:#} {BOLD}{name:<width$}{BOLD:#}  {subject}{keys}", level.name())?;
        let detail = (!finding.detail.is_empty()).then(|| printable(finding.detail.as_bytes()));
        let example = finding.examples.first().map(|example| {
            format!("{} ({})", shortened(&example.key.shown(), WIDTH), measure(finding.id, example.weight))
        });
        let more: Vec<_> = detail.into_iter().chain(example).collect();
        if !more.is_empty() {
            let more = more.join("; ");
            // A name that fits keeps its spaces.
            let more = if more.chars().count() > out.rest(INDENT) { wrapped(&more, out.rest(INDENT)) } else { more };
            let more = more.replace('\n', &format!("\n{:INDENT$}", ""));
            writeln!(out, "{:INDENT$}{DIM}{more}{DIM:#}", "")?;
        }
    }
    Ok(())
}

/// A heading, which says how many rows there are if not all of them are shown.
fn write_title(out: &mut Lines<'_>, title: &str, rows: usize, shown: usize) -> io::Result<()> {
    if rows == 0 && title != "Findings" && !title.starts_with("New") {
        return Ok(());
    }
    let more = if rows > shown { format!(" ({shown} of {})", count(rows as u64)) } else { String::new() };
    writeln!(out, "\n{BOLD}{title}{BOLD:#}{more}")
}

/// The first rows below a heading.
fn write_table(
    out: &mut Lines<'_>,
    title: &str,
    heads: &[&str],
    rows: impl ExactSizeIterator<Item = Vec<String>>,
    most: usize,
) -> io::Result<()> {
    write_title(out, title, rows.len(), most)?;
    write_rows(out, heads, &rows.take(most).collect::<Vec<_>>())
}

/// Columns, all but the last one aligned to the right.
fn write_rows(out: &mut Lines<'_>, heads: &[&str], rows: &[Vec<String>]) -> io::Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    let heads: Vec<_> = heads.iter().map(|head| (*head).to_owned()).collect();
    let width = |column: usize| {
        let cells = rows.iter().chain([&heads]).filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let last = heads.len().saturating_sub(1);
    let most = out.rest((0..last).map(|column| width(column) + 2).sum::<usize>() + 2);
    let line = |row: &[String]| {
        let cell = |(column, text): (usize, &String)| {
            if column == last { shortened(text, most) } else { format!("{text:>width$}", width = width(column)) }
        };
        row.iter().enumerate().map(cell).collect::<Vec<_>>().join("  ")
    };
    writeln!(out, "  {DIM}{}{DIM:#}", line(&heads))?;
    rows.iter().try_for_each(|row| writeln!(out, "  {}", line(row).trim_end()))
}

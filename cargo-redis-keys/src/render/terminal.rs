//! Reports as text for terminals: as much as fits a screen.

use std::io::{self, Write};

use anstyle::Style;

use super::finding::Finding;
use super::report::{Body, Most, Report, Section, Span, Table, Text};
use super::units::{bytes, count, shortened, things};
use super::{BOLD, printable, wrapped};

/// The most characters of a key or a template.
const WIDTH: usize = 56;

/// The fewest characters of a text that is shortened.
const NARROWEST: usize = 16;

/// The spaces in front of a finding's details below its name.
const INDENT: usize = 10;

const DIM: Style = Style::new().dimmed();

/// Writes a report for a terminal of this width, because wider rows are unreadable in a table.
pub(crate) fn write(report: &Report, width: Option<usize>, out: &mut dyn Write) -> io::Result<()> {
    let width = width.unwrap_or(usize::MAX);
    writeln!(out, "{BOLD}{}{BOLD:#}", report.title)?;
    report.lead.iter().try_for_each(|line| writeln!(out, "{}", styled(line)))?;
    report
        .sections
        .iter()
        .filter(|section| section.is_brief)
        .try_for_each(|section| write_section(section, width, out))?;
    report.end.iter().try_for_each(|line| writeln!(out, "{}", styled(line)))
}

fn styled(text: &Text) -> String {
    let span = |span: &Span| match span {
        Span::Dim(text) => format!("{DIM}{text}{DIM:#}"),
        Span::Level(level) => format!("{style}{}{style:#}", level.name(), style = level.style()),
        Span::Text(text) => text.clone(),
        Span::Code(text) => format!("`{text}`"),
        Span::End => "\n".to_owned(),
    };
    text.0.iter().map(span).collect()
}

fn write_section(section: &Section, width: usize, out: &mut dyn Write) -> io::Result<()> {
    let (rows, Most { brief, .. }) = match &section.body {
        Body::Table(table) => (table.rows.len(), table.most),
        Body::Findings { findings, most } => (findings.len(), *most),
        Body::List { items, most } => (items.len(), *most),
        Body::Explanations(_) => (0, Most::ALL),
    };
    let more = if rows > brief { format!(" ({brief} of {})", count(rows as u64)) } else { String::new() };
    writeln!(out, "\n{BOLD}{}{BOLD:#}{more}", section.title)?;
    // A screen has no space for the text below a heading, except for the reason why there is nothing else.
    if let Some(lead) = section.lead.as_ref().filter(|_| rows == 0) {
        writeln!(out, "  {}", styled(lead))?;
    }
    match &section.body {
        Body::Table(table) => write_table(table, width, out),
        Body::Findings { findings, .. } => write_findings(findings, brief, width, out),
        Body::List { items, .. } => items.iter().take(brief).try_for_each(|item| writeln!(out, "  {}", styled(item))),
        Body::Explanations(_) => Ok(()),
    }
}

/// The characters that are left in a line for a text that can be shortened.
fn rest(width: usize, used: usize) -> usize {
    width.saturating_sub(used).max(NARROWEST)
}

fn write_findings(findings: &[Finding], most: usize, width: usize, out: &mut dyn Write) -> io::Result<()> {
    let longest = findings.iter().take(most).map(|finding| finding.code.name().len()).max().unwrap_or(0);
    for finding in findings.iter().take(most) {
        let (level, name, figures) = (finding.level, finding.code.name(), &finding.figures);
        let style = level.style();
        let size = if figures.bytes > 0 { format!(", {}", bytes(figures.bytes)) } else { String::new() };
        let is_about_keys = finding.id().is_some_and(super::FindingId::is_about_keys);
        let keys = if is_about_keys { format!("  {}{size}", things(figures.count, "key")) } else { String::new() };
        let most = rest(width, INDENT + longest + 2 + keys.len()).min(WIDTH);
        let subject = shortened(&printable(finding.subject.shown()), most);
        writeln!(out, "  {style}{:<7}{style:#} {BOLD}{name:<longest$}{BOLD:#}  {subject}{keys}", level.name())?;
        let message = (!finding.message.is_empty()).then(|| printable(&finding.message));
        let example = figures.examples.first().zip(finding.id()).map(|(example, id)| {
            format!("{} ({})", shortened(&example.key.shown(), WIDTH), id.measure(example.weight))
        });
        let more: Vec<_> = message.into_iter().chain(example).collect();
        if !more.is_empty() {
            let (more, most) = (more.join("; "), rest(width, INDENT));
            // A name that fits keeps its spaces.
            let more = if more.chars().count() > most { wrapped(more.split_whitespace(), most) } else { more };
            let more = more.replace('\n', &format!("\n{:INDENT$}", ""));
            writeln!(out, "{:INDENT$}{DIM}{more}{DIM:#}", "")?;
        }
    }
    Ok(())
}

/// Columns aligned to the right, and at the end the first column, because most text fits there.
fn write_table(table: &Table, width: usize, out: &mut dyn Write) -> io::Result<()> {
    let shown = |row: Vec<String>| {
        let mut cells: Vec<_> =
            row.into_iter().zip(&table.columns).filter(|(_, column)| column.is_brief).map(|(cell, _)| cell).collect();
        let first = cells.len().min(1);
        cells.rotate_left(first);
        cells
    };
    let heads = shown(table.columns.iter().map(|column| column.name.to_owned()).collect());
    let rows = table.rows.iter().take(table.most.brief);
    let rows: Vec<_> =
        rows.map(|row| shown(row.iter().map(|cell| shortened(&cell.text.plain(), 2 * WIDTH + 11)).collect())).collect();
    if rows.is_empty() {
        return Ok(());
    }
    let last = heads.len().saturating_sub(1);
    let width_of = |column: usize| {
        let cells = rows.iter().chain([&heads]).filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let most = rest(width, (0..last).map(|column| width_of(column) + 2).sum::<usize>() + 2);
    let line = |row: &[String]| {
        let cell = |(column, text): (usize, &String)| {
            if column == last { shortened(text, most) } else { format!("{text:>width$}", width = width_of(column)) }
        };
        row.iter().enumerate().map(cell).collect::<Vec<_>>().join("  ")
    };
    writeln!(out, "  {DIM}{}{DIM:#}", line(&heads))?;
    rows.iter().try_for_each(|row| writeln!(out, "  {}", line(row).trim_end()))
}

//! The frame of an HTML page: one file without any request, whose tables can be sorted and searched.
//!
//! Everything in it is escaped, and its content security policy admits only this style and this script. So a `style`
//! attribute or a script in a key's text has no effect.

use std::fmt::Write as _;

use super::report::{Body, Cell, Report, Section, Span, Table, Text};
use super::units::count;

/// The style of all pages.
const STYLE: &str = include_str!("html.css");

/// The script of all pages.
const SCRIPT: &str = include_str!("html.js");

/// Admits this style and this script, which it names by their SHA-256, and nothing else. A test has the new digests
/// after a change.
const POLICY: &str = "default-src 'none'; \
    style-src 'sha256-ksO0jgmA6rJ0pTTGCLWdP1Vn6ffq3/tSszHpLLtlEfI='; \
    script-src 'sha256-EH4MgktxF1XX2ynRwx4Rjb7OWJZzpOJTraAG67iwIrw='; \
    base-uri 'none'; form-action 'none'";

/// A report as a page.
pub(crate) fn page(report: &Report) -> String {
    let title = escaped(&report.title);
    let mut out = format!(
        "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"referrer\" content=\"no-referrer\"><title>{title}</title><style>{STYLE}</style></head>\
         <body><h1>{title}</h1>"
    );
    for line in &report.lead {
        let _ = write!(out, "<p>{}</p>", text(line));
    }
    let label = escaped(report.search);
    let _ = write!(
        out,
        "<div class=\"search\" role=\"search\" hidden><input type=\"search\" placeholder=\"{label}\" aria-label=\"{label}\">\
         <output aria-live=\"polite\"></output></div>"
    );
    report.sections.iter().for_each(|section| write_section(section, &mut out));
    let _ = write!(out, "<script>{SCRIPT}</script></body></html>");
    out
}

/// Text in which no sign means anything in HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn text(text: &Text) -> String {
    spans(text, "<code>")
}

/// Text with code in it, but without a wide block.
fn words(text: &Text) -> String {
    spans(text, if text.0.len() > 1 { "<code class=\"word\">" } else { "<code>" })
}

fn spans(text: &Text, code: &str) -> String {
    let span = |span: &Span| match span {
        Span::Text(text) => escaped(text),
        Span::Code(text) => format!("{code}{}</code>", escaped(text)),
        Span::Dim(text) => format!("<span class=\"dim\">{}</span>", escaped(text)),
        Span::Level(level) => format!("<span class=\"{0}\">{0}</span>", level.name()),
        Span::End => "<br>".to_owned(),
    };
    text.0.iter().map(span).collect()
}

fn write_section(section: &Section, out: &mut String) {
    let (rows, most) = match &section.body {
        Body::Table(table) => (table.rows.len(), table.most.full),
        Body::Findings { findings, most } => (findings.len(), most.full),
        _ => (0, usize::MAX),
    };
    if !section.title.is_empty() {
        let more = format!(" ({} of {}; the JSON report has all of them)", count(most as u64), count(rows as u64));
        let more = if rows > most { more } else { String::new() };
        let _ = write!(out, "<h2>{}{more}</h2>", escaped(&section.title));
    }
    if let Some(lead) = &section.lead {
        let _ = write!(out, "<p>{}</p>", text(lead));
    }
    match &section.body {
        Body::Table(table) => write_table(table, &section.title, out),
        Body::Findings { findings, most } => write_table(&Table::of_findings(findings, *most), &section.title, out),
        Body::List { items, .. } => {
            out.push_str("<ul>");
            for item in items {
                let _ = write!(out, "<li>{}</li>", text(item));
            }
            out.push_str("</ul>");
        }
        Body::Explanations(explanations) => {
            for (summary, more) in explanations {
                let _ = write!(out, "<details><summary>{}</summary><p>{}</p></details>", words(summary), words(more));
            }
        }
    }
}

/// A table, which the heads of its columns sort. On a narrow screen each row is a card, with the names of the columns
/// beside its cells.
fn write_table(table: &Table, title: &str, out: &mut String) {
    let Table { caption, columns, rows, most } = table;
    let label = escaped(if caption.is_empty() { title } else { caption });
    let _ = write!(out, "<div class=\"wide\" role=\"region\" aria-label=\"{label}\" tabindex=\"0\"><table>");
    if !caption.is_empty() {
        let _ = write!(out, "<caption>{}</caption>", escaped(caption));
    }
    out.push_str("<thead><tr>");
    for (index, column) in columns.iter().enumerate() {
        let is_number = rows.first().and_then(|row| row.get(index)).is_some_and(|cell| cell.number.is_some());
        let class = if is_number { " class=\"number\"" } else { "" };
        let name = escaped(column.name);
        let _ = write!(out, "<th scope=\"col\"{class}><button type=\"button\">{name}</button></th>");
    }
    out.push_str("</tr></thead><tbody>");
    for row in rows.iter().take(most.full) {
        out.push_str("<tr>");
        for (cell, column) in row.iter().zip(columns) {
            let (class, value) = match cell.number {
                Some(number) => (" class=\"number\"", format!(" data-value=\"{number}\"")),
                None => ("", String::new()),
            };
            let _ = write!(out, "<td{class} data-label=\"{}\"{value}>{}</td>", escaped(column.name), content(cell));
        }
        out.push_str("</tr>");
    }
    out.push_str("</tbody></table></div>");
}

/// A cell's content, which opens if there is more about it.
fn content(cell: &Cell) -> String {
    if cell.details.is_empty() {
        return words(&cell.text);
    }
    let (mut paragraphs, mut facts) = (String::new(), String::new());
    for (label, said) in &cell.details {
        let _ = match label {
            None => write!(paragraphs, "<p>{}</p>", text(said)),
            Some(label) => write!(facts, "<dt class=\"dim\">{}</dt><dd>{}</dd>", escaped(label), text(said)),
        };
    }
    format!("<details><summary>{}</summary>{paragraphs}<dl>{facts}</dl></details>", text(&cell.text))
}

#[cfg(test)]
mod tests {
    use sha2::{Digest as _, Sha256};

    use super::super::report::Most;
    use super::*;
    use crate::render::base64;

    #[test]
    fn the_policy_admits_the_style_and_the_script() {
        for (name, text) in [("html.css", STYLE), ("html.js", SCRIPT)] {
            let mut source = String::new();
            let _ = write!(source, "'sha256-{}'", base64(&Sha256::digest(text)));
            assert!(POLICY.contains(&source), "{name} has changed: write {source} into POLICY");
        }
    }

    fn page_of(caption: &str, columns: &[&'static str], row: Vec<Cell>) -> String {
        let table = Table { caption: caption.to_owned(), ..Table::new(columns, Most::ALL, [row]) };
        let sections = vec![Section::new("<u>", Body::Table(table))];
        page(&Report { title: "<i>".to_owned(), search: "<s>", sections, ..Report::default() })
    }

    /// On a narrow screen the columns' names are beside the cells.
    #[test]
    fn each_cell_has_the_name_of_its_column() {
        let row = vec![Cell::text("user"), Cell::sorted(2_048, "2 KB")];
        let page = page_of("Modules", &["module", "memory"], row);
        assert!(page.contains(r#"<td data-label="module">user</td>"#), "{page}");
        assert!(page.contains(r#"<td class="number" data-label="memory" data-value="2048">2 KB</td>"#), "{page}");
    }

    #[test]
    fn everything_is_escaped() {
        let details = vec![(None, Text::from("<p1>".to_owned())), (Some("<dt1>"), Text::prose("`<dd1>`"))];
        let row = vec![Cell { details, ..Cell::code("<script>alert(1)</script>") }, Cell::sorted(1, "<b>")];
        let page = page_of("\"<x>", &["<key>", "n"], row);
        for raw in ["<i>", "<u>", "<s>", "<x>", "<key>", "<script>alert", "<b>", "<p1>", "<dt1>", "<dd1>"] {
            assert!(!page.contains(raw), "{raw}");
        }
        assert!(
            page.contains("&lt;script&gt;alert(1)&lt;/script&gt;") && page.contains("aria-label=\"&quot;&lt;x&gt;\"")
        );
    }
}

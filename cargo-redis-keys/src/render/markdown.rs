//! Text in Markdown.

use std::fmt::Write as _;

use super::one_line;
use super::report::{Body, Report, Section, Span, Table, Text};

/// Text without changes: none of its signs is Markdown or HTML. Line breaks become spaces.
pub(crate) fn text(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for sign in one_line(text).chars() {
        match sign {
            '\\' | '`' | '*' | '_' | '[' | ']' | '~' | '$' => escaped.extend(['\\', sign]),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            sign => escaped.push(sign),
        }
    }
    // Headings and lists begin a line, numbered lists with the sign after the number.
    let number = escaped.len() - escaped.trim_start_matches(|first: char| first.is_ascii_digit()).len();
    if escaped.get(number..).is_some_and(|rest| rest.starts_with(['#', '+', '-', '=', '.', ')', ':'])) {
        escaped.insert(number, '\\');
    }
    escaped
}

/// A paragraph in which only code between two backticks is Markdown.
pub(crate) fn prose(paragraph: &str) -> String {
    let pieces: Vec<_> = paragraph.split('`').collect();
    let mut shown = String::new();
    for (index, piece) in pieces.iter().enumerate() {
        let is_code = index % 2 == 1;
        if is_code && index + 1 < pieces.len() && !piece.trim().is_empty() {
            shown.push_str(&code(piece));
            continue;
        }
        // A backtick that nothing closes, or between which is nothing.
        let piece = if is_code {
            format!("`{piece}{}", if index + 1 < pieces.len() { "`" } else { "" })
        } else {
            (*piece).to_owned()
        };
        shown.push_str(&if index == 0 { start(&piece) } else { inline(&piece) });
    }
    shown.trim().to_owned()
}

/// Text at the start of a paragraph, with the space behind it.
fn start(given: &str) -> String {
    let space = if given.ends_with(char::is_whitespace) { " " } else { "" };
    format!("{}{space}", text(given))
}

/// Text inside of a paragraph, with the spaces around it.
fn inline(given: &str) -> String {
    let escaped = text(&format!("x{given}x"));
    escaped.strip_prefix('x').and_then(|rest| rest.strip_suffix('x')).unwrap_or_default().to_owned()
}

/// Markdown as a cell of a table, in which `|` has a meaning even in code.
pub(crate) fn cell(markdown: &str) -> String {
    markdown.replace('|', "\\|")
}

/// Text as code.
pub(crate) fn code(text: &str) -> String {
    let text = one_line(text);
    let longest = text.split(|sign| sign != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest + 1);
    // A space at both ends is no part of the code.
    let space = if text.is_empty() || text.starts_with([' ', '`']) || text.ends_with([' ', '`']) { " " } else { "" };
    format!("{fence}{space}{text}{space}{fence}")
}

/// A report.
pub(crate) fn report(report: &Report) -> String {
    let mut out = format!("# {}\n\n", text(&report.title));
    for line in &report.lead {
        let _ = write!(out, "{}\n\n", spans(line));
    }
    report.sections.iter().for_each(|section| write_section(section, &mut out));
    out
}

fn write_section(section: &Section, out: &mut String) {
    let _ = write!(out, "## {}\n\n", text(&section.title));
    if let Some(lead) = &section.lead {
        let _ = write!(out, "{}\n\n", spans(lead));
    }
    match &section.body {
        Body::Table(table) => write_table(table, out),
        Body::Findings { findings, most } => write_table(&Table::of_findings(findings, *most), out),
        Body::List { items, .. } => {
            for item in items {
                let _ = writeln!(out, "- {}", spans(item));
            }
        }
        Body::Explanations(explanations) => {
            for (summary, more) in explanations {
                let _ = writeln!(out, "- {}\n  {}", spans(summary), spans(more));
            }
        }
    }
    out.push('\n');
}

fn write_table(table: &Table, out: &mut String) {
    let row = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    out.push_str(&row(table.columns.iter().map(|column| column.name.to_owned()).collect()));
    out.push_str(&row(table.columns.iter().map(|_| "---".to_owned()).collect()));
    for cells in table.rows.iter().take(table.most.full) {
        out.push_str(&row(cells.iter().map(|of| cell(&spans(&of.text))).collect()));
    }
}

/// Text with its parts.
pub(crate) fn spans(given: &Text) -> String {
    let span = |span: &Span| match span {
        Span::Text(text) | Span::Dim(text) => inline(text),
        Span::Code(text) => code(text),
        Span::Level(level) => level.name().to_owned(),
        Span::End => "<br>".to_owned(),
    };
    given.0.iter().map(span).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_is_markdown() {
        for (given, expected) in [
            ("Plain text, with (brackets), a-b and 1.5.", "Plain text, with (brackets), a-b and 1.5."),
            ("*a* _b_ `c` [d](e) ~~f~~ | \\ $g$", "\\*a\\* \\_b\\_ \\`c\\` \\[d\\](e) \\~\\~f\\~\\~ | \\\\ \\$g\\$"),
            ("<script>alert(1)</script> &amp;", "&lt;script&gt;alert(1)&lt;/script&gt; &amp;amp;"),
            ("a\n\n# b\r\n- c\t\u{2028}d", "a # b - c d"),
            ("# a", "\\# a"),
            ("- a", "\\- a"),
            ("12. a", "12\\. a"),
            ("12", "12"),
            ("\u{1b}[31m\u{202e}", "\\\\x1b\\[31m\\\\u{202e}"),
            ("", ""),
        ] {
            assert_eq!(text(given), expected);
        }
    }

    #[test]
    fn prose_has_code() {
        for (given, expected) in [
            ("The `id` of a *user*, or `0`.", "The `id` of a \\*user\\*, or `0`."),
            ("`#` is a sign", "`#` is a sign"),
            ("# `a`\n- `b", "\\# `a` - \\`b"),
            ("`` a``", "\\`\\` a\\`\\`"),
            ("`<b>` <b>", "`<b>` &lt;b&gt;"),
            (" \n ", ""),
        ] {
            assert_eq!(prose(given), expected, "{given}");
        }
    }

    #[test]
    fn code_ends_where_it_ends() {
        for (given, expected) in [
            ("user:{id}:string", "`user:{id}:string`"),
            ("a`b", "``a`b``"),
            ("``", "``` `` ```"),
            ("a|b", "`a|b`"),
            ("a\n`b", "``a `b``"),
            ("", "`  `"),
            ("<b>", "`<b>`"),
        ] {
            assert_eq!(code(given), expected);
        }
        assert_eq!([cell(&code("a|b")), cell(&text("a\\|b"))], ["`a\\|b`", "a\\\\\\|b"]);
    }
}

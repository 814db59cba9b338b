//! The frame of an HTML page: one file without any request, whose tables can be sorted and searched.
//!
//! Everything in it is escaped, and its content security policy admits only this style and this script. So neither a
//! `style` attribute nor a script in the text of a key has any effect.

use maud::{DOCTYPE, Markup, PreEscaped, html};

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

/// A page with a heading.
pub(crate) fn page(title: &str, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="referrer" content="no-referrer";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                h1 { (title) }
                (body)
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    page.into_string()
}

/// The search over all tables of the page. The script shows it.
pub(crate) fn search(label: &str) -> Markup {
    html! {
        div.search role="search" hidden {
            input type="search" placeholder=(label) aria-label=(label);
            output aria-live="polite" {}
        }
    }
}

/// A cell of a table.
pub(crate) enum Cell {
    /// Any content, sorted by its text.
    Text(Markup),
    /// A number, and how it is shown.
    Number(u64, String),
}

impl Cell {
    /// Plain text.
    pub(crate) fn text(text: &str) -> Self {
        Self::Text(html! { (text) })
    }

    /// Text in the font of code.
    pub(crate) fn code(text: &str) -> Self {
        Self::Text(html! { code { (text) } })
    }
}

/// A table, which the heads of its columns sort. All cells of a column are texts, or all are numbers. On a narrow
/// screen each row is a card, with the names of the columns beside its cells.
pub(crate) fn table(caption: &str, columns: &[&str], rows: &[Vec<Cell>]) -> Markup {
    let is_number = |index| matches!(rows.first().and_then(|row| row.get(index)), Some(Cell::Number(..)));
    html! {
        div.wide role="region" aria-label=(caption) tabindex="0" {
            table {
                caption { (caption) }
                thead {
                    tr {
                        @for (index, column) in columns.iter().enumerate() {
                            th scope="col" class=[is_number(index).then_some("number")] {
                                button type="button" { (column) }
                            }
                        }
                    }
                }
                tbody {
                    @for row in rows {
                        tr {
                            @for (cell, column) in row.iter().zip(columns) {
                                @match cell {
                                    Cell::Text(content) => td data-label=(column) { (content) },
                                    Cell::Number(value, shown) => {
                                        td.number data-label=(column) data-value=(value) { (shown) }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use sha2::{Digest as _, Sha256};

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

    /// On a narrow screen the names of the columns are beside the cells.
    #[test]
    fn each_cell_has_the_name_of_its_column() {
        let row = vec![Cell::text("user"), Cell::Number(2_048, "2 KB".to_owned())];
        let table = table("Modules", &["module", "memory"], &[row]).into_string();
        assert!(table.contains(r#"<td data-label="module">user</td>"#), "{table}");
        assert!(table.contains(r#"<td class="number" data-label="memory" data-value="2048">2 KB</td>"#), "{table}");
    }

    #[test]
    fn everything_is_escaped() {
        let row = vec![Cell::code("<script>alert(1)</script>"), Cell::Number(1, "<b>".to_owned())];
        let page = page("<i>", &table("\"<x>", &["<key>", "n"], &[row]));
        for raw in ["<i>", "<x>", "<key>", "<script>alert", "<b>"] {
            assert!(!page.contains(raw), "{raw}");
        }
        assert!(
            page.contains("&lt;script&gt;alert(1)&lt;/script&gt;") && page.contains("aria-label=\"&quot;&lt;x&gt;\"")
        );
    }
}

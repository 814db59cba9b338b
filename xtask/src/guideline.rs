//! The tables of the guide's page `guideline.md`: each rule, what enforces it, and the guidelines that ask for it.
//!
//! `guideline.md` beside this file is their source: tables of rules, and at the end one of the guidelines. In it,
//! `rule:…`, `lint:…` and `finding:…` in backticks are names that `cargo redis-keys explain` knows. An unknown name is
//! an error, and so are an unknown guideline and one that asks for nothing.

use std::fmt::Write as _;

use redis_keys_schema::Lint;

use crate::run::{Failure, Outcome};

/// The explanations of `cargo redis-keys explain` that are not of lints: Markdown with a heading for each name.
pub(crate) struct Explanations {
    pub(crate) rules: String,
    pub(crate) findings: String,
}

/// Returns the tables of the rules, and the table of the guidelines with the number of rules that each asks for.
pub(crate) fn tables(text: &str, explanations: &Explanations) -> Outcome<[String; 2]> {
    let (rules, sources) = text.split_once("## Sources\n\n").ok_or_else(|| failure("no table of sources"))?;
    let known: Vec<&str> = sources.lines().skip(2).filter_map(|row| cells(row)?.first().copied()).collect();
    let (rules, asked) = rules_table(rules, &known, explanations)?;
    let mut table = "| source | is | rules |\n|---|---|---|\n".to_owned();
    for (row, source) in sources.lines().skip(2).zip(&known) {
        let count = asked.iter().filter(|by| by == &source).count();
        if count == 0 {
            return Err(failure(format!("the source `{source}` asks for nothing")));
        }
        let _ = writeln!(table, "{row} {count} |");
    }
    table.push('\n');
    for source in known {
        let _ = writeln!(table, "[{source}]: #sources");
    }
    Ok([rules, table])
}

/// The tables of the rules with links, and the guidelines of all rows.
fn rules_table<'t>(text: &'t str, known: &[&str], explanations: &Explanations) -> Outcome<(String, Vec<&'t str>)> {
    let (mut table, mut asked) = (String::new(), Vec::new());
    for line in text.lines() {
        match cells(line).as_deref() {
            None | Some(["rule", ..]) => table = table + line + "\n",
            Some([rule, enforced, "–"]) => {
                let _ = writeln!(table, "| {rule} | {} | – |", with_links(enforced, explanations)?);
            }
            Some([rule, enforced, by]) => {
                let by: Vec<_> = by.split(", ").collect();
                if let Some(unknown) = by.iter().find(|by| !known.contains(by)) {
                    return Err(failure(format!("unknown source `{unknown}`")));
                }
                let enforced = with_links(enforced, explanations)?;
                let _ = writeln!(table, "| {rule} | {enforced} | [{}] |", by.join("], ["));
                asked.extend(by);
            }
            Some(_) => return Err(failure(format!("not three cells: {line}"))),
        }
    }
    Ok((table, asked))
}

/// The cells of a row.
fn cells(line: &str) -> Option<Vec<&str>> {
    Some(line.strip_prefix("| ")?.strip_suffix(" |")?.split(" | ").collect())
}

/// The text with its names alone, and with a link where a page lists them.
fn with_links(text: &str, explanations: &Explanations) -> Outcome<String> {
    let mut parts = Vec::new();
    for (index, part) in text.split('`').enumerate() {
        let has_heading = |text: &str, name: &str| text.lines().any(|line| line.strip_prefix("## ") == Some(name));
        let (is_known, name, page) = match part.split_once(':').filter(|_| index % 2 == 1) {
            Some(("rule", name)) => (has_heading(&explanations.rules, name), name, ""),
            Some(("lint", name)) => (Lint::from_name(name).is_some(), name, "[lints]"),
            Some(("finding", name)) => (has_heading(&explanations.findings, name), name, "[findings]"),
            _ if index % 2 == 1 => {
                parts.push(format!("`{part}`"));
                continue;
            }
            _ => {
                parts.push(part.to_owned());
                continue;
            }
        };
        if !is_known {
            return Err(failure(format!("`{part}` has no explanation")));
        }
        parts.push(if page.is_empty() { format!("`{name}`") } else { format!("[`{name}`]{page}") });
    }
    Ok(parts.concat())
}

fn failure(message: impl std::fmt::Display) -> Failure {
    Failure::new(format!("xtask/src/guideline.md: {message}"))
}

#[cfg(test)]
mod tests {
    use super::{Explanations, tables};

    const RULES: &str = "| rule | enforced by | asked for by |\n|---|---|---|\n";
    const SOURCES: &str = "\n## Sources\n\n| source | is |\n|---|---|\n| A | a |\n";

    fn tables_of(row: &str) -> Result<[String; 2], String> {
        let explanations =
            Explanations { rules: "# Rules\n\n## shape\n".to_owned(), findings: "## hot_key\n".to_owned() };
        tables(&format!("{RULES}{row}\n{SOURCES}"), &explanations).map_err(|failure| failure.to_string())
    }

    #[test]
    fn names_become_links_and_rules_are_counted() {
        let links = "`shape`, `x:y`, [`long_key`][lints]; [`hot_key`][findings]";
        let rules = format!("{RULES}| R | {links} | [A] |\n| S | x | – |\n\n");
        let sources = "| source | is | rules |\n|---|---|---|\n| A | a | 1 |\n\n[A]: #sources\n";
        let rows = "| R | `rule:shape`, `x:y`, `lint:long_key`; `finding:hot_key` | A |\n| S | x | – |";
        assert_eq!(tables_of(rows), Ok([rules, sources.to_owned()]));
    }

    #[test]
    fn unknown_names_and_sources_are_errors() {
        let error = |message: &str| Err(format!("xtask/src/guideline.md: {message}"));
        assert_eq!(tables_of("| R | `rule:hot_key` | A |"), error("`rule:hot_key` has no explanation"));
        assert_eq!(tables_of("| R | x | A, B |"), error("unknown source `B`"));
        assert_eq!(tables_of("| R | x | – |"), error("the source `A` asks for nothing"));
        assert_eq!(tables_of("| R | A |"), error("not three cells: | R | A |"));
    }
}

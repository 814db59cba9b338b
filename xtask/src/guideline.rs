//! The tables of the guide's page `guideline.md`: each rule, what enforces it, and the guidelines that ask for it.
//!
//! `guideline.md` beside this file is their source: tables of rules, and at the end one of the guidelines. In it,
//! `rule:…`, `lint:…` and `finding:…` in backticks are names that `cargo redis-keys explain` knows. An unknown name is
//! an error, and so are an unknown guideline and one that asks for nothing.

use std::fmt::Write as _;

use crate::run::{Failure, Outcome};

/// The explanations of `cargo redis-keys explain`: Markdown with a heading for each name.
pub(crate) struct Explanations {
    pub(crate) rules: String,
    pub(crate) lints: String,
    pub(crate) findings: String,
}

/// Returns the tables of the rules, and the table of the guidelines with the number of rules that each asks for.
pub(crate) fn tables(text: &str, explanations: &Explanations) -> Outcome<[String; 2]> {
    let parts = text.split_once("## Sources\n").ok_or_else(|| failure("no table of sources"))?;
    let (mut rules, mut sources) = (String::new(), String::new());
    let known: Vec<_> = parts.1.lines().filter_map(|line| cells(line).map(|cells| cells[0])).skip(1).collect();
    let mut asked = Vec::new();
    for line in parts.0.lines() {
        match cells(line).as_deref() {
            Some([rule, enforced, by]) if *rule != "rule" => {
                let by: Vec<_> = by.split(", ").filter(|by| *by != "–").collect();
                if let Some(unknown) = by.iter().find(|by| !known.contains(by)) {
                    return Err(failure(format!("unknown source `{unknown}`")));
                }
                let links: Vec<_> = by.iter().map(|by| format!("[{by}]")).collect();
                let links = if links.is_empty() { "–".to_owned() } else { links.join(", ") };
                let _ = writeln!(rules, "| {rule} | {} | {links} |", with_links(enforced, explanations)?);
                asked.extend(by);
            }
            Some([_, _, _]) | None => rules = rules + line + "\n",
            Some(_) => return Err(failure(format!("not three cells: {line}"))),
        }
    }
    for line in parts.1.lines().filter(|line| !line.is_empty()) {
        let count = match cells(line).as_deref() {
            Some(["source", ..]) => "rules".to_owned(),
            Some([source, _]) => match asked.iter().filter(|by| by == &source).count() {
                0 => return Err(failure(format!("the source `{source}` asks for nothing"))),
                count => count.to_string(),
            },
            _ => {
                sources += "|---|---|---|\n";
                continue;
            }
        };
        let _ = writeln!(sources, "{line} {count} |");
    }
    sources.push('\n');
    for source in known {
        let _ = writeln!(sources, "[{source}]: #sources");
    }
    Ok([rules, sources])
}

/// The cells of a row.
fn cells(line: &str) -> Option<Vec<&str>> {
    Some(line.strip_prefix("| ")?.strip_suffix(" |")?.split(" | ").collect())
}

/// The text with its names alone, and with a link where a page lists them.
fn with_links(text: &str, explanations: &Explanations) -> Outcome<String> {
    let mut linked = String::new();
    for (index, part) in text.split('`').enumerate() {
        let is_code = index % 2 == 1;
        let (names, name, page) = match part.split_once(':').filter(|_| is_code) {
            Some(("rule", name)) => (&explanations.rules, name, ""),
            Some(("lint", name)) => (&explanations.lints, name, "lints"),
            Some(("finding", name)) => (&explanations.findings, name, "findings"),
            _ => {
                linked += &if is_code { format!("`{part}`") } else { part.to_owned() };
                continue;
            }
        };
        if !names.lines().any(|line| line.strip_prefix("## ") == Some(name)) {
            return Err(failure(format!("`{part}` has no explanation")));
        }
        linked += &if page.is_empty() { format!("`{name}`") } else { format!("[`{name}`][{page}]") };
    }
    Ok(linked)
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
        let explanations = Explanations {
            rules: "# Rules\n\n## shape\n".to_owned(),
            lints: "## long_key\n".to_owned(),
            findings: "## hot_key\n".to_owned(),
        };
        tables(&format!("{RULES}{row}\n{SOURCES}"), &explanations).map_err(|failure| failure.to_string())
    }

    #[test]
    fn names_become_links_and_rules_are_counted() {
        let [rules, sources] =
            tables_of("| R | `rule:shape`, `x:y`, `lint:long_key`; `finding:hot_key` | A |").unwrap();
        let links = "`shape`, `x:y`, [`long_key`][lints]; [`hot_key`][findings]";
        assert_eq!(rules, format!("{RULES}| R | {links} | [A] |\n\n"));
        assert_eq!(sources, "| source | is | rules |\n|---|---|---|\n| A | a | 1 |\n\n[A]: #sources\n");
    }

    #[test]
    fn unknown_names_and_sources_are_errors() {
        let error = |row| tables_of(row).unwrap_err().replace("xtask/src/guideline.md: ", "");
        assert_eq!(error("| R | `rule:hot_key` | A |"), "`rule:hot_key` has no explanation");
        assert_eq!(error("| R | x | A, B |"), "unknown source `B`");
        assert_eq!(error("| R | x | – |"), "the source `A` asks for nothing");
        assert_eq!(error("| R | A |"), "not three cells: | R | A |");
    }
}

//! `--check`: the differences between a list in a file and the declarations.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

use super::markdown;
use crate::Failure;
use crate::declare::catalog::Catalog;
use crate::declare::read_text;
use crate::outcome::Outcome;
use crate::render::{printable, units};

/// Compares the list in a file with the catalog, and writes which keys differ.
pub(super) fn run(catalog: &Catalog, file: &Path, is_json: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let update = format!("update it with `cargo redis-keys catalog --out {}`", file.display());
    let given = read_text(file).map_err(|failure| failure.help(update.replacen("update", "write", 1)))?;
    let current = markdown::list(catalog);
    // The lines of the sources are in JSON only, and no difference that a reviewer has to see.
    let given = if is_json { markdown::list(&Catalog::from_json(&given)?) } else { given.replace("\r\n", "\n") };
    if given == current {
        return Ok(Outcome::Fine);
    }
    let differences = Differences::between(&given, &current);
    differences.write(out)?;
    message!("`{}` is out of date: {}\nhelp: {update}", file.display(), differences.summary());
    Ok(Outcome::Findings)
}

/// The keys that differ, each with its lines.
struct Differences<'t> {
    added: Vec<Section<'t>>,
    removed: Vec<Section<'t>>,
    changed: Vec<(Section<'t>, Section<'t>)>,
}

/// The lines of a list about a key.
#[derive(Clone)]
struct Section<'t> {
    heading: &'t str,
    lines: Vec<&'t str>,
}

impl<'t> Differences<'t> {
    fn between(given: &'t str, current: &'t str) -> Self {
        let mut given = sections(given);
        let mut differences = Self { added: Vec::new(), removed: Vec::new(), changed: Vec::new() };
        for (name, section) in sections(current) {
            match given.remove(&name) {
                Some(old) if old.lines == section.lines => {}
                Some(old) => differences.changed.push((old, section)),
                None => differences.added.push(section),
            }
        }
        differences.removed = given.into_values().collect();
        differences
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        for section in &self.removed {
            write_lines(out, "-", &[section.heading])?;
        }
        for section in &self.added {
            write_lines(out, "+", &[section.heading])?;
            write_lines(out, "    +", &section.lines)?;
        }
        for (old, new) in &self.changed {
            write_lines(out, "~", &[new.heading])?;
            let only = |one: &Section<'t>, other: &Section<'t>| -> Vec<&str> {
                one.lines.iter().copied().filter(|line| !other.lines.contains(line)).collect()
            };
            write_lines(out, "    -", &only(old, new))?;
            write_lines(out, "    +", &only(new, old))?;
        }
        Ok(())
    }

    fn summary(&self) -> String {
        let counts = [(self.added.len(), "added"), (self.removed.len(), "removed"), (self.changed.len(), "changed")];
        let counts: Vec<_> = counts
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| format!("{} {what}", units::things(u64::try_from(count).unwrap_or(u64::MAX), "key")))
            .collect();
        if counts.is_empty() { "its text differs, and no key".to_owned() } else { counts.join(", ") }
    }
}

fn write_lines(out: &mut dyn Write, sign: &str, lines: &[&str]) -> io::Result<()> {
    for line in lines {
        // The file can have anything in it.
        writeln!(out, "{sign} {}", printable(line).replace("\\\\", "\\"))?;
    }
    Ok(())
}

/// The sections of a list, by heading; of several with the same, by index.
fn sections(list: &str) -> BTreeMap<(&str, usize), Section<'_>> {
    let mut sections: BTreeMap<(&str, usize), Section<'_>> = BTreeMap::new();
    let mut current = None;
    for line in list.lines() {
        if let Some(heading) = line.strip_prefix(markdown::HEADING) {
            let index = sections.range((heading, 0)..=(heading, usize::MAX)).count();
            sections.insert((heading, index), Section { heading, lines: Vec::new() });
            current = Some((heading, index));
        } else if line.starts_with("## ") {
            current = None;
        } else if let Some(section) = current.and_then(|name| sections.get_mut(&name))
            && !line.is_empty()
        {
            section.lines.push(line);
        }
    }
    sections
}

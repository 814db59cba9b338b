//! `--check`: the differences between a list in a file and the declarations.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

use super::markdown;
use crate::Failure;
use crate::declare::catalog::Catalog;
use crate::declare::read_text;
use crate::outcome::Outcome;
use crate::render::printable;
use crate::render::units::things;

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
    let differences = write_differences(&sections(&given), &sections(&current), out)?;
    message!("`{}` is out of date: {differences}\nhelp: {update}", file.display());
    Ok(Outcome::Findings)
}

/// The lines about each key of a list, by heading; of several with the same, by index.
type Sections<'t> = BTreeMap<(&'t str, usize), Vec<&'t str>>;

/// Writes the keys that differ, and returns their numbers.
fn write_differences<'t>(given: &Sections<'t>, current: &Sections<'t>, out: &mut dyn Write) -> io::Result<String> {
    let removed: Vec<_> = given.keys().filter(|name| !current.contains_key(name)).collect();
    let added: Vec<_> = current.iter().filter(|(name, _)| !given.contains_key(name)).collect();
    let both = current.iter().filter_map(|(name, new)| Some((name, given.get(name)?, new)));
    let changed: Vec<_> = both.filter(|(_, old, new)| old != new).collect();
    for (heading, _) in &removed {
        write_lines(out, "-", &[heading])?;
    }
    for ((heading, _), lines) in &added {
        write_lines(out, "+", &[heading])?;
        write_lines(out, "    +", lines)?;
    }
    for ((heading, _), old, new) in &changed {
        write_lines(out, "~", &[heading])?;
        let only = |one: &[&'t str], other: &[&str]| -> Vec<&str> {
            one.iter().copied().filter(|line| !other.contains(line)).collect()
        };
        write_lines(out, "    -", &only(old, new))?;
        write_lines(out, "    +", &only(new, old))?;
    }
    let counts = [(added.len(), "added"), (removed.len(), "removed"), (changed.len(), "changed")];
    let counts = counts.into_iter().filter(|(count, _)| *count > 0);
    let counts: Vec<_> = counts.map(|(count, what)| format!("{} {what}", things(count as u64, "key"))).collect();
    Ok(if counts.is_empty() { "its text differs, and no key".to_owned() } else { counts.join(", ") })
}

fn write_lines(out: &mut dyn Write, sign: &str, lines: &[&str]) -> io::Result<()> {
    for line in lines {
        // The file can have anything in it.
        writeln!(out, "{sign} {}", printable(line).replace("\\\\", "\\"))?;
    }
    Ok(())
}

fn sections(list: &str) -> Sections<'_> {
    let mut sections = Sections::new();
    let mut current = None;
    for line in list.lines() {
        if let Some(heading) = line.strip_prefix(markdown::HEADING) {
            let index = sections.range((heading, 0)..=(heading, usize::MAX)).count();
            sections.insert((heading, index), Vec::new());
            current = Some((heading, index));
        } else if line.starts_with("## ") {
            current = None;
        } else if let Some(lines) = current.and_then(|name| sections.get_mut(&name))
            && !line.is_empty()
        {
            lines.push(line);
        }
    }
    sections
}

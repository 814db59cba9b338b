//! Whether the page has every accessor. The accessors are read from the sources, which rustfmt has formatted: items start in
//! the first column and methods in the fifth.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::section::Section;

/// Methods that send nothing or run a command, and the type that every accessor returns.
const NO_ACCESSORS: [&str; 13] = [
    "channel",
    "collect",
    "iter",
    "key",
    "key_of",
    "keys",
    "packed",
    "parse",
    "query",
    "query_async",
    "read_timeout",
    "run",
    "stream",
];

/// The return types of methods that send something.
const SENDS: [&str; 5] = ["Command<", "Blocking<", "Scan<", "KeyScan<", "Purge"];

#[derive(Default)]
struct Type {
    methods: BTreeSet<String>,
    /// Whether it has accessors, or becomes a command.
    sends: bool,
}

/// The accessors and the methods of builders that no row calls, and the types that no section shows.
pub(crate) fn missing(sections: &[Section]) -> Vec<String> {
    let mut types = BTreeMap::new();
    read_folder(&Path::new(crate::CRATE).join("src"), &mut types);
    let mut missing = Vec::new();
    for section in sections {
        for name in section.types {
            let found = types.remove(*name).unwrap_or_else(|| panic!("no type `{name}` in the sources"));
            // A section without types shows methods of the types of others.
            let shown = sections.iter().filter(|it| it.types.is_empty() || it.types == section.types);
            let rows: Vec<_> = shown.flat_map(|it| &it.rows).collect();
            let is_called = |method: &String| rows.iter().any(|row| calls(row.call, method));
            missing.extend(found.methods.iter().filter(|it| !is_called(it)).map(|method| format!("{name}::{method}")));
        }
    }
    missing
        .extend(types.into_iter().filter(|(_, found)| found.sends && !found.methods.is_empty()).map(|(name, _)| name));
    missing
}

fn calls(call: &str, method: &str) -> bool {
    [".", "::"].iter().any(|before| call.contains(&format!("{before}{method}(")))
}

fn read_folder(folder: &Path, types: &mut BTreeMap<String, Type>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            read_folder(&path, types);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            read_file(&fs::read_to_string(&path).unwrap(), types);
        }
    }
}

/// Adds the types of a file: its public traits, and what has methods of its own or becomes a command.
fn read_file(text: &str, types: &mut BTreeMap<String, Type>) {
    for item in text.split("\n}\n") {
        let is_start =
            |line: &&str| (line.starts_with("pub trait ") || line.starts_with("impl")) && !line.ends_with("{}");
        let Some(start) = item.lines().find(is_start) else { continue };
        if let Some((_, builder)) = start.split_once(" From<").filter(|_| start.contains(" for Command<")) {
            types.entry(name(builder)).or_default().sends = true;
        } else if !start.contains(" for ") || start.starts_with("pub trait ") {
            let found = types.entry(name(own_name(start))).or_default();
            read_methods(item, if start.starts_with("impl") { "    pub fn " } else { "    fn " }, found);
        }
    }
}

fn read_methods(item: &str, keyword: &str, found: &mut Type) {
    for (at, _) in item.match_indices(&format!("\n{keyword}")) {
        let signature = item[at + 1 + keyword.len()..].split(['{', ';']).next().unwrap();
        let method = name(signature);
        let is_hidden = item[..at].ends_with("    #[doc(hidden)]");
        if is_hidden || NO_ACCESSORS.contains(&method.as_str()) {
            continue;
        }
        let returned = signature.split_once("-> ").map_or("", |(_, returned)| returned);
        found.sends |= SENDS.iter().any(|sends| returned.starts_with(sends));
        found.methods.insert(method);
    }
}

/// Returns the subject of an item: `Set<V>` of `impl<V: Stored> Set<V> {`, `SetKey` of `pub trait SetKey: RedisKey {`.
fn own_name(start: &str) -> &str {
    let Some(rest) = start.strip_prefix("impl") else { return &start["pub trait ".len()..] };
    let mut depth = 0;
    let end = rest.find(|c| {
        depth += i32::from(c == '<') - i32::from(c == '>');
        depth == 0 && c != '>'
    });
    rest[end.unwrap_or(0)..].trim_start()
}

/// The name at the start of a text.
fn name(text: &str) -> String {
    text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

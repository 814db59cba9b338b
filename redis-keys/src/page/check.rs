//! Whether the page has every accessor.

use std::{fs, path::Path};

use super::section::Section;

/// What runs a command or a scan, and what sends nothing.
const NO_ACCESSORS: [&str; 8] = ["iter", "key", "key_of", "keys", "parse", "query", "query_async", "stream"];

/// The accessors and builders that no call of their section shows, and the files that no section has.
pub(super) fn missing(sections: &[Section]) -> Vec<String> {
    let mut missing = Vec::new();
    for section in sections {
        for file in section.sources {
            let text = fs::read_to_string(source_folder().join(file)).unwrap();
            let names = accessors(&text);
            assert!(!names.is_empty(), "{file} has no accessors");
            let shown = |name: &&str| section.rows.iter().any(|row| calls(row.call, name));
            missing.extend(names.into_iter().filter(|name| !shown(name)).map(|name| format!("{file}: {name}")));
        }
    }
    let told: Vec<&str> = sections.iter().flat_map(|section| section.sources).copied().collect();
    missing.extend(files_with_accessors().into_iter().filter(|file| !told.contains(&file.as_str())));
    missing
}

fn calls(call: &str, name: &str) -> bool {
    [".", "::"].iter().any(|before| call.contains(&format!("{before}{name}(")))
}

fn source_folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src"))
}

/// The methods of a trait, or the public ones of builders.
fn accessors(text: &str) -> Vec<&str> {
    let key_trait = text.find("Key: RedisKey {").map(|start| text.split_at(start).1);
    let is_trait = key_trait.is_some() || text.contains("\npub trait ");
    let text = key_trait.and_then(|text| text.split("\n}\n").next()).unwrap_or(text);
    let mut names = Vec::new();
    let mut above = "";
    for line in text.lines() {
        let from = if is_trait { line.strip_prefix("    fn ") } else { line.strip_prefix("    pub fn ") };
        let name = from.and_then(|rest| rest.split(['(', '<']).next());
        names.extend(name.filter(|name| above != "    #[doc(hidden)]" && !NO_ACCESSORS.contains(name)));
        above = line;
    }
    names
}

/// The traits of keys that have accessors, and what has builders.
fn files_with_accessors() -> Vec<String> {
    let mut files = Vec::new();
    let mut folders = vec![source_folder().to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = fs::read_to_string(&path).unwrap_or_default();
            let name = path.strip_prefix(source_folder()).unwrap().to_string_lossy().replace('\\', "/");
            let is_key = text.contains("Key: RedisKey {") && !accessors(&text).is_empty();
            if is_key || text.contains("\nrunnable!(") {
                files.push(name);
            }
        }
    }
    files
}

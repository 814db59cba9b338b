//! `redis-keys/public-paths.txt`: the public items of redis-keys with all features, a line for each path and kind.
//!
//! It is read from the pages that rustdoc writes, and covers items, their methods, associated items, variants and
//! fields, and the traits that a type implements by name. An item with several paths has its members at the shortest one.
//! A review of a change sees by it what the change adds to the interface and what it removes.
//!
//! The interface also has limits, so that a reader of the documentation can take it in.

use std::collections::{BTreeSet, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::run::{Failure, Outcome, cargo, root, run, target};

const FILE: &str = "redis-keys/public-paths.txt";

/// Packages without a public interface.
const UNDOCUMENTED: [&str; 6] = [
    "xtask",
    "redis-keys-tests",
    "redis-keys-ui-tests",
    "redis-keys-models",
    "redis-keys-bench",
    "redis-keys-reports-bench",
];

/// A public module without items of its own: the pages of the guide.
const GUIDE: &str = "guide";

/// The most entries on the first page of the documentation.
const MOST_ENTRIES: usize = 60;

/// The most public traits.
const MOST_TRAITS: usize = 50;

/// The most lines of the file.
const MOST_PATHS: usize = 2_000;

/// Prefixes of the anchors of what an item contains, and the kind that each is listed as.
const MEMBERS: [(&str, &str); 7] = [
    ("associatedconstant.", "associated constant"),
    ("associatedtype.", "associated type"),
    ("method.", "method"),
    ("structfield.", "field"),
    ("tymethod.", "required method"),
    ("variant.", "variant"),
    ("reexport.", "re-export"),
];

/// Documents the public packages with all features, as the pages that [`check`] reads.
pub(crate) fn rustdoc() -> Outcome {
    let excluded = UNDOCUMENTED.iter().flat_map(|package| ["--exclude", package]);
    document(cargo().args(["doc", "--workspace", "--no-deps", "--all-features"]).args(excluded))
}

/// Documents redis-keys without features.
pub(crate) fn rustdoc_without_features() -> Outcome {
    document(cargo().args(["doc", "--package", "redis-keys", "--no-deps", "--no-default-features"]))
}

fn document(command: &mut Command) -> Outcome {
    // Cargo takes the pages for up to date even if a run with other features has overwritten them, and leaves those of
    // packages that are not documented here.
    let _ = fs::remove_dir_all(target().join("doc"));
    run(command.env("RUSTDOCFLAGS", "-D warnings"))
}

fn pages() -> PathBuf {
    target().join("doc/redis_keys")
}

/// Writes the file from the pages of [`rustdoc`].
pub(crate) fn write() -> Outcome {
    fs::write(root().join(FILE), text(&public_paths()?))?;
    println!("wrote {FILE}");
    Ok(())
}

/// Fails if the pages of [`rustdoc`] list other items than the file, or more than they may.
pub(crate) fn check() -> Outcome {
    let file = fs::read_to_string(root().join(FILE))?;
    let lines = public_paths()?;
    let differences = differences(&file, &text(&lines));
    if differences.is_empty() {
        return check_limits(&lines);
    }
    Err(Failure::new(format!(
        "the public items of redis-keys differ from {FILE}:\n\n{}\n\n\
         If each of these changes is meant, accept them with `cargo xtask docs`.",
        differences.join("\n")
    )))
}

fn check_limits(lines: &BTreeSet<String>) -> Outcome {
    let is_entry = |line: &&String| line.matches("::").count() == 1 && !line.contains(": impl ");
    let traits: BTreeSet<_> =
        lines.iter().filter_map(|line| line.strip_suffix(": trait")?.rsplit("::").next()).collect();
    let limits = [
        ("entries on the first page", lines.iter().filter(is_entry).count(), MOST_ENTRIES),
        ("public traits", traits.len(), MOST_TRAITS),
        ("public paths", lines.len(), MOST_PATHS),
    ];
    let exceeded = limits.iter().filter(|(_, number, most)| number > most);
    let messages: Vec<_> = exceeded.map(|(what, number, most)| format!("{number} {what}, at most {most}")).collect();
    if messages.is_empty() {
        return Ok(());
    }
    Err(Failure::new(format!(
        "the interface of redis-keys is too large: {}. Move what few programs write into the module that it belongs to, \
         or hide it.",
        messages.join("; ")
    )))
}

fn text(lines: &BTreeSet<String>) -> String {
    lines.iter().flat_map(|line| [line, "\n"]).collect()
}

/// The lines that only one of two texts has: `-` of the first, `+` of the second.
fn differences(before: &str, after: &str) -> Vec<String> {
    let [before, after] = [before, after].map(|text| text.lines().collect::<BTreeSet<_>>());
    let line = |line| format!("{} {line}", if after.contains(line) { '+' } else { '-' });
    before.symmetric_difference(&after).copied().map(line).collect()
}

fn public_paths() -> Outcome<BTreeSet<String>> {
    let mut lines = BTreeSet::new();
    // The items whose members are listed already.
    let mut listed = BTreeSet::new();
    // Outer modules come first, so that the first path of an item is the shortest.
    let mut modules = VecDeque::from([(pages(), "redis_keys".to_owned())]);
    while let Some((folder, module)) = modules.pop_front() {
        add_members(&read(&folder.join("index.html"))?, &module, &mut lines);
        for (kind, name) in listed_items(&read(&folder.join("sidebar-items.js"))?)? {
            let path = format!("{module}::{name}");
            lines.insert(format!("{path}: {}", if kind == "mod" { "module" } else { &kind }));
            if kind != "mod" {
                let page = read(&folder.join(format!("{kind}.{name}.html")))?;
                if listed.insert((source(&page).map(str::to_owned), kind, name)) {
                    add_members(&page, &path, &mut lines);
                }
            } else if name != GUIDE {
                modules.push_back((folder.join(name), path));
            }
        }
    }
    Ok(lines)
}

/// The place in the sources that the page of an item links to.
fn source(page: &str) -> Option<&str> {
    let link = page.split_once(r#"class="src" href=""#)?.1.split('"').next()?;
    Some(link.trim_start_matches("../"))
}

fn read(page: &Path) -> Outcome<String> {
    fs::read_to_string(page).map_err(|error| Failure::new(format!("{}: {error}", page.display())))
}

/// The kinds and names in a module's `sidebar-items.js`.
fn listed_items(script: &str) -> Outcome<Vec<(String, String)>> {
    let unknown = || Failure::new("rustdoc of this version writes other pages than expected: see xtask/src/paths.rs");
    let json = script.split_once('=').ok_or_else(unknown)?.1.trim().trim_end_matches(';');
    let kinds: serde_json::Map<String, serde_json::Value> = serde_json::from_str(json).map_err(|_| unknown())?;
    let mut items = Vec::new();
    for (kind, names) in &kinds {
        for name in names.as_array().ok_or_else(unknown)? {
            items.push((kind.clone(), name.as_str().ok_or_else(unknown)?.to_owned()));
        }
    }
    Ok(items)
}

/// Adds what the page of an item lists: its members, and the traits that a type implements, or types of other crates
/// that implement a trait.
fn add_members(page: &str, path: &str, lines: &mut BTreeSet<String>) {
    let mut implements = false;
    let mut is_borrowed = false;
    for anchor in page.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
        match anchor {
            "trait-implementations" | "foreign-impls" => (implements, is_borrowed) = (true, false),
            // The rest is the same for nearly all types, or is listed with another one.
            "synthetic-implementations" | "blanket-implementations" | "implementors" | "aliased-type" => return,
            // The methods of the type that this one derefs to, such as `str`.
            _ if anchor.starts_with("deref-methods-") => is_borrowed = true,
            _ if is_borrowed => {}
            _ if implements => lines.extend(implementation(anchor, path)),
            _ => lines.extend(MEMBERS.iter().find_map(|(prefix, kind)| {
                let name = without_counter(anchor.strip_prefix(prefix)?).replace(".field.", "::");
                Some(format!("{path}::{name}: {kind}"))
            })),
        }
    }
}

/// The line of the implementation that an anchor such as `impl-From%3Cu8%3E-for-Bit-1` names: `impl From<u8>` on the
/// page of `Bit`.
fn implementation(anchor: &str, path: &str) -> Option<String> {
    let (name, of) = without_counter(anchor).strip_prefix("impl-")?.split_once("-for-")?;
    let (name, of) = (decode(name), decode(of));
    let is_own = path.rsplit("::").next() == of.split('<').next();
    match name.as_str() {
        // Nearly all types implement these.
        "Debug" | "StructuralPartialEq" => None,
        _ if is_own => Some(format!("{path}: impl {name}")),
        _ => Some(format!("{path}: impl {name} for {of}")),
    }
}

/// An anchor without the number that makes it unique in its page.
fn without_counter(anchor: &str) -> &str {
    match anchor.rsplit_once('-') {
        Some((name, counter)) if counter.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => anchor,
    }
}

/// The text of a part of a URL.
fn decode(part: &str) -> String {
    let mut parts = part.split('%');
    let mut text = parts.next().unwrap_or_default().replace('+', " ");
    for part in parts {
        match part.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => text.push(char::from(byte)),
            None => text.push('%'),
        }
        text.push_str(&part.get(2..).unwrap_or(part).replace('+', " "));
    }
    text
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{add_members, check_limits, differences, listed_items, source};

    fn members(page: &str) -> Vec<String> {
        let mut lines = BTreeSet::new();
        add_members(page, "a::B", &mut lines);
        lines.into_iter().collect()
    }

    #[test]
    fn members_are_listed_by_kind() {
        let page = r#"<h1 id="main-content"><i id="variant.C"><i id="variant.C.field.d"><i id="structfield.e">
            <i id="impl-B"><i id="method.new"><i id="method.new-1"><i id="tymethod.f"><i id="associatedtype.G">"#;
        assert_eq!(
            members(page),
            [
                "a::B::C: variant",
                "a::B::C::d: variant",
                "a::B::G: associated type",
                "a::B::e: field",
                "a::B::f: required method",
                "a::B::new: method"
            ]
        );
    }

    #[test]
    fn only_traits_that_are_implemented_by_name_are_listed() {
        let page = r#"<i id="trait-implementations"><i id="impl-From%3C%5Bu8;+N%5D%3E-for-B%3CT%3E-1">
            <i id="method.from"><i id="impl-From%3CB%3E-for-C"><i id="impl-StructuralPartialEq-for-B">
            <i id="synthetic-implementations"><i id="impl-Send-for-B">"#;
        assert_eq!(members(page), ["a::B: impl From<B> for C", "a::B: impl From<[u8; N]>"]);
    }

    #[test]
    fn methods_of_the_type_that_a_type_derefs_to_are_not_listed() {
        let page = r#"<i id="method.new"><i id="deref-methods-str"><i id="method.len"><i id="deref-methods-str-1">
            <i id="method.trim"><i id="trait-implementations"><i id="impl-Clone-for-B"><i id="impl-Debug-for-B">"#;
        assert_eq!(members(page), ["a::B: impl Clone", "a::B::new: method"]);
    }

    #[test]
    fn an_item_is_known_by_its_place_in_the_sources() {
        let page = |up: &str| format!(r#"<a class="src" href="{up}src/a/b.rs.html">Source</a>"#);
        assert_eq!(source(&page("../")), Some("src/a/b.rs.html"));
        assert_eq!(source(&page("../../../")), Some("src/a/b.rs.html"));
    }

    #[test]
    fn an_interface_that_is_too_large_is_an_error() {
        let lines = |traits: usize| (0..traits).map(|number| format!("a::T{number}: trait")).collect::<BTreeSet<_>>();
        assert!(check_limits(&lines(50)).is_ok());
        let error = check_limits(&lines(61)).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(error.contains("61 entries on the first page, at most 60; 61 public traits, at most 50."), "{error}");
        let members = (0..2001).map(|number| format!("a::T::m{number}: method")).collect();
        assert!(check_limits(&members).is_err());
    }

    #[test]
    fn items_are_read_from_the_sidebar() {
        let items = listed_items(r#"window.SIDEBAR_ITEMS = {"fn":["f"],"mod":["m","n"]};"#);
        let items = items.unwrap_or_default();
        assert_eq!(items, [("fn", "f"), ("mod", "m"), ("mod", "n")].map(|(kind, name)| (kind.into(), name.into())));
    }

    #[test]
    fn differences_are_added_and_removed_lines() {
        assert_eq!(differences("a\nb\n", "b\nc\n"), ["- a", "+ c"]);
    }
}

//! `cargo xtask circles`: modules of a crate that use each other in a circle.
//!
//! An arrow goes from a module to another one of the same folder that it names, by a `use` or by a path in code or in a
//! macro. What counts is the module in which an item is defined, wherever it is re-exported, and of both ends the
//! module below the folder that contains both. A module and what is below it are free to use each other. Tests and
//! `__private`, for code that macros generate, do not count.

mod modules;
mod paths;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;

use modules::Modules;

use crate::run::{Failure, Outcome, root};

/// The crates that are published.
const CRATES: [&str; 6] = [
    "redis-keys-core",
    "redis-keys-schema",
    "redis-keys-syntax",
    "redis-keys-macros",
    "redis-keys",
    "cargo-redis-keys",
];

/// Fails if modules of a crate use each other in a circle.
pub(crate) fn check() -> Outcome {
    let mut circles = Vec::new();
    for name in CRATES {
        let folder = root().join(name).join("src");
        let read = |file: &str| fs::read_to_string(folder.join(file)).ok();
        let modules = Modules::read(&read).map_err(|message| Failure::new(format!("{name}/src/{message}")))?;
        circles.extend(arrows(&modules).iter().flat_map(|(parent, arrows)| self::circles(name, parent, arrows)));
    }
    if circles.is_empty() {
        return Ok(());
    }
    let count = circles.len();
    Err(Failure::new(format!("{}\n\n{count} circles: see xtask/src/circles.rs", circles.join("\n\n"))))
}

/// Arrows between modules of one folder, each with the places that make it.
type Arrows = BTreeMap<(String, String), BTreeSet<(String, usize)>>;

/// The arrows of a crate by the path of the folder.
fn arrows(modules: &Modules) -> BTreeMap<String, Arrows> {
    let mut folders = BTreeMap::<String, Arrows>::new();
    for (from, module) in modules.all() {
        for mention in module.paths() {
            for to in modules.resolve(from, &mention.path) {
                let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
                if let (Some(first), Some(second)) = (from.get(shared), to.get(shared)) {
                    let arrows = folders.entry(from[..shared].join("/")).or_default();
                    let places = arrows.entry((first.clone(), second.clone())).or_default();
                    places.insert((module.file.clone(), mention.line));
                }
            }
        }
    }
    folders
}

/// Describes each circle of a folder: its modules, then its arrows with a place for each.
fn circles(name: &str, folder: &str, arrows: &Arrows) -> Vec<String> {
    let reach: BTreeMap<&str, BTreeSet<&str>> =
        arrows.keys().map(|(from, _)| (from.as_str(), reachable(from, arrows))).collect();
    let is_both_ways = |a: &str, b: &str| reach[a].contains(b) && reach.get(b).is_some_and(|seen| seen.contains(a));
    let members = |module: &str| reach[module].iter().copied().filter(|other| is_both_ways(module, other)).collect();
    let groups: BTreeSet<Vec<&str>> = reach.keys().map(|module| members(module)).collect();
    let groups = groups.iter().filter(|group| group.len() > 1);
    groups
        .map(|group| {
            let folder = [name, "src", folder].join("/");
            let mut text = format!("{}: {} use each other:", folder.trim_end_matches('/'), group.join(", "));
            let inside = |module: &String| group.contains(&module.as_str());
            for ((from, to), places) in arrows.iter().filter(|((from, to), _)| inside(from) && inside(to)) {
                let place = places.first().map(|(file, line)| format!("{name}/src/{file}:{line}")).unwrap_or_default();
                let more = if places.len() > 1 { format!(" and {} more", places.len() - 1) } else { String::new() };
                let _ = write!(text, "\n  {from} -> {to}   {place}{more}");
            }
            text
        })
        .collect()
}

/// The modules to which arrows lead from a module, directly or over others.
fn reachable<'a>(from: &'a str, arrows: &'a Arrows) -> BTreeSet<&'a str> {
    let mut seen = BTreeSet::new();
    let mut open = vec![from];
    while let Some(module) = open.pop() {
        let targets = arrows.keys().filter(|(from, _)| from == module).map(|(_, to)| to.as_str());
        open.extend(targets.filter(|to| seen.insert(*to)));
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::modules::Modules;
    use super::{arrows, circles};

    /// The arrows of made-up files, as `FOLDER: FROM -> TO`.
    fn arrows_of(files: &[(&str, &str)]) -> Vec<String> {
        let read = |file: &str| files.iter().find(|(name, _)| *name == file).map(|(_, text)| (*text).to_owned());
        let Ok(modules) = Modules::read(&read) else { return vec!["unreadable".to_owned()] };
        let of_folder = |(folder, arrows): (String, super::Arrows)| {
            arrows.into_keys().map(move |(from, to)| format!("{folder}: {from} -> {to}"))
        };
        arrows(&modules).into_iter().flat_map(of_folder).collect()
    }

    #[test]
    fn paths_and_imports_are_arrows() {
        let files = [
            ("lib.rs", "mod a; mod b; mod c; mod d; mod e;"),
            ("a.rs", "use crate::b::{self, B as _, inner::{C, D}}; use std::fmt;"),
            ("b.rs", "pub mod inner; fn f() -> super::c::C { crate::d::new() } struct B;"),
            ("b/inner.rs", "pub struct C; pub struct D;"),
            ("c.rs", "macro_rules! m { ($t:ty) => { $crate::d::D::<$t>::new(); super::e::E } } pub struct C;"),
            ("d.rs", "fn f() { let x = [1, 2]; assert!(matches!(x, crate::e::E { .. })); }"),
            ("e.rs", "pub struct E; fn crate_() { self::own(); std::e::f(); } fn own() {}"),
        ];
        assert_eq!(arrows_of(&files), [": a -> b", ": b -> c", ": b -> d", ": c -> d", ": d -> e"]);
    }

    #[test]
    fn re_exports_are_followed() {
        let files = [
            ("lib.rs", "mod a; mod b; mod c; pub use b::{B, deep as shallow}; pub use c::*; pub use other::Other;"),
            ("a.rs", "use crate::{B, shallow::Deep}; use crate::C; use crate::{Other, Own}; fn f(_: crate::c::B) {}"),
            ("b.rs", "pub mod deep { pub struct Deep; } pub struct B;"),
            ("c.rs", "mod one; pub struct C; pub use one::B;"),
            ("c/one.rs", "pub use crate::b::B;"),
        ];
        assert_eq!(arrows_of(&files), [": a -> b", ": a -> c", ": c -> b"]);
    }

    #[test]
    fn parent_and_child_are_free_and_siblings_count() {
        let files = [
            ("lib.rs", "mod a;"),
            ("a.rs", "mod x; mod y; use x::X; use self::y::Y; pub(crate) struct Own;"),
            ("a/x.rs", "use super::{Own, Y}; pub struct X;"),
            ("a/y.rs", "mod z; use super::X as Other; pub struct Y;"),
            ("a/y/z.rs", "use super::super::Own; use super::{Other, Y};"),
        ];
        assert_eq!(arrows_of(&files), ["a: x -> y", "a: y -> x"]);
    }

    #[test]
    fn imported_modules_are_known_in_paths() {
        let files = [
            ("lib.rs", "mod a; mod b; mod c; mod d;"),
            ("a.rs", "use crate::b; fn f() { b::run(b::C); }"),
            ("b.rs", "pub use crate::c::C; pub fn run(d: Option<u8>) { d::none() }"),
            ("c.rs", "pub struct C;"),
            ("d.rs", ""),
        ];
        assert_eq!(arrows_of(&files), [": a -> b", ": a -> c", ": b -> c"]);
    }

    #[test]
    fn tests_and_private_modules_do_not_count() {
        let files = [
            ("lib.rs", "pub mod __private; mod a; mod b;"),
            ("__private.rs", "pub use crate::a::A; pub use crate::b::B;"),
            ("a.rs", "use crate::__private::B; #[cfg(test)] use crate::b; #[cfg(test)] mod tests; pub struct A;"),
            ("a/tests.rs", "use crate::b::B;"),
            (
                "b.rs",
                "impl B { #[cfg(test)] fn f() { crate::a::A } }\n#[cfg(all(test, x))]\nfn f() { crate::a::A }\n\
                 #[cfg(test)] mod tests { use crate::a::A; }",
            ),
        ];
        assert_eq!(arrows_of(&files), [""; 0]);
        let feature =
            [("lib.rs", "#[cfg(any(test, x))] mod a; mod b;"), ("a.rs", "use crate::b::B;"), ("b.rs", "pub struct B;")];
        assert_eq!(arrows_of(&feature), [": a -> b"]);
    }

    #[test]
    fn circles_are_shown_with_their_arrows() {
        let files = [
            ("lib.rs", "mod a; mod b; mod c; mod d;"),
            ("a.rs", "use crate::d;\nuse crate::b;\nuse crate::b as other;"),
            ("b.rs", "use crate::c;"),
            ("c.rs", "\nuse crate::a;"),
            ("d.rs", ""),
        ];
        let read = |file: &str| files.iter().find(|(name, _)| *name == file).map(|(_, text)| (*text).to_owned());
        let shown: Vec<String> = Modules::read(&read)
            .into_iter()
            .flat_map(|modules| arrows(&modules))
            .flat_map(|(folder, arrows)| circles("redis", &folder, &arrows))
            .collect();
        let expected = "redis/src: a, b, c use each other:\n  \
            a -> b   redis/src/a.rs:2 and 1 more\n  \
            b -> c   redis/src/b.rs:1\n  \
            c -> a   redis/src/c.rs:2";
        assert_eq!(shown, [expected]);
    }

    #[test]
    fn a_missing_file_is_an_error() {
        let read = |file: &str| (file == "lib.rs").then(|| "mod a;".to_owned());
        assert_eq!(Modules::read(&read).err().as_deref(), Some("a.rs: the file of a module is missing"));
    }
}

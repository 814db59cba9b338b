//! What editors draw: the place of each error as `cargo check --message-format=json` tells it.
#![allow(clippy::panic, reason = "a test that cannot go on")]

mod marks;
mod project;
mod soup;
#[path = "../support/mod.rs"]
mod support;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use marks::Mark;
use project::{Command, Project};
use support::manifest_dir;

/// The rules of which each must have its case with an exact underline and a help that gives the text to write.
const MUSTS: [&str; 10] = [
    "first-letter",
    "lower-case",
    "alphabet",
    "shape",
    "separators",
    "empty-word",
    "type-suffix",
    "key-length",
    "expiry",
    "long-lived",
];

/// What only a build tells, since it depends on what a generic struct is used with.
const BUILT: &str = "generic_lengths.rs";

#[test]
fn errors_underline_what_is_marked() {
    let (built, checked): (Vec<_>, Vec<_>) = sources().into_iter().partition(|path| path.ends_with(BUILT));
    assert_marks("underlines", Command::Check, &checked);
    assert_marks("underlines-built", Command::Build, &built);
}

#[test]
fn every_must_is_marked() {
    let marks = sources().into_iter().flat_map(|path| Mark::read(&read(&path)));
    let marked: BTreeSet<_> = marks.map(|mark| mark.rule().to_owned()).collect();
    let missing: Vec<_> = MUSTS.into_iter().filter(|must| !marked.contains(*must)).collect();
    assert_eq!(missing, Vec::<&str>::new());
}

/// A crate that knows redis-keys by another name only.
#[test]
fn the_crate_may_have_another_name() {
    let project = Project::new("renamed", "rk", &[&manifest_dir().join("underlines/renamed/main.rs")]);
    let told: Vec<_> = project.run(Command::Check).into_iter().map(|error| error.text).collect();
    assert_eq!(told, Vec::<String>::new());
}

/// A crate that knows redis-keys by way of another one only, whose macro declares its keys.
#[test]
fn the_macros_of_other_crates_say_where_it_lives() {
    const MACROS: &str = r"
        pub use rk;
        #[macro_export]
        macro_rules! of_module { ($name:ident, $module:ident) => {
            #[derive($crate::rk::RedisKey)]
            #[redis_key($module:name:{id}:string, value = u8, ttl = 3d, crate = $crate::rk)]
            pub struct $name { pub id: String }
        } }
        #[macro_export]
        macro_rules! of_template { ($name:ident, $template:literal) => {
            #[derive($crate::rk::RedisKey)]
            #[redis_key($template, value = u8, ttl = 3d, crate = $crate::rk)]
            pub struct $name { pub id: u64 }
        } }
    ";
    let source =
        "macros::of_module!(Name, user);\nmacros::of_template!(Age, \"user:age:{id}:string\");\nfn main() {}\n";
    let project = Project::new("macros", "rk", &[]).with_library(MACROS).with_source("user.rs", source);
    let told: Vec<_> = project.run(Command::Check).into_iter().map(|error| error.text).collect();
    assert_eq!(told, Vec::<String>::new());
}

/// What a crate depends on may have the same keys, even where it bears the same name.
#[test]
fn keys_of_other_crates_are_not_seen() {
    const KEY: &str = "#[derive(redis_keys::RedisKey)] #[redis_key(user:{name}:string, value = String, ttl = 1h)] \
                       pub struct Name { pub name: String }\n";
    const TWICE: &str =
        "#[derive(redis_keys::RedisKey)] #[redis_key(user:me:string, value = String, ttl = 1h)] struct Me;\n";
    let binary = format!(
        "{KEY}fn main() {{ let _ = (crates::Name {{ name: String::new() }}, Name {{ name: String::new() }}); }}\n"
    );
    let project = |name: &str| Project::new(name, "redis_keys", &[]).with_library(KEY);
    let told = |project: Project| {
        project.run(Command::Check).into_iter().map(|error| error.heading().to_owned()).collect::<Vec<_>>()
    };
    let crates = project("crates").with_source("crates.rs", &binary).with_source("other.rs", &binary);
    assert_eq!(told(crates), Vec::<String>::new());
    // They are looked for, though.
    let twice = project("crates").with_source("crates.rs", &format!("{TWICE}{binary}"));
    assert_eq!(told(twice), ["`Name` and `Me` overlap: they can produce the same key"]);
}

#[test]
fn soup_is_told_by_a_rule() {
    let (source, keys) = soup::source();
    let project = Project::new("soup", "redis_keys", &[]);
    let errors = project.with_source("soup.rs", &source).run(Command::Check);
    soup::assert_told(&source, &keys, &errors);
}

fn sources() -> Vec<PathBuf> {
    let folder = manifest_dir().join("underlines");
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut sources: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    sources.retain(|path| path.extension().is_some_and(|extension| extension == "rs"));
    sources.sort();
    sources
}

fn assert_marks(name: &str, command: Command, sources: &[PathBuf]) {
    let paths: Vec<_> = sources.iter().map(PathBuf::as_path).collect();
    let errors = Project::new(name, "redis_keys", &paths).run(command);
    let mut wrong = String::new();
    for path in sources {
        let found: Vec<_> = errors.iter().filter(|error| error.is_in(path)).collect();
        let source = read(path);
        wrong += &marks::differences(path, &source, &found);
        wrong += &marks::shown_differences(path, &source, &found);
    }
    // An error elsewhere is one that nobody wanted.
    for error in errors.iter().filter(|error| !sources.iter().any(|path| error.is_in(path))) {
        let _ = writeln!(wrong, "in no marked file: {}", error.text);
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

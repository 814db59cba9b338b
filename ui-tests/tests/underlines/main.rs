//! Underlines in editors: the place of each error in the output of `cargo check --message-format=json`.
#![allow(clippy::panic, reason = "a test cannot continue when these fail")]

mod marks;
mod project;
mod random_tokens;
#[path = "../support/mod.rs"]
mod support;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use marks::Mark;
use project::{Command, Project};
use support::manifest_dir;

/// The rules that need a case with an exact underline and a help with the text to write.
const RULES: [&str; 10] = [
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

/// The source whose errors only a build reports, since they depend on the arguments of a generic struct.
const BUILT: &str = "generic_lengths.rs";

#[test]
fn errors_are_underlined_where_marked() {
    let (built, checked): (Vec<_>, Vec<_>) = sources().into_iter().partition(|path| path.ends_with(BUILT));
    assert_marks("underlines", Command::Check, &checked);
    assert_marks("underlines-built", Command::Build, &built);
}

#[test]
fn every_rule_that_needs_a_mark_has_one() {
    let marks = sources().into_iter().flat_map(|path| Mark::read(&read(&path)));
    let marked: BTreeSet<_> = marks.map(|mark| mark.rule().to_owned()).collect();
    let missing: Vec<_> = RULES.into_iter().filter(|rule| !marked.contains(*rule)).collect();
    assert_eq!(missing, Vec::<&str>::new());
}

/// A crate that renames redis-keys.
#[test]
fn the_crate_may_be_renamed() {
    let project = Project::new("renamed", "rk", &[&manifest_dir().join("underlines/renamed/main.rs")]);
    let errors: Vec<_> = project.run(Command::Check).into_iter().map(|error| error.text).collect();
    assert_eq!(errors, Vec::<String>::new());
}

/// A crate that depends on redis-keys only through another one, whose macros declare keys.
#[test]
fn macros_of_other_crates_can_set_the_path_of_the_crate() {
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
    let errors: Vec<_> = project.run(Command::Check).into_iter().map(|error| error.text).collect();
    assert_eq!(errors, Vec::<String>::new());
}

/// A dependency may have the same keys, even with the same name.
#[test]
fn keys_of_other_crates_are_not_compared() {
    const KEY: &str = "#[derive(redis_keys::RedisKey)] #[redis_key(user:{name}:string, value = String, ttl = 1h)] \
                       pub struct Name { pub name: String }\n";
    const TWICE: &str =
        "#[derive(redis_keys::RedisKey)] #[redis_key(user:me:string, value = String, ttl = 1h)] struct Me;\n";
    let binary = format!(
        "{KEY}fn main() {{ let _ = (crates::Name {{ name: String::new() }}, Name {{ name: String::new() }}); }}\n"
    );
    let project = |name: &str| Project::new(name, "redis_keys", &[]).with_library(KEY);
    let headings = |project: Project| {
        project.run(Command::Check).into_iter().map(|error| error.heading().to_owned()).collect::<Vec<_>>()
    };
    let crates = project("crates").with_source("crates.rs", &binary).with_source("other.rs", &binary);
    assert_eq!(headings(crates), Vec::<String>::new());
    // Keys of the crate itself are compared.
    let twice = project("crates").with_source("crates.rs", &format!("{TWICE}{binary}"));
    assert_eq!(headings(twice), ["`Name` and `Me` overlap: they can produce the same key"]);
}

#[test]
fn every_invalid_item_of_random_tokens_is_reported_by_a_rule() {
    let (source, keys) = random_tokens::source();
    let project = Project::new("random-tokens", "redis_keys", &[]);
    let errors = project.with_source("random_tokens.rs", &source).run(Command::Check);
    random_tokens::assert_reported(&source, &keys, &errors);
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
    // Errors in other files are unexpected.
    for error in errors.iter().filter(|error| !sources.iter().any(|path| error.is_in(path))) {
        let _ = writeln!(wrong, "in no marked file: {}", error.text);
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

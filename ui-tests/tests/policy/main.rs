//! What a project's policy file does: each folder of `policy/` is a package with a file of its own, and what cargo says of
//! it. A package without `expected.stderr` compiles in silence.
//!
//! `TRYBUILD=overwrite cargo test -p redis-keys-ui-tests --test policy` writes down what is said now, to be read before it
//! is kept.
#![allow(clippy::panic, reason = "a test that cannot go on")]

mod changes;
mod crates;
mod dependencies;
mod special;
#[path = "../support/mod.rs"]
mod support;

use std::path::Path;
use std::{env, fs};

use crates::Crates;
use support::{manifest_dir, must};

#[test]
fn each_package_is_told_what_it_was() {
    let cases = manifest_dir().join("policy");
    let mut names: Vec<_> = match fs::read_dir(&cases) {
        Ok(entries) => entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect(),
        Err(error) => panic!("{}: {error}", cases.display()),
    };
    names.sort();
    let crates = Crates::new("policy");
    for name in &names {
        let folder = crates.add(name);
        must(fs::copy(cases.join(name).join("main.rs"), folder.join("main.rs")), &folder);
        let policy = folder.join("redis-keys.toml");
        special::remove(&policy);
        match fs::read(cases.join(name).join("redis-keys.toml")) {
            Ok(text) => must(fs::write(&policy, text), &policy),
            Err(_) => special::make(name, &policy),
        }
    }
    names.retain(|name| special::holds(name, &crates.folder.join(name).join("redis-keys.toml")));
    let said = crates.check();
    let overwrite = env::var_os("TRYBUILD").is_some_and(|value| value == "overwrite");
    let mut wrong = Vec::new();
    for name in &names {
        let said = said.get(name).cloned().unwrap_or_default();
        let path = cases.join(name).join("expected.stderr");
        if overwrite {
            write(&path, &said);
        } else if said != fs::read_to_string(&path).unwrap_or_default() {
            wrong.push(format!("==== {name}\n{said}"));
        }
    }
    assert!(wrong.is_empty(), "what is said now is something else:\n{}", wrong.join("\n"));
}

fn write(path: &Path, said: &str) {
    if !said.is_empty() {
        must(fs::write(path, said), path);
    } else if path.exists() {
        must(fs::remove_file(path), path);
    }
}

/// The same on every machine: no path of one, and nothing that depends on which parts of Rust are installed.
#[test]
fn what_is_said_holds_only_what_is_ours() {
    for entry in fs::read_dir(manifest_dir().join("policy")).into_iter().flatten().flatten() {
        let path = entry.path().join("expected.stderr");
        let text = fs::read_to_string(&path).unwrap_or_default();
        for foreign in ["/rustc/", "/home/", "/root/", "/tmp/", "/Users/", "help: consider importing"] {
            assert!(!text.contains(foreign), "{} speaks of {foreign}", path.display());
        }
        let source = fs::read_to_string(entry.path().join("main.rs")).unwrap_or_default();
        let first = source.lines().next().unwrap_or_default();
        assert!(first.starts_with("//! ") && first.ends_with('.'), "{} starts with no sentence", path.display());
    }
}

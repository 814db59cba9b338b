//! Policy files: each folder of `policy/` is a package with its policy and the expected messages. A package without
//! `main.rs` has the keys of `keys.rs`, and one without `expected.stderr` compiles without messages.
//!
//! `TRYBUILD=overwrite cargo test -p redis-keys-ui-tests --test policy` writes the expected messages, to be reviewed.
#![allow(clippy::panic, reason = "a test cannot continue when these fail")]

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
fn every_package_has_the_expected_messages() {
    let cases = manifest_dir().join("policy");
    let mut names = packages(&cases);
    let crates = Crates::new("policy");
    for name in &names {
        let folder = crates.add(name);
        let source = Some(cases.join(name).join("main.rs")).filter(|own| own.exists());
        let source = source.unwrap_or_else(|| cases.join("keys.rs"));
        must(fs::copy(source, folder.join("main.rs")), &folder);
        let policy = folder.join("redis-keys.toml");
        special::remove(&policy);
        match fs::read(cases.join(name).join("redis-keys.toml")) {
            Ok(text) => must(fs::write(&policy, text), &policy),
            Err(_) => special::create(name, &policy),
        }
    }
    names.retain(|name| special::is_possible(name, &crates.folder.join(name).join("redis-keys.toml")));
    let texts = crates.check();
    let overwrite = env::var_os("TRYBUILD").is_some_and(|value| value == "overwrite");
    let mut wrong = Vec::new();
    for name in &names {
        let text = texts.get(name).cloned().unwrap_or_default();
        let path = cases.join(name).join("expected.stderr");
        if overwrite {
            write(&path, &text);
        } else if text != fs::read_to_string(&path).unwrap_or_default() {
            wrong.push(format!("==== {name}\n{text}"));
        }
    }
    assert!(wrong.is_empty(), "unexpected messages:\n{}", wrong.join("\n"));
}

/// Returns the names of the packages.
fn packages(cases: &Path) -> Vec<String> {
    let entries = fs::read_dir(cases).unwrap_or_else(|error| panic!("{}: {error}", cases.display()));
    let folders = entries.flatten().filter(|entry| entry.path().is_dir());
    let mut names: Vec<_> = folders.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    names
}

fn write(path: &Path, text: &str) {
    if !text.is_empty() {
        must(fs::write(path, text), path);
    } else if path.exists() {
        must(fs::remove_file(path), path);
    }
}

/// Messages are the same on every machine, whichever components of Rust are installed.
#[test]
fn messages_contain_no_foreign_paths_or_notes() {
    let cases = manifest_dir().join("policy");
    for name in packages(&cases) {
        let text = fs::read_to_string(cases.join(&name).join("expected.stderr")).unwrap_or_default();
        for foreign in ["/rustc/", "/home/", "/root/", "/tmp/", "/Users/", "help: consider importing"] {
            assert!(!text.contains(foreign), "{name} contains {foreign}");
        }
        let read = |file| fs::read_to_string(cases.join(&name).join(file)).ok();
        let Some(text) = read("main.rs").or_else(|| read("redis-keys.toml")) else { continue };
        let first = text.lines().next().unwrap_or_default();
        let sentence = first.strip_prefix("//! ").or_else(|| first.strip_prefix("# "));
        assert!(sentence.is_some_and(|text| text.ends_with('.')), "{name} does not start with a sentence");
    }
}

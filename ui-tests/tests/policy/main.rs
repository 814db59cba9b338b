//! Policy files: each folder of `policy/` is a package with its policy and the expected messages. A package without
//! `expected.stderr` compiles without messages.
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
    for entry in fs::read_dir(manifest_dir().join("policy")).into_iter().flatten().flatten() {
        let path = entry.path().join("expected.stderr");
        let text = fs::read_to_string(&path).unwrap_or_default();
        for foreign in ["/rustc/", "/home/", "/root/", "/tmp/", "/Users/", "help: consider importing"] {
            assert!(!text.contains(foreign), "{} contains {foreign}", path.display());
        }
        let source = fs::read_to_string(entry.path().join("main.rs")).unwrap_or_default();
        let first = source.lines().next().unwrap_or_default();
        assert!(first.starts_with("//! ") && first.ends_with('.'), "{} does not start with a sentence", path.display());
    }
}

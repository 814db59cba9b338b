//! The messages of the compiler, by topic. Each item reports its own errors, so a case declares many items.
//!
//! rustc reports errors of names, of types and of lifetimes one after the other, so a case has one of these kinds only.
//!
//! `TRYBUILD=overwrite cargo test -p redis-keys-ui-tests --test messages` writes the expected messages, to be reviewed;
//! `cargo test -p redis-keys-ui-tests --test messages -- every_message trybuild=expiry` checks one topic.
#![allow(clippy::panic, reason = "a test cannot continue when these fail")]

use std::fs;
use std::path::{Path, PathBuf};

use redis_keys::Rule;

#[test]
fn every_message_is_as_expected() {
    trybuild::TestCases::new().compile_fail("fail/*/*.rs");
}

#[test]
fn every_rule_has_a_case() {
    let policy = entries(Path::new("policy")).into_iter().map(|case| case.join("expected.stderr"));
    let paths = cases("stderr").into_iter().chain(policy.filter(|path| path.exists()));
    let messages: String = paths.map(|path| read(&path)).collect();
    let names = Rule::ALL.map(|rule| (format!("rule: {rule}\n"), format!("(rule {rule})")));
    let missing: Vec<_> =
        names.iter().filter(|(line, words)| !messages.contains(line) && !messages.contains(words)).collect();
    assert!(missing.is_empty(), "no case for {missing:?}");
}

#[test]
fn every_case_starts_with_a_sentence_and_has_a_message() {
    for path in cases("rs") {
        let source = read(&path);
        let first = source.lines().next().unwrap_or_default();
        assert!(first.starts_with("// ") && first.ends_with('.'), "{} does not start with a sentence", path.display());
        assert!(path.with_extension("stderr").exists(), "{} has no message", path.display());
    }
    for path in cases("stderr") {
        assert!(path.with_extension("rs").exists(), "{} has no case", path.display());
    }
}

/// A line `// answer: …` says which words the errors of the next lines contain.
#[test]
fn every_wrong_call_has_its_answer() {
    for path in
        entries(Path::new("fail/calls")).into_iter().filter(|path| path.extension().is_some_and(|it| it == "rs"))
    {
        let (source, messages) = (read(&path), read(&path.with_extension("stderr")));
        let answers: Vec<_> = source
            .lines()
            .enumerate()
            .filter_map(|(index, line)| Some((index + 1, line.trim().strip_prefix("// answer: ")?)))
            .collect();
        assert!(!answers.is_empty(), "{} has no answers", path.display());
        for (number, (line, words)) in answers.iter().enumerate() {
            let end = answers.get(number + 1).map_or(usize::MAX, |(line, _)| *line);
            let errors = messages.split("\nerror").filter(|error| (*line..end).contains(&line_of(error)));
            let errors: Vec<_> = errors.collect();
            assert!(errors.iter().any(|error| error.contains(words)), "{}:{line}: no answer {words}", path.display());
        }
    }
}

/// The line that an error underlines.
fn line_of(error: &str) -> usize {
    let place = error.split(".rs:").nth(1).unwrap_or_default();
    place.split(':').next().unwrap_or_default().parse().unwrap_or_default()
}

/// Messages are the same on every machine, whichever components of Rust are installed.
#[test]
fn messages_contain_no_foreign_paths_or_notes() {
    for path in cases("stderr") {
        let text = read(&path);
        for foreign in ["$RUST", "$CARGO", "/rustc/", "/home/", "/Users/", "help: consider importing"] {
            assert!(!text.contains(foreign), "{} contains {foreign}", path.display());
        }
    }
}

fn cases(extension: &str) -> Vec<PathBuf> {
    // Tests run in the folder of their package.
    let topics = entries(Path::new("fail")).into_iter().flat_map(|topic| entries(&topic));
    topics.filter(|path| path.extension().is_some_and(|found| found == extension)).collect()
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    paths
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

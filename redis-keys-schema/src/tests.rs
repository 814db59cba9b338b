//! The wording of the messages that the tests of this crate expect, in `expected_messages.txt`.
//!
//! `SNAPSHOTS=overwrite cargo test -p redis-keys-schema --lib` writes the file, to be reviewed.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::{LazyLock, Mutex, PoisonError};
use std::{env, fs};

use crate::diagnostic::Diagnostic;
use crate::place::Place;

pub(crate) mod applied;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/expected_messages.txt");

static EXPECTED: LazyLock<BTreeSet<&str>> =
    LazyLock::new(|| include_str!("expected_messages.txt").trim_end_matches('\n').split("\n\n").collect());

static FOUND: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Asserts the wording of a message, with carets below the part of the attribute that is underlined, if it is one.
#[track_caller]
pub(crate) fn assert_message(attribute: Option<&str>, place: &str, diagnostic: &Diagnostic) {
    let shown = match (&diagnostic.place, attribute) {
        (Place::Attribute(range), Some(text)) => {
            let count = |range: Range<usize>| text.get(range).unwrap_or_default().chars().count();
            let (indent, carets) = (count(0..range.start), "^".repeat(count(range.clone()).max(1)));
            format!("> {}\n  {:indent$}{carets}", text.replace(['\n', '\t'], " "), "")
        }
        (_, Some(text)) => format!("> {text}\n  {place}"),
        _ => format!("> {}", place.replace('\n', " ")),
    };
    let message = format!("{shown}\n{diagnostic}");
    if env::var_os("SNAPSHOTS").is_some_and(|value| value == "overwrite") {
        let mut found = FOUND.lock().unwrap_or_else(PoisonError::into_inner);
        found.insert(message);
        let text = found.iter().map(String::as_str).collect::<Vec<_>>().join("\n\n");
        assert!(fs::write(FILE, text + "\n").is_ok(), "{FILE} cannot be written");
    } else {
        assert!(EXPECTED.contains(message.as_str()), "not in expected_messages.txt:\n{message}");
    }
}

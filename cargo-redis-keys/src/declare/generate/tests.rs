//! What is generated from the keys of `tests/keys.rs`, compared with what the derive makes of them.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on")]

mod calls;
mod clients;
mod derived;
#[allow(dead_code, reason = "some keys are only read as sources")]
mod keys;

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use redis_keys_schema::Kind;
use snapbox::assert_data_eq;

use super::builder::{Builder, builders};
use super::random::Random;
use super::render::Refusal;
use super::value::Value;
use super::vectors;
use super::vectors::{Built, Outcome, build, expiries, parsed_texts, tuples};
use super::{python, typescript};
use crate::declare::catalog::{Argument, Catalog, Parameter};
use crate::declare::sources::catalog_of_file;

/// The number of random tuples of a key. `REDIS_KEYS_TUPLES` sets another number.
fn count() -> usize {
    std::env::var("REDIS_KEYS_TUPLES").ok().and_then(|count| count.parse().ok()).unwrap_or(500)
}

fn fixture() -> Catalog {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/declare/generate/tests");
    let mut catalog = catalog_of_file(&folder, Path::new("keys.rs"));
    for key in &mut catalog.keys {
        // A change of the fixture changes the lines of all keys behind it.
        (key.line, key.module) = (1, Some("keys".to_owned()));
    }
    catalog
}

/// What the derive says of a tuple.
fn outcome_of(derived: derived::Build, values: &[Value]) -> Outcome {
    match derived(values) {
        Ok(Ok(key)) => Outcome::Text(key.as_str().to_owned()),
        Ok(Err(error)) => {
            let (reason, parameter) = derived::reason(&error);
            Outcome::Refused(Refusal { reason, parameter })
        }
        Err(reason) => Outcome::Refused(Refusal { reason, parameter: None }),
    }
}

/// Whether both are the same. The types of Rust name no parameter.
fn agrees(given: &Outcome, derived: &Outcome) -> bool {
    match (given, derived) {
        (Outcome::Refused(given), Outcome::Refused(derived)) => {
            given.reason == derived.reason && (derived.parameter.is_none() || given.parameter == derived.parameter)
        }
        (given, derived) => given == derived,
    }
}

/// Whether a value has no year outside of 0 to 9999.
fn has_four_digits(value: &Value) -> bool {
    match value {
        Value::Calendar(numbers) => numbers.first().is_some_and(|year| (0..=9999).contains(year)),
        _ => true,
    }
}

/// Checks random tuples of a key, and returns them as the vectors of the key.
fn check(builder: &Builder<'_>, derived: &derived::Derived) -> String {
    let name = derived.name;
    let mut numbers = Random::of(&format!("{name} {}", redis_keys_tests::seed()));
    let tuples = tuples(builder, count(), &mut numbers);
    let built: Vec<Built> = tuples.into_iter().map(|values| build(builder, values)).collect();
    for Built(values, outcome) in &built {
        let expected = outcome_of(derived.build, values);
        assert!(agrees(outcome, &expected), "{name} {values:?}: {outcome:?}, and the derive {expected:?}");
    }
    let is_parsed = builder.text.parses && builder.key.kind != Kind::Channel;
    assert_eq!(is_parsed, derived.parse.is_some(), "{name}");
    let parsed = parsed_texts(builder, &built, &mut numbers);
    for (text, values) in &parsed {
        if let Some(parse) = derived.parse {
            // In a legacy text, the derive also parses the years that builders refuse.
            let expected = parse(text).filter(|values| values.iter().all(has_four_digits));
            assert_eq!(*values, expected, "{name} {text:?}");
        }
    }
    for (values, now_ms, ms) in expiries(builder) {
        assert_eq!(ms, derived::expiry(name, &values, now_ms), "{name} {values:?} at {now_ms}");
    }
    vectors::of_key(builder, &built, &parsed)
}

#[test]
fn the_tool_builds_and_parses_keys_as_the_derive_does() {
    let catalog = fixture();
    let (builders, _) = builders(&catalog).unwrap();
    let derived = derived::all();
    let names: HashSet<_> = derived.iter().map(|derived| derived.name).collect();
    let missing: Vec<_> = builders.iter().filter(|builder| !names.contains(builder.key.name.as_str())).collect();
    assert!(missing.is_empty() && builders.len() == derived.len(), "{missing:?}");
    let keys = derived
        .iter()
        .map(|derived| check(builders.iter().find(|builder| builder.key.name == derived.name).unwrap(), derived));
    let keys: Vec<String> = keys.collect();
    // For the tests of other languages, which read this file instead of `vectors.json`.
    if let Some(file) = std::env::var_os("REDIS_KEYS_VECTORS") {
        std::fs::write(file, vectors::of_keys(&keys, &[])).unwrap();
    }
}

#[test]
fn keys_are_left_out_for_a_reason() {
    let catalog = fixture();
    let (_, left_out) = builders(&catalog).unwrap();
    let left_out: Vec<_> = left_out.iter().map(|left_out| format!("{}: {}", left_out.key.name, left_out.why)).collect();
    assert_eq!(
        left_out,
        [
            "Notes: `version` is unknown: the type `Version` is not known from the sources",
            "OldItems: the `Display` of `UserId` writes `user_id` in its legacy text",
            "Generic: `id` is unknown: the type `T` depends on the use of the key",
        ]
    );
}

/// A file of `tests/generated`, which other programs' tests read.
fn generated(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/generated").join(name)
}

#[test]
fn the_generated_files_are_up_to_date() {
    let catalog = fixture();
    let (builders, left_out) = builders(&catalog).unwrap();
    for (name, text) in [
        ("catalog.json", catalog.to_json()),
        ("vectors.json", vectors::file(&builders, &left_out)),
        ("keys.ts", typescript::file(&catalog, &builders, &left_out).unwrap()),
        ("keys.py", python::file(&catalog, &builders, &left_out).unwrap()),
        ("calls.json", calls::file()),
    ] {
        assert_data_eq!(text, snapbox::Data::read_from(&generated(name), None).raw());
    }
}

#[test]
fn names_that_are_the_same_are_no_names() {
    let mut catalog = fixture();
    let error = |catalog: &Catalog| {
        let (builders, left_out) = builders(catalog).unwrap();
        typescript::file(catalog, &builders, &left_out).unwrap_err().to_string()
    };
    let index = |name: &str| catalog.keys.iter().position(|key| key.name == name).unwrap();
    let (card, page) = (index("Card"), index("Page"));
    catalog.keys[card].name = "Page".to_owned();
    catalog.keys[card].module = Some("blog".to_owned());
    assert_eq!(
        error(&catalog),
        "`shop::keys::Page` and `shop::blog::Page` would both be `page`\n\
         help: write them to two files by `--module`, the first word of a key, or rename a type"
    );
    catalog.keys[page].name = "Page".to_owned();
    for (name, generated) in [("HourOf", "hourOf"), ("RandomInt", "randomInt")] {
        catalog.keys[card].name = name.to_owned();
        let expected = format!("the generated name `{generated}` of `shop::blog::{name}` is reserved");
        assert!(error(&catalog).contains(&expected), "{name}");
    }
}

#[test]
fn two_enums_of_a_name_are_reported_with_their_keys() {
    let mut catalog = fixture();
    let mut other = catalog.keys.iter().find(|key| key.parameters.iter().any(is_enum)).unwrap().clone();
    let parameter = other.parameters.iter_mut().find(|parameter| is_enum(parameter)).unwrap();
    let Some(Argument::Names { variants, .. }) = &mut parameter.facts.argument else { panic!("an enum") };
    variants.pop();
    let name = std::mem::replace(&mut other.name, "Other".to_owned());
    catalog.keys.push(other);
    let (builders, left_out) = builders(&catalog).unwrap();
    let error = python::file(&catalog, &builders, &left_out).unwrap_err().to_string();
    for name in [name.as_str(), "Other"] {
        assert!(error.contains(&format!(" of shop::keys::{name}`")), "{error}");
    }
}

fn is_enum(parameter: &Parameter) -> bool {
    matches!(parameter.facts.argument, Some(Argument::Names { .. }))
}

#[test]
fn a_key_whose_name_is_a_keyword_gets_another_name() {
    let mut catalog = fixture();
    let card = catalog.keys.iter().position(|key| key.name == "Card").unwrap();
    catalog.keys[card].name = "Yield".to_owned();
    let (builders, left_out) = builders(&catalog).unwrap();
    let text = typescript::file(&catalog, &builders, &left_out).unwrap();
    assert!(text.contains("export const yield_ = {"));
}

/// A job that is not encrypted is dead at its first try.
#[test]
fn a_queue_of_encrypted_jobs_says_so() {
    let mut catalog = fixture();
    let queue = catalog.keys.iter().position(|key| key.name == "Mails").unwrap();
    catalog.keys[queue].value_form.as_mut().unwrap().forms = Some(vec!["secret".to_owned()]);
    let (builders, left_out) = builders(&catalog).unwrap();
    let text = python::file(&catalog, &builders, &left_out).unwrap();
    assert!(text.contains("send `push` to add jobs.\n    Its values are encrypted.\n"));
}

#[test]
fn fields_whose_names_are_the_same_are_reported() {
    let mut catalog = fixture();
    let key = catalog.keys.iter_mut().find(|key| key.parameters.len() == 2 && key.legacy.is_none()).unwrap();
    for (parameter, name) in key.parameters.iter_mut().zip(["a_1", "a1"]) {
        parameter.declared.name = name.to_owned();
    }
    let (builders, left_out) = builders(&catalog).unwrap();
    let error = typescript::file(&catalog, &builders, &left_out).unwrap_err().to_string();
    assert!(error.contains("the fields `a_1` and `a1` of `shop::keys::"), "{error}");
    assert!(error.ends_with("would both be `a1`\nhelp: rename a field"), "{error}");
    python::file(&catalog, &builders, &left_out).unwrap();
}

#[test]
fn a_catalog_of_an_earlier_version_has_no_builders() {
    let mut catalog = fixture();
    catalog.keys[0].text = None;
    let error = builders(&catalog).unwrap_err().to_string();
    assert!(error.contains("was written by an older version") && error.contains("help: write"), "{error}");
}

#[test]
fn no_number_in_a_file_makes_it_panic() {
    let text = fixture().to_json();
    for (from, to) in [
        ("\"from\":\"0\",\"to\":\"255\"", "\"from\":\"9\",\"to\":\"0\""),
        ("\"from\":\"-32768\"", "\"from\":\"-170141183460469231731687303715884105728\""),
        ("\"length\":16", "\"length\":18446744073709551615"),
        ("\"ttl_ms\":86400000", "\"ttl_ms\":9223372036854775807"),
        ("\"open\":0", "\"open\":99"),
        ("\"parameter\":0", "\"parameter\":99"),
        ("\"zeros\":5", "\"zeros\":255"),
        ("\"bits\":16", "\"bits\":0"),
        ("\"copies\":8", "\"copies\":0"),
        ("\"shards\":16", "\"shards\":0"),
    ] {
        assert!(text.contains(from), "{from}");
        let catalog = Catalog::from_json(&text.replace(from, to)).unwrap();
        let (builders, left_out) = builders(&catalog).unwrap();
        let _ = vectors::file(&builders, &left_out);
        let _ = typescript::file(&catalog, &builders, &left_out).unwrap();
        let _ = python::file(&catalog, &builders, &left_out).unwrap();
    }
}

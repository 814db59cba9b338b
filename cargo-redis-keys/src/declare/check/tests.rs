//! The policy files of the ui tests, and random declarations.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on")]

use std::fs;
use std::path::Path;

use proptest::prelude::*;
use proptest::sample::select;
use syn::Item;

use super::*;
use crate::declare::explain;
use crate::render::{github, rustc, sarif};

/// The errors of a policy file in the expected output of the compiler: place, message, help and code.
fn expected(output: &str) -> Vec<String> {
    let mut expected = Vec::new();
    for block in output.split("\n\n") {
        let (message, rest) = block.split_once("\n --> ").unwrap_or((block, ""));
        let lines: Vec<_> = message.lines().map(str::trim).collect();
        let (Some(first), Some(code)) = (lines.first(), lines.last()) else { continue };
        if !["rule: policy", "lint: misspelt_module"].contains(code) || rest.is_empty() {
            continue;
        }
        let first = first.split_once("redis-keys.toml:").map_or(*first, |(_, first)| first);
        let help = lines.iter().find(|line| line.starts_with("help: ")).unwrap();
        expected.push(format!("{first}\n{help}\n{code}"));
    }
    expected
}

#[test]
fn errors_of_policy_files_are_those_of_the_compiler() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ui-tests/policy");
    let mut compared = 0;
    for case in fs::read_dir(&cases).unwrap().map(|entry| entry.unwrap().path()) {
        let Ok(text) = fs::read_to_string(case.join("redis-keys.toml")) else { continue };
        let mut expected = expected(&fs::read_to_string(case.join("expected.stderr")).unwrap_or_default());
        let mut found: Vec<_> = findings_of_policy(text, "redis-keys.toml")
            .iter()
            .map(|finding| {
                let Finding { code, message, help, .. } = finding;
                let (start, topic) = (finding.place().unwrap().at.start(), code.topic().unwrap());
                format!("{}:{}: {message}\nhelp: {help}\n{topic}: {}", start.line, start.column, code.name())
            })
            .collect();
        expected.sort();
        expected.dedup();
        found.sort();
        assert_eq!(found, expected, "{}", case.display());
        compared += found.len();
    }
    assert!(compared > 80, "{compared}");
}

const FRAGMENTS: [&str; 44] = [
    "user",
    ":",
    "::",
    ".",
    "basicInfo",
    "user_info",
    "string",
    "zset",
    "{id}",
    "{#id}",
    "{id % 10}",
    "{id:?}",
    "{}",
    "é",
    "名前",
    "2fa",
    "\"user:name:{id}:string\"",
    "\"user:{id\"",
    "r#\"user:Ab:{id}:string\"#",
    "\"a\\\"b\\n\\u{e9}\"",
    ",",
    " = ",
    "value",
    "value = u64",
    "value = Json<P>",
    "value = \"Json<P\"",
    "ttl = 1h",
    "ttl = \"1h\"",
    "ttl = never",
    "jitter = 10%",
    "max_bytes = 64KB",
    "reason = \"x\"",
    "allow(overlap, reason = \"é\")",
    "allow(x)",
    "crate = 5",
    "copies = 8",
    "{copy}",
    "limit(100 / 1m)",
    "\"名:{#id}\"",
    "user:name:{id}:string",
    "(",
    ")",
    "\n",
    "/* é */",
];

const TYPES: [&str; 8] = ["u64", "String", "f64", "Option<u64>", "&'a str", "T", "my::Own<'a>", "[u8; 4]"];

/// An item with fragments in its attributes.
fn item() -> impl Strategy<Value = String> {
    let attribute = || {
        let fragments = prop_oneof![9 => select(&FRAGMENTS[..]).prop_map(str::to_owned), 1 => any::<String>()];
        prop::collection::vec(fragments, 0..10).prop_map(|fragments| fragments.concat())
    };
    (attribute(), attribute(), select(&TYPES[..]), 0..6).prop_map(|(attribute, other, ty, shape)| match shape {
        0 => format!("#[redis_key({attribute})] struct Case {{ #[redis_key({other})] id: {ty} }}"),
        1 => format!("#[redis_key({attribute})] enum Case {{ #[redis_key({other})] Id, Other }}"),
        2 => format!("#[redis_hash({attribute})] struct Case {{ #[redis_hash({other})] id: {ty}, é: {ty} }}"),
        3 => format!("#[redis_key = {attribute}] struct Case({ty});"),
        4 => format!("#[redis_key({attribute})] #[redis_key({other})] struct Case<'a, T> {{ id: {ty} }}"),
        _ => format!("#[redis_key(user:name:{{id}}:string, ttl = 1h, {attribute})]\nstruct Case {{ id: {ty} }}"),
    })
}

/// The findings of all items of a text, each as all that can be derived.
fn findings(text: &str) -> Vec<Finding> {
    let file = Rc::new(File { path: "é.rs".to_owned(), text: text.to_owned() });
    let Ok(syntax) = syn::parse_file(text) else { return Vec::new() };
    let items = syntax.items.into_iter().filter_map(|item| match item {
        Item::Struct(item) => Some(DeriveInput::from(item)),
        Item::Enum(item) => Some(DeriveInput::from(item)),
        _ => None,
    });
    let items: Vec<_> = items.collect();
    let policy = Policy::default();
    let kinds = [DeclarationKind::Key, DeclarationKind::Record, DeclarationKind::Segment];
    let subjects = items.iter().enumerate().flat_map(|(number, item)| {
        let (file, policy) = (&file, &policy);
        kinds.map(|kind| Subject {
            kind,
            item,
            file: Rc::clone(file),
            policy,
            package: "shop",
            module: "",
            krate: number,
            is_deployed: true,
            is_silenced: false,
            condition: None,
        })
    });
    check(&subjects.collect::<Vec<_>>(), Vec::new(), &|_, field| {
        redis_keys_schema::values_of_type(&field.ty).map(Into::into)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_items_are_checked_and_shown(items in prop::collection::vec(item(), 1..4)) {
        let text = items.join("\n");
        let findings = findings(&text);
        for finding in &findings {
            for at in finding.place().into_iter().flat_map(|place| place.other.iter().map(|(at, _)| at).chain([&place.at])) {
                prop_assert!(text.get(at.range.clone()).is_some(), "{text}\n{finding:?}");
            }
            rustc::snippet(finding);
            prop_assert!(!github::line(finding).contains('\n'));
            prop_assert!(serde_json::from_str::<serde_json::Value>(&rustc::line(finding)).is_ok());
        }
        prop_assert!(serde_json::from_str::<serde_json::Value>(&sarif::report(&findings, explain::summary)).is_ok());
    }
}

/// The random items can also be valid, and can overlap.
#[test]
fn items_can_be_valid() {
    let key = "#[redis_key(user:name:{id}:string, value = u64, ttl = 1h)]\nstruct Case { id: u64 }\n";
    let codes: Vec<_> = findings(&key.repeat(2)).iter().map(|finding| finding.code.name()).collect();
    assert!(codes.contains(&"one-key-each"), "{codes:?}");
}

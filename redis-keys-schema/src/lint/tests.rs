//! What the tests of the lints assert: the underlined text, the help and the exceptions.

use super::*;
use crate::check::tests::underlined;
use crate::tests::applied::Editable as _;
use crate::{Attribute, CheckedDeclaration, Field, Shape, check as check_item};

pub(super) fn checked(policy: &str, attribute: &str) -> CheckedDeclaration {
    check_item(&item(attribute), &parsed(policy))
}

pub(super) fn parsed(policy: &str) -> Policy {
    let (policy, errors) = Policy::parse(policy);
    assert_eq!(errors, []);
    policy
}

pub(super) fn item(attribute: &str) -> Item<'_> {
    let field = |name: &str| Field { name: name.to_owned(), ty: "u64", phantom: false, attributes: vec![] };
    let fields = ["id", "page"].into_iter().filter(|name| attribute.contains(&format!("{{{name}}}"))).map(field);
    let attributes = vec![Attribute::Arguments(attribute)];
    let (name, fields) = ("Case".to_owned(), fields.collect());
    Item { name, shape: Shape::Struct, documented: false, attributes, fields }
}

/// Asserts that the suggestion of a warning avoids it, if it names a text to write.
#[track_caller]
pub(super) fn assert_avoided(policy: &Policy, item: &Item<'_>, warning: &Warning) {
    if warning.edits.is_empty() {
        let names = ["write `", "add `", "remove "].iter().any(|start| warning.suggestion.starts_with(start));
        assert!(!names, "a suggestion without edits: {warning}\n{item:?}");
        return;
    }
    let edited = item.edited(&warning.edits);
    let CheckedDeclaration { diagnostics, warnings, .. } = check_item(&edited, policy);
    let count = |warnings: &[Warning]| {
        warnings.iter().filter(|other| other.lint == warning.lint && other.message == warning.message).count()
    };
    let is_less = count(&warnings) < count(&check_item(item, policy).warnings);
    assert!(is_less && diagnostics.is_empty(), "{warning}\n\n{edited:?}\n\n{diagnostics:?}\n{warnings:?}");
}

/// Asserts the warnings: the lint, what is underlined, and the help.
#[track_caller]
pub(super) fn warns(policy: &str, attribute: &str, expected: &[(Lint, &str, &str)]) {
    let checked = checked(policy, attribute);
    assert_eq!(*checked.diagnostics, [], "{attribute}");
    let reported = checked
        .warnings
        .iter()
        .map(|warning| (warning.lint, underlined(attribute, &warning.place), warning.suggestion.as_str()));
    assert_eq!(reported.collect::<Vec<_>>(), expected, "{attribute}");
    for warning in &checked.warnings {
        assert_avoided(&parsed(policy), &item(attribute), warning);
    }
}

#[test]
fn a_key_opts_out_with_a_reason() {
    let key = |allow: &str| format!("cache:page:{{id}}:string, value = String, ttl = 2d, {allow}");
    warns("", &key("allow(unusual_ttl, missing_jitter, reason = \"x\")"), &[]);
    warns("", &key("allow(unusual_ttl, reason = \"x\"), allow(missing_jitter, reason = \"y\")"), &[]);
}

#[test]
fn a_place_with_an_error_gets_no_warning() {
    let checked =
        checked("", "cache:page:{id}:string, value = String, ttl = 2days, allow(uncompressed, reason = \"x\")");
    assert_eq!((checked.diagnostics.len(), checked.warnings), (1, vec![]));
    let checked = super::tests::checked("modules = ['user']", "cache:page:{id}:string, value = String, ttl = 2d");
    let lints: Vec<_> = checked.warnings.iter().map(|warning| warning.lint).collect();
    assert_eq!((checked.diagnostics.len(), lints), (1, vec![Lint::UnusualTtl, Lint::MissingJitter]));
}

#[test]
fn allow_takes_lints_and_overlap() {
    let helps = |allow: &str| {
        let checked = checked("", &format!("user:name:{{id}}:string, value = u64, ttl = 1h, {allow}"));
        checked.diagnostics.iter().map(|diagnostic| diagnostic.suggestion.clone()).collect::<Vec<_>>()
    };
    assert_eq!(helps("allow(long_wrod, reason = \"x\")"), ["did you mean `long_word`?"]);
    assert_eq!(helps("allow(\"overlpa\", reason = \"x\")"), ["did you mean `overlap`?"]);
    assert_eq!(helps("allow(redis_keys::missing_jitter, reason = \"x\")"), ["write `missing_jitter`"]);
    let of_the_file = "remove it, and write `misspelt_module = \"allow\"` below `[lints]` in redis-keys.toml";
    assert_eq!(helps("allow(misspelt_module, reason = \"x\")"), [of_the_file]);
    assert!(helps("allow(dead_code, reason = \"x\")")[0].starts_with("the lints are `misused_module`, "));
    let twice = "remove one of the two, with its reason";
    assert_eq!(helps("allow(long_key, overlap, \"long_key\", reason = \"x\")"), ["remove it"]);
    assert_eq!(helps("allow(overlap, reason = \"x\"), allow(overlap, long_key, reason = \"y\")"), [twice]);
    assert_eq!(helps("allow(long_key, overlap, reason = \"x\"), allow(long_word, reason = \"y\")"), [""; 0]);
    for missing in ["allow(overlap, reason = \"\")", "allow(overlap, reason = x)", "allow(overlap, reason)"] {
        assert_eq!(helps(missing).len(), 1, "{missing}");
    }
}

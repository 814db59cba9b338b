//! The place, the rule and the suggestion of each message; [`assert_message`] asserts the wording. A case that breaks
//! one rule gets one message.
#![allow(clippy::panic, reason = "a test that cannot go on")]

use super::*;
use crate::item::Field;
use crate::tests::applied::assert_suggestions_apply;
use crate::tests::assert_message;

mod answers;
mod cache;
mod copies;
mod declaration;
mod expiry;
mod first_tries;
mod followed_help;
mod jobs;
mod legacy;
mod limit;
mod lock;
mod options;
mod parameters;
mod policy;
mod random_tokens;
mod template;

/// The underlined text, the rule, and the suggestion.
type ExpectedMessage<'e> = (&'e str, Rule, &'e str);

/// Checks an item of a project without a policy.
fn check(item: &Item<'_>) -> CheckedDeclaration {
    super::check(item, &Policy::default())
}

fn field<'t>(name: &str, ty: &'t str) -> Field<'t> {
    Field { name: name.to_owned(), ty, phantom: ty.contains("PhantomData"), attributes: vec![] }
}

fn item<'t>(fields: Vec<Field<'t>>, attribute: &'t str) -> Item<'t> {
    Item {
        name: "Case".to_owned(),
        shape: Shape::Struct,
        documented: true,
        attributes: vec![Attribute::Arguments(attribute)],
        fields,
    }
}

/// Checks a struct with these fields.
fn checked(fields: &[&str], attribute: &str) -> CheckedDeclaration {
    check(&item(fields.iter().map(|name| field(name, "u64")).collect(), attribute))
}

/// The template of a valid declaration.
#[track_caller]
fn template(checked: &CheckedDeclaration) -> &Template {
    match checked.declaration.template_and_kind() {
        Ok((template, _)) if checked.diagnostics.is_empty() => template,
        _ => panic!("{:?}", checked.diagnostics),
    }
}

/// The text that a diagnostic underlines.
pub(crate) fn underlined<'t>(attribute: &'t str, place: &Place) -> &'t str {
    match place {
        Place::Attribute(range) => attribute.get(range.clone()).unwrap_or("no part of the text"),
        Place::Field(_) => "a field",
        Place::FieldType(_) => "a field's type",
        Place::FieldAttribute(..) | Place::WholeFieldAttribute(..) => "a field's attribute",
        Place::WholeAttribute(_) => "an attribute",
        Place::Lifetime(_) => "a lifetime",
        _ => "the item",
    }
}

#[track_caller]
fn assert_reported(attribute: &str, checked: &CheckedDeclaration, expected: &[ExpectedMessage<'_>]) {
    let reported = checked.diagnostics.iter().map(|diagnostic| {
        let suggestion = diagnostic.suggestion.as_str();
        (underlined(attribute, &diagnostic.place), diagnostic.rule, suggestion)
    });
    assert_eq!(reported.collect::<Vec<_>>(), expected, "{attribute}");
    for diagnostic in checked.diagnostics.iter() {
        assert_message(Some(attribute), underlined(attribute, &diagnostic.place), diagnostic);
    }
}

#[track_caller]
fn item_reports(fields: Vec<Field<'_>>, attribute: &str, expected: &[ExpectedMessage<'_>]) {
    let item = item(fields, attribute);
    assert_reported(attribute, &check(&item), expected);
    assert_suggestions_apply(&item, |item| check(item).diagnostics);
}

/// Asserts what is reported for an attribute.
#[track_caller]
fn reports(fields: &[&str], attribute: &str, expected: &[ExpectedMessage<'_>]) {
    item_reports(fields.iter().map(|name| field(name, "u64")).collect(), attribute, expected);
}

/// Asserts what is reported for a template with right options.
#[track_caller]
fn template_reports(template: &str, underlined: &str, rule: Rule, suggestion: &str) {
    reports(&["id"], &format!("{template}, value = u64, ttl = 1h"), &[(underlined, rule, suggestion)]);
}

/// Asserts what is reported for options after a right template with a value.
#[track_caller]
fn options_report(options: &str, underlined: &str, rule: Rule, suggestion: &str) {
    reports(&["id"], &format!("user:name:{{id}}:string, value = String, {options}"), &[(underlined, rule, suggestion)]);
}

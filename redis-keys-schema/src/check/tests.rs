//! Each message with its place and its help. A case that breaks one rule gets one message.

use super::*;
use crate::item::Field;

mod copies;
mod declaration;
mod expiry;
mod options;
mod parameters;
mod project;
mod soup;
mod template;

/// Checks an item of a project that has no policy.
pub(super) fn check(item: &Item<'_>) -> Checked {
    super::check(item, &Policy::default())
}

/// Checks a struct with these fields.
pub(super) fn checked(fields: &[&str], attribute: &str) -> Checked {
    let fields =
        fields.iter().map(|name| Field { name: (*name).to_owned(), ty: "u64", phantom: false, attributes: vec![] });
    let attributes = vec![Attribute::Arguments(attribute)];
    check(&Item { shape: Shape::Struct, documented: true, attributes, fields: fields.collect() })
}

/// What a diagnostic underlines.
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

/// Asserts what is told of an attribute: what is underlined, the rule, and the help.
#[track_caller]
pub(super) fn tells(fields: &[&str], attribute: &str, expected: &[(&str, Rule, &str)]) {
    let checked = checked(fields, attribute);
    let told = checked.diagnostics.iter().map(|diagnostic| {
        let help = diagnostic.help.as_deref().unwrap_or("no help");
        (underlined(attribute, &diagnostic.place), diagnostic.rule, help)
    });
    assert_eq!(told.collect::<Vec<_>>(), expected, "{attribute}");
}

/// Asserts what is told of a template whose options are right.
#[track_caller]
pub(super) fn template_tells(template: &str, underlined: &str, rule: Rule, help: &str) {
    tells(&["id"], &format!("{template}, value = u64, ttl = 1h"), &[(underlined, rule, help)]);
}

/// Asserts what is told of options behind a right template with a value.
#[track_caller]
pub(super) fn options_tell(options: &str, underlined: &str, rule: Rule, help: &str) {
    tells(&["id"], &format!("user:name:{{id}}:string, value = String, {options}"), &[(underlined, rule, help)]);
}

//! Each message with its place and its help. A case that breaks one rule gets one message.

use super::*;
use crate::Rule;
use crate::tests::applied::assert_suggestions_apply;
use crate::tests::assert_message;

mod names;
mod options;
mod random_tokens;
mod secrets;
mod shape;
mod types;

/// A field: its name, its type, and its attribute, if it has one.
type FieldText<'t> = (&'t str, &'t str, &'t str);

/// A mandatory field, so that a case is of nothing else.
const ID: FieldText<'static> = ("id", "u64", "");

pub(super) fn field<'t>(&(name, ty, attribute): &FieldText<'t>) -> Field<'t> {
    let attributes = if attribute.is_empty() { vec![] } else { vec![Attribute::Arguments(attribute)] };
    Field { name: name.to_owned(), ty, phantom: ty.contains("PhantomData"), attributes }
}

pub(super) fn item<'t>(fields: &[FieldText<'t>]) -> RecordItem<'t> {
    let fields = fields.iter().map(field).collect();
    RecordItem { shape: RecordShape::Named, lifetimes: vec![], attributes: vec![], fields }
}

/// Returns the text that a diagnostic underlines.
pub(super) fn underlined(item: &RecordItem<'_>, place: &Place) -> String {
    let text = |attribute: Option<&Attribute<'_>>, range: &Range<usize>| match attribute {
        Some(Attribute::Arguments(text)) => text.get(range.clone()).unwrap_or("no part of the text").to_owned(),
        _ => "no text".to_owned(),
    };
    match place {
        Place::Attribute(range) => text(item.attributes.first(), range),
        Place::FieldAttribute(field, index, range) => text(item.fields[*field].attributes.get(*index), range),
        Place::Field(index) => format!("the field {}", item.fields[*index].name),
        Place::FieldType(index) => format!("the type {}", item.fields[*index].ty),
        Place::WholeFieldAttribute(index, _) => format!("the attribute of {}", item.fields[*index].name),
        Place::WholeAttribute(index) => format!("the attribute {index}"),
        Place::Lifetime(index) => item.lifetimes[*index].clone(),
        _ => "the item".to_owned(),
    }
}

/// Asserts what is reported for an item: what is underlined, the rule, and the suggestion.
#[track_caller]
pub(super) fn item_reports(item: &RecordItem<'_>, expected: &[(&str, Rule, &str)]) {
    let diagnostics = check_record(item, &Policy::default()).diagnostics;
    let places: Vec<_> = diagnostics.iter().map(|diagnostic| underlined(item, &diagnostic.place)).collect();
    let reported = diagnostics
        .iter()
        .zip(&places)
        .map(|(diagnostic, place)| (place.as_str(), diagnostic.rule, diagnostic.suggestion.as_str()));
    assert_eq!(reported.collect::<Vec<_>>(), expected, "{item:?}");
    for (diagnostic, place) in diagnostics.iter().zip(&places) {
        assert_message(None, &format!("record: {place}"), diagnostic);
    }
    assert_suggestions_apply(item, |item| check_record(item, &Policy::default()).diagnostics);
}

/// Asserts what is reported for one field beside a right one.
#[track_caller]
pub(super) fn reports(field: FieldText<'_>, expected: &[(&str, Rule, &str)]) {
    item_reports(&item(&[ID, field]), expected);
}

/// Returns one field as it is read beside a right one.
#[track_caller]
pub(super) fn reads(field: FieldText<'_>) -> RecordField {
    let checked = check_record(&item(&[ID, field]), &Policy::default());
    assert_eq!(*checked.diagnostics, [], "{field:?}");
    checked.record.fields.map(|fields| fields[1].clone()).unwrap_or_default()
}

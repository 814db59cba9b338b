//! Suggestions that are applied: each must leave no error where it was, and cause no other.

use std::fmt::Debug;

use super::*;
use crate::diagnostic::Diagnostics;
use crate::edit::{Edit, apply};
use crate::item::{Attribute, Field, Item};
use crate::record::RecordItem;
use crate::segment::{SegmentItem, Variant};

/// The parts of an item that edits change.
pub(crate) struct Parts<'p, 't> {
    attributes: &'p mut Vec<Attribute<'t>>,
    fields: &'p mut Vec<Field<'t>>,
    variants: &'p mut [Variant<'t>],
    lifetimes: &'p mut Vec<String>,
}

/// An item that edits change.
pub(crate) trait Editable<'t>: Clone + Debug {
    fn edit(&mut self, edit: impl FnOnce(Parts<'_, 't>));

    /// The item after edits.
    fn edited(&self, edits: &[Edit]) -> Self {
        let mut item = self.clone();
        item.edit(|parts| edit_parts(parts, edits));
        item
    }
}

impl<'t> Editable<'t> for Item<'t> {
    fn edit(&mut self, edit: impl FnOnce(Parts<'_, 't>)) {
        let Self { attributes, fields, .. } = self;
        edit(Parts { attributes, fields, variants: &mut [], lifetimes: &mut vec![] });
    }
}

impl<'t> Editable<'t> for RecordItem<'t> {
    fn edit(&mut self, edit: impl FnOnce(Parts<'_, 't>)) {
        let Self { attributes, fields, lifetimes, .. } = self;
        edit(Parts { attributes, fields, variants: &mut [], lifetimes });
    }
}

impl<'t> Editable<'t> for SegmentItem<'t> {
    fn edit(&mut self, edit: impl FnOnce(Parts<'_, 't>)) {
        let Self { attributes, fields, variants, .. } = self;
        edit(Parts { attributes, fields, variants, lifetimes: &mut vec![] });
    }
}

fn edit_parts(mut parts: Parts<'_, '_>, edits: &[Edit]) {
    for edit in edits.iter().filter(|edit| edit.place.bytes().is_some()) {
        // The edits of a text count its bytes before any of them, so they are applied together, with the first of them.
        let of_text: Vec<_> = edits.iter().filter(|other| same_text(&other.place, &edit.place)).collect();
        let is_first = of_text.first().is_some_and(|first| *first == edit);
        if let Some(Attribute::Arguments(text)) = attribute(&mut parts, &edit.place).filter(|_| is_first) {
            let ranges = of_text.iter().filter_map(|edit| Some((edit.place.bytes()?, edit.text.as_str())));
            *text = apply(text, ranges).leak();
        }
    }
    // The indices of what is removed are those before.
    for Edit { place, text, .. } in edits.iter().rev() {
        edit_whole(&mut parts, place, text);
    }
}

/// Whether two places are in the text of the same attribute.
fn same_text(one: &Place, other: &Place) -> bool {
    one.bytes().is_some() && other.bytes().is_some() && one.with_bytes(0..0) == other.with_bytes(0..0)
}

/// The attribute with a text that a place is in.
fn attribute<'p, 't>(parts: &'p mut Parts<'_, 't>, place: &Place) -> Option<&'p mut Attribute<'t>> {
    match place {
        Place::Attribute(_) => parts.attributes.first_mut(),
        Place::FieldAttribute(field, index, _) => parts.fields.get_mut(*field)?.attributes.get_mut(*index),
        Place::VariantAttribute(variant, index, _) => parts.variants.get_mut(*variant)?.attributes.get_mut(*index),
        _ => None,
    }
}

fn edit_whole(parts: &mut Parts<'_, '_>, place: &Place, text: &str) {
    let arguments = || {
        let (_, arguments) = text.split_once('(').unwrap_or_default();
        Attribute::Arguments(arguments.strip_suffix(')').unwrap_or_default().to_owned().leak())
    };
    let replace = |attributes: &mut Vec<Attribute<'_>>, index: usize| {
        if text.is_empty() {
            attributes.remove(index);
        } else if let Some(attribute) = attributes.get_mut(index) {
            *attribute = arguments();
        } else {
            attributes.push(arguments());
        }
    };
    match *place {
        Place::Item => parts.attributes.push(arguments()),
        Place::WholeAttribute(index) => replace(parts.attributes, index),
        Place::WholeFieldAttribute(field, index) => replace(&mut parts.fields[field].attributes, index),
        Place::WholeVariantAttribute(variant, index) => replace(&mut parts.variants[variant].attributes, index),
        Place::FieldType(index) => parts.fields[index].ty = text.to_owned().leak(),
        Place::Field(index) if text.is_empty() => drop(parts.fields.remove(index)),
        Place::Field(index) => text.clone_into(&mut parts.fields[index].name),
        Place::Variant(index) => {
            text.clone_into(&mut parts.variants[index].name);
            parts.variants[index].has_fields = false;
        }
        Place::Lifetime(index) => drop(parts.lifetimes.remove(index)),
        Place::Attribute(_) | Place::FieldAttribute(..) | Place::VariantAttribute(..) => {}
    }
}

/// The starts of suggestions that name a text to write.
const NAMING: [&str; 4] = ["write `", "add `", "did you mean `", "remove "];

/// Suggestions without a text: it depends on what only the user knows.
const OPEN: [&str; 3] = ["rename = \"…\"", "add a field", "add variants"];

/// Asserts of each error of an item that its suggestion corrects it, if it names a text to write.
#[track_caller]
pub(crate) fn assert_suggestions_apply<'t, I: Editable<'t>>(item: &I, check: impl Fn(&I) -> Diagnostics) {
    let errors = check(item);
    for (index, error) in errors.iter().enumerate() {
        if error.edits.is_empty() {
            let names = NAMING.iter().any(|start| error.suggestion.starts_with(start));
            let is_open = OPEN.iter().any(|open| error.suggestion.contains(open));
            assert!(!names || is_open, "a suggestion without edits: {error}\n{item:?}");
            continue;
        }
        let edited = item.edited(&error.edits);
        // What is removed has no place, but that of a text.
        let written: Vec<_> =
            error.edits.iter().filter(|edit| !edit.text.is_empty() || edit.place.bytes().is_some()).cloned().collect();
        let places = places_after(&written);
        // Other errors of the same place stay.
        let others = errors.iter().enumerate().filter(|(other, _)| *other != index).map(|(_, other)| other);
        let mut others: Vec<_> =
            others.filter(|other| touch(&other.place, &error.place)).map(|other| other.rule).collect();
        let is_here = |left: &&Diagnostic| places.iter().any(|place| touch(&left.place, place));
        // An option that is missing is underlined where the key is.
        let is_missing = |left: &&Diagnostic| left.suggestion.starts_with("add `");
        for left in check(&edited).iter().filter(is_here).filter(|left| !is_missing(left)) {
            let known = others.iter().position(|rule| *rule == left.rule);
            assert!(known.is_some(), "{error}\n\n{item:?}\n\nbecomes\n\n{edited:?}\n\n{left}");
            known.map(|known| others.remove(known));
        }
    }
    let (repaired, left) = repaired(item, &check, usize::MAX);
    assert!(left.iter().all(|error| error.edits.is_empty()), "{item:?}\n\nends as\n\n{repaired:?}\n\n{left:?}");
}

/// Applies the suggestions of the first `at_once` errors that have edits, until none is left. Returns the item with the
/// errors that are left.
pub(crate) fn repaired<'t, I: Editable<'t>>(
    item: &I,
    check: impl Fn(&I) -> Diagnostics,
    at_once: usize,
) -> (I, Diagnostics) {
    const STEPS: usize = 20;
    let mut item = item.clone();
    for _ in 0..STEPS {
        let errors = check(&item);
        let edits = errors.iter().filter(|error| !error.edits.is_empty()).take(at_once);
        let edits: Vec<_> = edits.flat_map(|error| error.edits.clone()).collect();
        if edits.is_empty() {
            return (item, errors);
        }
        item = item.edited(&edits);
    }
    let errors = check(&item);
    (item, errors)
}

/// The places of what edits have written.
fn places_after(edits: &[Edit]) -> Vec<Place> {
    let place = |edit: &Edit| {
        let Some(bytes) = edit.place.bytes() else { return edit.place.clone() };
        let earlier = edits.iter().filter_map(|other| {
            let range = other.place.bytes().filter(|range| range.end <= bytes.start && other != edit)?;
            same_text(&other.place, &edit.place).then(|| (range.len(), other.text.len()))
        });
        let (removed, written) = earlier.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        let start = bytes.start + written - removed;
        edit.place.with_bytes(start..start + edit.text.len())
    };
    edits.iter().map(place).collect()
}

/// Whether two places have a part in common.
fn touch(one: &Place, other: &Place) -> bool {
    match (one.bytes(), other.bytes()) {
        (Some(bytes), Some(others)) => same_text(one, other) && bytes.start < others.end && others.start < bytes.end,
        _ => one == other,
    }
}

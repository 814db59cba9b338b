//! What can be said of the struct as a whole.

use std::ops::Range;

use super::assignment::{Assignment, split};
use super::field::Name;
use super::field_type::lifetimes;
use super::{AttributeOf, Presence, Record, RecordItem, RecordShape, habit};
use crate::Rule;
use crate::diagnostic::{Diagnostic, Place};
use crate::limits::MAX_RECORD_FIELDS;
use crate::piece::Piece;
use crate::suggest::nearest;

const CRATE: &str = "crate";
const EXAMPLE: &str = "crate = path::to::redis_keys";

/// The struct has one option: where redis-keys lives.
pub(super) fn check_attributes(item: &RecordItem<'_>, diagnostics: &mut Vec<Diagnostic>) -> Option<Range<usize>> {
    for number in 1..item.attributes.len() {
        let message = "a second `#[redis_hash(…)]` of the struct: one holds all that is said of it";
        let diagnostic = Diagnostic::new(Place::WholeAttribute(number), Rule::Declaration, message);
        diagnostics.push(diagnostic.help("move its options into the first"));
    }
    let of = AttributeOf { field: None, number: 0 };
    let mut given = None;
    for assignment in item.attributes.first().map(|first| split(first, of, EXAMPLE, diagnostics)).unwrap_or_default() {
        if assignment.name.text != CRATE {
            diagnostics.push(unknown(assignment));
            continue;
        }
        let place = assignment.name.range();
        let value = assignment.value.map(Piece::bare).filter(|value| !value.is_empty());
        let (message, help) = match value {
            Some(value) if given.is_none() => {
                given = Some(value.range());
                continue;
            }
            Some(_) => ("`crate` is given twice", "keep one of them".to_owned()),
            None => ("`crate` has no value", format!("write `{EXAMPLE}`")),
        };
        diagnostics.push(Diagnostic::at(place, Rule::Declaration, message).help(help));
    }
    given
}

fn unknown(assignment: Assignment<'_>) -> Diagnostic {
    let word = assignment.name.text;
    let told =
        |message: String, help: String| Diagnostic::at(assignment.name.range(), Rule::Declaration, message).help(help);
    if let Some((message, help)) = habit::of_the_struct(word) {
        return told(format!("there is no option `{word}`: {message}"), help.to_owned());
    }
    if Name::from_text(word).is_some() {
        return told(format!("`{word}` is said of a field, not of the struct"), "move it to a field".to_owned());
    }
    match nearest(word, [CRATE]) {
        Some(_) => told(format!("there is no option `{word}`: did you mean `crate`?"), "write `crate`".to_owned()),
        None => told(format!("a record has no option `{word}`"), "the only one is `crate`".to_owned()),
    }
}

/// Whether it is a struct with named fields. What else it is, is told.
pub(super) fn check_shape(item: &RecordItem<'_>, diagnostics: &mut Vec<Diagnostic>) -> bool {
    let (message, help) = match item.shape {
        RecordShape::Named if item.fields.iter().any(|field| !field.phantom) => return true,
        RecordShape::Named => {
            ("a record holds something, and this one has no fields", "add a field, say `name: String`")
        }
        RecordShape::Tuple => (
            "the fields of a record have names, and those of a tuple struct have none",
            "give the fields names, as in `{ name: String }`",
        ),
        RecordShape::Unit => {
            ("a record holds something, and this one has no fields", "give it fields, as in `{ name: String }`")
        }
        RecordShape::Enum => {
            ("`RedisHash` is for structs, and this is an enum", "declare a struct whose fields are the record's")
        }
        RecordShape::Union => {
            ("`RedisHash` is for structs, and this is a union", "declare a struct whose fields are the record's")
        }
    };
    diagnostics.push(Diagnostic::new(Place::Item, Rule::Record, message).help(help));
    false
}

pub(super) fn check_fields(item: &RecordItem<'_>, record: &Record, diagnostics: &mut Vec<Diagnostic>) {
    let stored = record.fields.iter().enumerate().filter(|(_, field)| field.presence != Presence::Phantom);
    if let Some((number, _)) = stored.clone().nth(MAX_RECORD_FIELDS) {
        let message =
            format!("a record has at most {MAX_RECORD_FIELDS} fields, since it is read as a whole; this is one more");
        let help =
            "move some of them to another record, or into one field of a struct, `#[redis_hash(value = Json<…>)]`";
        diagnostics.push(Diagnostic::new(Place::Field(number), Rule::Record, message).help(help));
    }
    if !stored.clone().any(|(_, field)| field.presence == Presence::Mandatory) {
        let message =
            "any field of this record may be missing: one that holds nothing can't be told from one that is not there";
        let help = "make one field mandatory: neither an `Option` nor `default`";
        diagnostics.push(Diagnostic::new(Place::Item, Rule::Record, message).help(help));
    }
    // Where a field borrows, that is told of the field.
    let fields = || item.fields.iter().filter(|field| !field.phantom);
    let referred = |lifetime: &str| fields().any(|field| lifetimes(field.ty).any(|found| found == lifetime));
    for (number, lifetime) in item.lifetimes.iter().enumerate().filter(|(_, lifetime)| !referred(lifetime)) {
        let message = "a record owns what it holds, so that it has no lifetimes";
        let help = format!("remove `{lifetime}`");
        diagnostics.push(Diagnostic::new(Place::Lifetime(number), Rule::Record, message).help(help));
    }
}

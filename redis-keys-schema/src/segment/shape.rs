//! What can be a parameter type: an enum, or a struct around one value.

use super::{SegmentItem, attributes};
use crate::Rule;
use crate::check::check_parameter_type;
use crate::diagnostic::{Diagnostic, Place};

/// The one field that a newtype prints, by its number.
pub(super) fn newtype(item: &SegmentItem<'_>, diagnostics: &mut Vec<Diagnostic>) -> Option<usize> {
    let mut fields = item.fields.iter().enumerate().filter(|(_, field)| !field.phantom);
    let Some((first, field)) = fields.next() else {
        let message = "a parameter type prints the value in its one field, and this struct has none";
        let diagnostic = Diagnostic::new(Place::Item, Rule::Parameters, message);
        diagnostics.push(diagnostic.help("give it one, as in `struct UserId(u64);`"));
        return None;
    };
    let others: Vec<_> = fields.map(|(number, _)| number).collect();
    for number in &others {
        let message = "a parameter type prints the value in its one field, and this is one more";
        let help = "remove it, or give the key itself a field for each";
        diagnostics.push(Diagnostic::new(Place::Field(*number), Rule::OneKeyEach, message).help(help));
    }
    for number in 0..item.fields.len() {
        attributes::of_a_field(item, number, diagnostics);
    }
    // Which of several stays is not known yet.
    if others.is_empty() {
        let of_bytes =
            "write the bytes as the type of the key's field, with `#[redis_key(digest)]` or `#[redis_key(base32)]`";
        check_parameter_type(first, field, of_bytes, diagnostics);
    }
    Some(first)
}

pub(super) fn union(diagnostics: &mut Vec<Diagnostic>) {
    let message = "`KeySegment` is for enums and for structs of one field, and this is a union";
    let diagnostic = Diagnostic::new(Place::Item, Rule::Parameters, message);
    diagnostics.push(diagnostic.help("declare a struct, as in `struct UserId(u64);`"));
}

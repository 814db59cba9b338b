//! What the language knows already and this version can't run yet. It is refused, never silently ignored.

use std::ops::Range;

use crate::Rule;
use crate::declaration::Declaration;
use crate::diagnostic::{Diagnostic, Place};
use crate::item::{Attribute, Item};
use crate::piece::Piece;

pub(super) fn check(item: &Item<'_>, declaration: &Declaration, diagnostics: &mut Vec<Diagnostic>) {
    let told: Vec<_> = diagnostics.iter().filter_map(|diagnostic| diagnostic.place.attribute().cloned()).collect();
    let mut missing = Vec::new();
    collect(item, declaration, &mut missing);
    // What is misspelt is put right first.
    let covers = |range: &Range<usize>| told.iter().any(|told| range.start <= told.start && told.end <= range.end);
    diagnostics.extend(missing.into_iter().filter(|missing| !missing.place.attribute().is_some_and(covers)));
}

fn collect(item: &Item<'_>, declaration: &Declaration, diagnostics: &mut Vec<Diagnostic>) {
    check_options(declaration, diagnostics);
    check_field_attributes(item, diagnostics);
}

fn check_options(declaration: &Declaration, diagnostics: &mut Vec<Diagnostic>) {
    let options = &declaration.options;
    let named = [
        ("null_ttl", options.null_ttl.as_ref().map(|given| &given.name)),
        ("ttl_from_end_of", options.ttl_from_end_of.as_ref().map(|given| &given.name)),
        ("copies", options.copies.as_ref().map(|given| &given.name)),
    ];
    for (name, range) in named {
        if let Some(range) = range {
            diagnostics.push(not_yet(range.clone(), &format!("`{name}`"), "remove it for now"));
        }
    }
}

fn check_field_attributes(item: &Item<'_>, diagnostics: &mut Vec<Diagnostic>) {
    for (number, field) in item.fields.iter().enumerate() {
        // Of several the first counts; the others are refused anyhow.
        let [Attribute::Arguments(text)] = field.attributes.as_slice() else { continue };
        let piece = Piece::new(text).trim();
        if matches!(piece.text, "digest" | "base32") {
            let message = format!("`{}` is not in this version of redis-keys yet", piece.text);
            let place = Place::FieldAttribute(number, 0, piece.range());
            diagnostics.push(Diagnostic::new(place, Rule::Available, message).help("remove it for now"));
        }
    }
}

fn not_yet(range: Range<usize>, what: &str, help: &str) -> Diagnostic {
    Diagnostic::at(range, Rule::Available, format!("{what} is not in this version of redis-keys yet")).help(help)
}

//! `#[redis_key(digest)]` and `#[redis_key(base32)]` of fields.

use crate::Rule;
use crate::diagnostic::{Diagnostic, Place};
use crate::item::{Attribute, Field, Item};
use crate::piece::Piece;
use crate::suggest::{list, nearest};
use crate::template::{Encoding, Template};

const NAMES: [&str; 2] = [Encoding::Digest.name(), Encoding::Base32.name()];

/// Reads what the fields say, and tells it to their placeholders.
pub(super) fn check(item: &Item<'_>, template: &mut Template, diagnostics: &mut Vec<Diagnostic>) {
    for (number, field) in item.fields.iter().enumerate() {
        let Some((encoding, place)) = read(number, field, diagnostics) else { continue };
        if field.phantom {
            let message = format!("`{}` is a `PhantomData`, which has no value to print", field.name);
            diagnostics.push(Diagnostic::new(place, Rule::Parameters, message).help("remove the attribute"));
            continue;
        }
        let placeholders = template.placeholders_mut().filter(|placeholder| placeholder.field == Some(number));
        for placeholder in placeholders {
            if placeholder.shards.is_none() {
                placeholder.encoding = Some(encoding);
                continue;
            }
            let message = format!("a shard is made of a number, and `{}` is for text and bytes", encoding.name());
            diagnostics.push(Diagnostic::new(place.clone(), Rule::Parameters, message).help("remove the attribute"));
        }
    }
}

/// What the attributes of a field say, and where.
fn read(number: usize, field: &Field<'_>, diagnostics: &mut Vec<Diagnostic>) -> Option<(Encoding, Place)> {
    let mut given = None;
    for (attribute, text) in field.attributes.iter().enumerate() {
        let pieces = match text {
            Attribute::Arguments(text) => Piece::new(text).split_at_commas(true),
            Attribute::Value(_) | Attribute::Word => Vec::new(),
        };
        let pieces: Vec<_> = pieces.into_iter().map(Piece::trim).filter(|piece| !piece.is_empty()).collect();
        if pieces.is_empty() {
            let place = Place::WholeFieldAttribute(number, attribute);
            let diagnostic = Diagnostic::new(place, Rule::Declaration, "this attribute says nothing of the field");
            diagnostics.push(diagnostic.help("write `redis_key(digest)` or `redis_key(base32)`, or remove it"));
        }
        for piece in pieces {
            let place = Place::FieldAttribute(number, attribute, piece.range());
            let Some(encoding) = Encoding::ALL.into_iter().find(|encoding| encoding.name() == piece.text) else {
                diagnostics.push(unknown(place, piece.text));
                continue;
            };
            if given.is_some() {
                let message = "a parameter has one form in the key";
                diagnostics.push(Diagnostic::new(place, Rule::Declaration, message).help("keep one of them"));
                continue;
            }
            given = Some((encoding, place));
        }
    }
    given
}

fn unknown(place: Place, text: &str) -> Diagnostic {
    let (message, help) = match nearest(text, NAMES) {
        Some(near) => (format!("there is no `{text}`: did you mean `{near}`?"), format!("write `{near}`")),
        None => (format!("a field has no option `{text}`"), format!("the options are {}", list(NAMES, "and"))),
    };
    Diagnostic::new(place, Rule::Declaration, message).help(help)
}

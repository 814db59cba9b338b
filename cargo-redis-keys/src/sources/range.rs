//! The bytes of a file to underline for a diagnostic.

use std::ops::Range;

use redis_keys_schema::Place;
use redis_keys_syntax::{Input, Underline};

/// The bytes of a place in the text of the item's file: those of the tokens, or the part of a string literal.
pub(crate) fn range_of(input: &Input<'_>, place: &Place, text: &str) -> Range<usize> {
    let Underline { tokens, literal } = input.underline(place);
    let mut ranges = tokens.into_iter().map(|token| token.span().byte_range());
    let first = ranges.next().unwrap_or_default();
    let whole = first.start..ranges.last().map_or(first.end, |last| last.end).max(first.start);
    let (Some((rendered, literal)), Some(part)) = (literal, part(place)) else { return whole };
    // The text of a literal is the same in both, with its quotes and its escapes.
    let inside = whole.start + (part.start - literal.start)..whole.start + (part.end - literal.start);
    let is_same = rendered.get(literal).is_some_and(|written| text.get(whole.clone()) == Some(written));
    if is_same && text.get(inside.clone()).is_some() { inside } else { whole }
}

/// The part of an attribute's text.
fn part(place: &Place) -> Option<&Range<usize>> {
    match place {
        Place::Attribute(range) | Place::FieldAttribute(.., range) | Place::VariantAttribute(.., range) => Some(range),
        _ => None,
    }
}

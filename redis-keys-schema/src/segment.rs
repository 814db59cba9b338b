//! Parameter types: enums whose variants are words, and newtypes.

#[cfg(test)]
mod tests;
mod variants;

use std::ops::Range;

use crate::Rule;
use crate::attribute::{Grammar, OF_SEGMENT, Translation, read_crate_path};
use crate::check::check_type;
use crate::diagnostic::{AttributeId, Diagnostics, ReportedError};
use crate::edit::Suggestion;
use crate::item::{Attribute, Field, Shape};
use crate::place::Place;

/// The grammar of `#[redis_key(…)]` on a parameter type.
const GRAMMAR: Grammar = Grammar {
    attribute: "redis_key",
    options: &[("crate", "crate = path::to::redis_keys")],
    inner: &[],
    flags: &[],
    foreign: |word| Translation::find(OF_SEGMENT, word),
};

/// An item that derives `KeySegment`.
#[derive(Clone, Debug)]
pub struct SegmentItem<'t> {
    /// Its shape.
    pub shape: Shape,
    /// Its `redis_key` attributes.
    pub attributes: Vec<Attribute<'t>>,
    /// A struct's fields, in order.
    pub fields: Vec<Field<'t>>,
    /// The variants of an enum, in order.
    pub variants: Vec<Variant<'t>>,
}

/// A variant of an enum.
#[derive(Clone, Debug)]
pub struct Variant<'t> {
    /// Its name without `r#`.
    pub name: String,
    /// Whether it has fields.
    pub has_fields: bool,
    /// Its `redis_key` attributes.
    pub attributes: Vec<Attribute<'t>>,
}

/// A checked parameter type.
#[derive(Clone, Debug)]
pub struct CheckedSegment {
    /// The place of the path to redis-keys, if renamed, in the text of the first attribute.
    pub crate_path: Option<Range<usize>>,
    /// The parameter type, or the proof that an error leaves it without a text.
    pub segment: Result<Segment, ReportedError>,
    /// The errors, in the order of the text. Without any the declaration is complete.
    pub diagnostics: Diagnostics,
}

/// A parameter type's declaration.
#[derive(Clone, Debug)]
pub enum Segment {
    /// A struct that has the text of its field of that index.
    Newtype(usize),
    /// An enum.
    Names(Names),
}

/// An enum's texts.
#[derive(Clone, Debug)]
pub struct Names {
    /// The variants' texts, in order.
    pub variants: Vec<VariantText>,
}

/// The text of a variant in a key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VariantText {
    /// Words of a key. Empty where that is not known.
    pub text: String,
    /// The place of the `rename` that declares it, if it is not the variant's own name.
    pub rename: Option<Place>,
}

impl<'t> SegmentItem<'t> {
    /// The text of the attribute that a place is in.
    fn text_of(&self, place: &Place) -> Option<&'t str> {
        match place {
            Place::Attribute(_) => self.attributes.first()?.text(),
            Place::VariantAttribute(variant, index, _) => self.variants.get(*variant)?.attributes.get(*index)?.text(),
            _ => None,
        }
    }
}

impl Names {
    /// The length of the longest text.
    pub fn longest(&self) -> usize {
        self.variants.iter().map(|variant| variant.text.len()).max().unwrap_or_default()
    }

    /// Whether a text has several words.
    pub fn is_dotted(&self) -> bool {
        self.variants.iter().any(|variant| variant.text.contains('.'))
    }
}

/// Checks an item against the rules of parameter types.
///
/// ```
/// use redis_keys_schema::{Segment, SegmentItem, Shape, Variant, check_segment};
///
/// let variant = |name: &str| Variant { name: name.to_owned(), has_fields: false, attributes: vec![] };
/// let variants = vec![variant("BasicInfo"), variant("Orders")];
/// let item = SegmentItem { shape: Shape::Enum, attributes: vec![], fields: vec![], variants };
///
/// let checked = check_segment(&item);
/// assert!(checked.diagnostics.is_empty());
/// assert!(matches!(checked.segment, Ok(Segment::Names(names)) if names.variants[0].text == "basic.info"));
/// ```
pub fn check_segment(item: &SegmentItem<'_>) -> CheckedSegment {
    let mut diagnostics = Diagnostics::default();
    let crate_path = read_crate_path(&item.attributes, &GRAMMAR, &mut diagnostics);
    let segment = match item.shape {
        Shape::Struct => check_newtype(item, &mut diagnostics).map(Segment::Newtype),
        Shape::Enum => Ok(Segment::Names(Names { variants: variants::read(item, &mut diagnostics) })),
        Shape::Union => {
            let message = "`KeySegment` cannot be derived for a union";
            let help = "declare a struct, as in `struct UserId(u64);`";
            Err(diagnostics.report(Place::Item, Rule::Parameters, message, help))
        }
    };
    diagnostics.resolve_edits(|place| item.text_of(place), &[]);
    diagnostics.sort();
    CheckedSegment { crate_path, segment, diagnostics }
}

/// Checks a newtype, and returns its field's index.
fn check_newtype(item: &SegmentItem<'_>, diagnostics: &mut Diagnostics) -> Result<usize, ReportedError> {
    const FOR_BYTES: &str =
        "write the bytes as the type of the key's field, with `#[redis_key(digest)]` or `#[redis_key(base32)]`";
    let mut fields = item.fields.iter().enumerate().filter(|(_, field)| !field.phantom);
    let Some((first, field)) = fields.next() else {
        let message = "missing field: a parameter type has the text of its one field";
        let help = "add a field, as in `struct UserId(u64);`";
        return Err(diagnostics.report(Place::Item, Rule::Parameters, message, help));
    };
    let others: Vec<_> = fields.map(|(index, _)| index).collect();
    for index in &others {
        let message = "a parameter type cannot have a second field: two of its values would have the same key";
        let help = Suggestion::remove().and(", or add a field for each to the key");
        diagnostics.report(Place::Field(*index), Rule::OneKeyEach, message, help);
    }
    for (index, field) in item.fields.iter().enumerate() {
        for attribute in 0..field.attributes.len() {
            let place = AttributeId::Field(index, attribute).whole();
            let message = "the field of a parameter type cannot have options";
            let help =
                Suggestion::remove().and(", and add `digest` or `base32` to the field of the key that has this type");
            diagnostics.report(place, Rule::Declaration, message, help);
        }
    }
    // Of several fields it is not known which field stays.
    if others.is_empty() {
        check_type(first, field, &FOR_BYTES.into(), diagnostics);
    }
    Ok(first)
}

//! Parameter types: enums of names, and newtypes.

mod assignment;
mod attributes;
mod names;
mod shape;
#[cfg(test)]
mod tests;

use std::ops::Range;

use crate::diagnostic::{Diagnostic, Place};
use crate::item::{Attribute, Field, Shape};

/// An item that derives `KeySegment`.
#[derive(Clone, Debug)]
pub struct SegmentItem<'t> {
    /// What it is.
    pub shape: Shape,
    /// Its `redis_key` attributes.
    pub attributes: Vec<Attribute<'t>>,
    /// The fields of a struct, in order.
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

/// A parameter type and what is wrong with it.
#[derive(Clone, Debug)]
pub struct CheckedSegment {
    /// What it declares, as far as it could be read.
    pub segment: Segment,
    /// Everything that is wrong with it, in the order of the text. If there is nothing, the declaration is whole.
    pub diagnostics: Vec<Diagnostic>,
}

/// What a parameter type declares.
#[derive(Clone, Debug, Default)]
pub struct Segment {
    /// Where redis-keys lives, in the text of the first attribute.
    pub crate_path: Option<Range<usize>>,
    /// The field that a newtype prints, by its number.
    pub field: Option<usize>,
    /// What the variants of an enum print, in order.
    pub names: Vec<Name>,
}

/// What a variant prints.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Name {
    /// The words of the key. Empty where it can't be told.
    pub text: String,
    /// Where it is declared, if it does not follow from the variant's own name.
    pub rename: Option<Place>,
}

impl Segment {
    /// How many bytes the longest name has.
    pub fn longest(&self) -> usize {
        self.names.iter().map(|name| name.text.len()).max().unwrap_or_default()
    }

    /// Whether a name has several words.
    pub fn is_dotted(&self) -> bool {
        self.names.iter().any(|name| name.text.contains('.'))
    }
}

/// Checks an item against the rules of parameter types.
///
/// ```
/// use redis_keys_schema::{SegmentItem, Shape, Variant, check_segment};
///
/// let variant = |name: &str| Variant { name: name.to_owned(), has_fields: false, attributes: vec![] };
/// let variants = vec![variant("BasicInfo"), variant("Orders")];
/// let item = SegmentItem { shape: Shape::Enum, attributes: vec![], fields: vec![], variants };
///
/// let checked = check_segment(&item);
/// assert!(checked.diagnostics.is_empty());
/// assert_eq!(checked.segment.names[0].text, "basic.info");
/// ```
pub fn check_segment(item: &SegmentItem<'_>) -> CheckedSegment {
    let mut diagnostics = Vec::new();
    let crate_path = attributes::of_the_item(item, &mut diagnostics);
    let mut segment = Segment { crate_path, ..Segment::default() };
    match item.shape {
        Shape::Struct => segment.field = shape::newtype(item, &mut diagnostics),
        Shape::Enum => segment.names = names::read(item, &mut diagnostics),
        Shape::Union => shape::union(&mut diagnostics),
    }
    diagnostics.sort_by_key(|diagnostic| diagnostic.place.position());
    diagnostics.dedup();
    CheckedSegment { segment, diagnostics }
}

//! Places in an item: what a diagnostic underlines, and what an edit changes.

use std::ops::Range;

/// The part of the declaration that a diagnostic underlines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// Bytes of the text of the item's attribute.
    Attribute(Range<usize>),
    /// The whole of a `redis_key` attribute of the item, by its index.
    WholeAttribute(usize),
    /// A field, by its index.
    Field(usize),
    /// A field's type, by the field's index.
    FieldType(usize),
    /// Bytes of the text of a field's `redis_key` attribute, field and attribute by their indices.
    FieldAttribute(usize, usize, Range<usize>),
    /// The whole of a field's `redis_key` attribute, field and attribute by their indices.
    WholeFieldAttribute(usize, usize),
    /// A variant's name, by its index.
    Variant(usize),
    /// Bytes of the text of a variant's `redis_key` attribute, variant and attribute by their indices.
    VariantAttribute(usize, usize, Range<usize>),
    /// The whole of a variant's `redis_key` attribute, variant and attribute by their indices.
    WholeVariantAttribute(usize, usize),
    /// A lifetime parameter of the item, by its index.
    Lifetime(usize),
    /// The item as a whole, where nothing smaller is at fault.
    Item,
}

impl Place {
    /// Sorts underlined places in the order of the text: attributes, then fields.
    pub fn position(&self) -> (usize, usize, usize, usize) {
        match self {
            Self::Item => (0, 0, 0, 0),
            Self::Lifetime(index) => (0, 1, *index, 0),
            Self::Attribute(range) => (1, range.start, range.end, 0),
            Self::WholeAttribute(index) => (2, *index, 0, 0),
            Self::WholeFieldAttribute(of, index) | Self::WholeVariantAttribute(of, index) => (3, *of, *index, 0),
            Self::FieldAttribute(of, index, range) | Self::VariantAttribute(of, index, range) => {
                (3, *of, *index, range.start)
            }
            Self::Field(of) | Self::FieldType(of) | Self::Variant(of) => (3, *of, usize::MAX, 0),
        }
    }

    /// The bytes of an attribute's text, if the place is in an attribute.
    pub(crate) fn bytes(&self) -> Option<Range<usize>> {
        match self {
            Self::Attribute(range) | Self::FieldAttribute(.., range) | Self::VariantAttribute(.., range) => {
                Some(range.clone())
            }
            _ => None,
        }
    }

    /// Other bytes of the same attribute.
    pub(crate) fn with_bytes(&self, range: Range<usize>) -> Self {
        match self {
            Self::FieldAttribute(field, index, _) => Self::FieldAttribute(*field, *index, range),
            Self::VariantAttribute(variant, index, _) => Self::VariantAttribute(*variant, *index, range),
            _ => Self::Attribute(range),
        }
    }

    /// The whole attribute of a field or of a variant that the place belongs to.
    pub(crate) fn whole(&self) -> Option<Self> {
        match self {
            Self::FieldAttribute(field, index, _) => Some(Self::WholeFieldAttribute(*field, *index)),
            Self::VariantAttribute(variant, index, _) => Some(Self::WholeVariantAttribute(*variant, *index)),
            _ => None,
        }
    }

    /// Whether two places overlap.
    pub(crate) fn touches(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Attribute(one), Self::Attribute(other)) => one.start < other.end && other.start < one.end,
            _ => self == other,
        }
    }
}

impl From<Range<usize>> for Place {
    fn from(range: Range<usize>) -> Self {
        Self::Attribute(range)
    }
}

//! The names of places: their indexes, and the steps from one to another.

/// The step from a place to one inside it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Step {
    /// The value of an `Option`.
    Some,
    /// The value of a newtype.
    Inner,
    /// An element of a list.
    Item,
    /// A key of a map.
    Key,
    /// A value of a map.
    Value,
    /// An element of a tuple.
    Index(usize),
    /// A field of a struct.
    Field(String),
    /// The content of a variant.
    Variant(String),
}

/// The index of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PlaceId(pub(super) usize);

impl PlaceId {
    /// The whole value.
    pub(super) const ROOT: Self = Self(0);

    /// The number of the place, which no other place has.
    pub(super) fn number(self) -> usize {
        self.0
    }
}

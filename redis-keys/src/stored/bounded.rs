//! Bounds for the readers of binary forms, of which the bytes can claim anything.
//!
//! A reader that follows the bytes wherever they lead can be led into a recursion that no stack holds, into room for elements
//! that are not there, and into counting elements that take no bytes at all. This stands between the value and its reader,
//! and ends each of these with an error.

mod access;
mod reader;
mod visitor;

use std::cell::Cell;

use serde::de;

use super::StoredError;

/// How deep a value may be nested, where each list, map, struct, enum and `Some` counts. Even without optimizations, a
/// thread of Rust's usual size has room for more.
const DEPTH: u16 = 128;

/// How many elements without any bytes are read: units, and structs of them.
const EMPTY_ELEMENTS: usize = 1 << 20;

/// What has been used up so far, for all parts of one value.
pub(super) struct Bounds {
    /// The length of what is read. No list can have more elements than that, unless they are empty.
    bytes: usize,
    elements_left: Cell<usize>,
    crossed: Cell<Option<&'static str>>,
}

/// A part of the reader within its bounds, whichever part it is.
struct Bounded<'b, T> {
    part: T,
    bounds: &'b Bounds,
    depth_left: u16,
}

impl Bounds {
    pub(super) fn new(bytes: &[u8]) -> Self {
        let bytes = bytes.len();
        // A struct in a list is an element, and so is each of its fields.
        let elements = bytes.saturating_mul(16).saturating_add(EMPTY_ELEMENTS);
        Self { bytes, elements_left: Cell::new(elements), crossed: Cell::new(None) }
    }

    /// Reads a value.
    pub(super) fn read<'de, P, D>(&self, reader: D) -> Result<P, D::Error>
    where
        P: de::Deserialize<'de>,
        D: de::Deserializer<'de>,
    {
        P::deserialize(Bounded { part: reader, bounds: self, depth_left: DEPTH })
    }

    /// Which bound was crossed, when reading failed because of one.
    pub(super) fn crossed(&self) -> Option<StoredError> {
        self.crossed.get().map(StoredError::new)
    }

    #[cold]
    fn cross<E: de::Error>(&self, why: &'static str) -> E {
        self.crossed.set(Some(why));
        E::custom(why)
    }

    fn count<E: de::Error>(&self) -> Result<(), E> {
        let left = self.elements_left.get().checked_sub(1);
        left.map(|left| self.elements_left.set(left))
            .ok_or_else(|| self.cross("it has too many empty elements to be read"))
    }

    /// What a list says of its length, as far as it can be true.
    fn size_hint(&self, claimed: Option<usize>) -> Option<usize> {
        claimed.map(|claimed| claimed.min(self.bytes))
    }
}

impl<'b, T> Bounded<'b, T> {
    /// Another part at the same depth.
    fn with<U>(&self, part: U) -> Bounded<'b, U> {
        Bounded { part, bounds: self.bounds, depth_left: self.depth_left }
    }

    /// One level deeper: the part, and what goes around the parts that it meets there.
    fn down<U, E: de::Error>(self, inner: U) -> Result<(T, Bounded<'b, U>), E> {
        let Self { part, bounds, depth_left } = self;
        match depth_left.checked_sub(1) {
            Some(depth_left) => Ok((part, Bounded { part: inner, bounds, depth_left })),
            None => Err(bounds.cross("it is nested too deeply to be read")),
        }
    }
}

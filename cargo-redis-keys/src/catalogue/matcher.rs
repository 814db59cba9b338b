//! Finds the declaration of a key.

use super::Catalogue;

/// Finds the declaration of a key.
#[derive(Clone, Debug)]
pub struct Matcher {}

impl Matcher {
    /// A matcher for the keys of a catalogue, with the namespace before them, if there is one.
    pub fn new(_catalogue: &Catalogue, _namespace: Option<&str>) -> Self {
        Self {}
    }

    /// The number of the declaration in the catalogue that can produce this key.
    pub fn find(&self, _key: &[u8]) -> Option<usize> {
        None
    }
}

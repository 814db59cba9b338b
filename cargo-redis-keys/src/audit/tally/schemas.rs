//! The declarations, as an audit uses them.

use crate::catalogue::{Catalogue, Matcher};

/// The declarations, as an audit uses them.
pub(crate) struct Schemas {
    /// The declarations.
    pub(crate) catalogue: Catalogue,
    matcher: Matcher,
    /// The namespace before all keys.
    pub(crate) namespace: Option<String>,
}

impl Schemas {
    /// The declarations of a catalogue, and the namespace before their keys.
    pub(crate) fn new(catalogue: Catalogue, namespace: Option<&str>) -> Self {
        let matcher = Matcher::new(&catalogue, namespace);
        Self { catalogue, matcher, namespace: namespace.map(str::to_owned) }
    }

    /// The number of the declaration that can produce this key.
    pub(crate) fn find(&self, key: &[u8]) -> Option<usize> {
        self.matcher.find(key)
    }
}

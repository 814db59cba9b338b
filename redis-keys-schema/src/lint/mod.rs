//! What a key is warned of, though no rule is broken.

mod name;

pub use name::{Level, Levels, Lint};

/// What `allow(…)` takes beside the lints: keys that can be the same are an error, which a pair of keys may be an exception to.
pub(crate) const OVERLAP: &str = "overlap";

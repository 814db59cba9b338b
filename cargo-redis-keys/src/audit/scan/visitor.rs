//! Sees the keys in the place of the tallies.

use crate::Failure;
use crate::audit::look::{FirstLook, SecondLook};

/// Sees the keys in the place of the tallies. It can see a key twice.
pub(crate) trait Visitor: Send + Sync {
    /// Whether to ask when the keys were used last.
    fn needs_last_use(&self) -> bool;

    /// Whether the second look at a key is to be taken.
    fn selects(&self, look: &FirstLook<'_>, declaration: Option<usize>) -> bool;

    /// Takes the second look at a key of the node with this address.
    fn visit(
        &self,
        node: &str,
        look: &FirstLook<'_>,
        declaration: Option<usize>,
        second: &SecondLook,
    ) -> Result<(), Failure>;
}

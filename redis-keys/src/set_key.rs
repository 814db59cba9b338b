//! What can be done with keys of type `set`.

use crate::{RedisKey, Scan, set::scan, stored::Stored};

/// What reads of a key give.
pub(crate) type Output<K> = <<K as SetKey>::Value as Stored>::Output;

/// A key whose value is members, each once: `…:set`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a key of type `set`",
    label = "no `set` key",
    note = "its template has to end with `:set`"
)]
pub trait SetKey: RedisKey {
    /// The stored form of the members.
    type Value: Stored;

    /// SSCAN: all members, about 100 at a time. One may be given twice.
    fn sscan(&self) -> Scan<Output<Self>> {
        scan::sscan(self)
    }
}

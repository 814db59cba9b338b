//! What can be done with keys of type `geo`.

use crate::{RedisKey, stored::Stored};

/// A key whose value is places on the globe: `…:geo`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a key of type `geo`",
    label = "no `geo` key",
    note = "its template has to end with `:geo`"
)]
pub trait GeoKey: RedisKey {
    /// The stored form of the members.
    type Value: Stored;
}

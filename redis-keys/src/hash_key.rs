//! What can be done with keys of type `hash`.

use crate::{RedisKey, stored::Stored};

/// A key whose value is open fields: `…:hash`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a key of type `hash`",
    label = "no `hash` key",
    note = "its template has to end with `:hash`, and `field = …` has to say what its fields are called"
)]
pub trait HashKey: RedisKey {
    /// The stored form of the names of the fields.
    type Field: Stored;

    /// The stored form of the values.
    type Value: Stored;
}

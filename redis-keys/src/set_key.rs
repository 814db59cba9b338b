//! What can be done with keys of type `set`.

use crate::{RedisKey, stored::Stored};

/// A key whose value is members, each once: `…:set`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a key of type `set`",
    label = "no `set` key",
    note = "its template has to end with `:set`"
)]
pub trait SetKey: RedisKey {
    /// The stored form of the members.
    type Value: Stored;
}

//! What can be done with keys of type `zset`.

use crate::{RedisKey, stored::Stored};

/// A key whose value is members in the order of their scores: `…:zset`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a key of type `zset`",
    label = "no `zset` key",
    note = "its template has to end with `:zset`"
)]
pub trait ZSetKey: RedisKey {
    /// The stored form of the members.
    type Value: Stored;
}

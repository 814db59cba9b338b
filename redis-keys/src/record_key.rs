//! What can be done with keys of type `hash`.

use crate::{RedisHash, RedisKey};

/// A key whose value is a record: `…:hash`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a key of type `hash`",
    label = "no `hash` key",
    note = "its template has to end with `:hash`, without `field = …`"
)]
pub trait RecordKey: RedisKey {
    /// The record.
    type Value: RedisHash;
}

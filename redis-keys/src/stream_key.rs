//! What can be done with keys of type `stream`.

use crate::{RedisHash, RedisKey};

/// A key whose value is a log of entries: `…:stream`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a key of type `stream`",
    label = "no `stream` key",
    note = "its template has to end with `:stream`"
)]
pub trait StreamKey: RedisKey {
    /// The record that each entry is.
    type Value: RedisHash;
}

//! What can be done with keys of type `bitmap`.

use crate::RedisKey;

/// A key whose value is bits by number: `…:bitmap`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a key of type `bitmap`",
    label = "no `bitmap` key",
    note = "its template has to end with `:bitmap`"
)]
pub trait BitmapKey: RedisKey {}

//! Locks: keys with one owner at a time.

use crate::RedisKey;

/// A lock: `…:string` with `value = Lock`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a lock",
    label = "not a lock",
    note = "a lock is a `string` with `value = Lock`"
)]
pub trait LockKey: RedisKey {}

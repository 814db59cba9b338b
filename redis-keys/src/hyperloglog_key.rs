//! What can be done with keys of type `hyperloglog`.

use crate::{RedisKey, stored::Stored};

/// A key whose value is an estimate of how many different members there were: `…:hyperloglog`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a key of type `hyperloglog`",
    label = "no `hyperloglog` key",
    note = "its template has to end with `:hyperloglog`"
)]
pub trait HyperLogLogKey: RedisKey {
    /// The stored form of the members.
    type Value: Stored;
}

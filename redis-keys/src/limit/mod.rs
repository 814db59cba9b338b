//! Rate limits: keys that count what is allowed in a period.

use crate::RedisKey;

/// A rate limit: `…:string` with `limit`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a rate limit",
    label = "not a rate limit",
    note = "a rate limit is a `string` with `limit`, such as `limit = 100 / 1m`, without `value` and `ttl`"
)]
pub trait LimitKey: RedisKey {}

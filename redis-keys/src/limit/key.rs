//! Rate limits, and taking from them.

use super::Decision;
use super::decision::{Rate, read};
use crate::accessor::accessor;
use crate::command::builder::Build as _;
use crate::error::Cause;
use crate::{Command, RedisKey, lua};

/// A rate limit: `…:string` with `limit(…)`.
///
/// For example, `limit(100 / 1m, burst = 20)` allows 20 at once, and then one every 600 ms. Without `burst`, all 100
/// are allowed at once. [The module](super) explains the algorithm.
///
/// ```
/// # #[cfg(unix)] mod unix {
/// use redis_keys::{limit::Decision, prelude::*};
///
/// #[derive(RedisKey)]
/// #[redis_key(rate:mail:{user_id}:string, limit(100 / 1m, burst = 2))]
/// struct Mails { user_id: u64 }
///
/// # pub fn run() -> Result<(), Box<dyn std::error::Error>> {
/// # let server = redis_keys::testing::Server::start()?;
/// # let mut con = redis_keys::redis::Client::open(server.url())?.get_connection()?;
/// let mails = Mails { user_id: 42 };
/// assert!(mails.take(2).query(&mut con)?.allowed);
///
/// let Decision { allowed, remaining, retry_after, .. } = mails.take(1).query(&mut con)?;
/// assert!(!allowed && remaining == 0);
/// assert!(retry_after.is_some_and(|wait| wait.as_millis() <= 600));
/// # Ok(()) } }
/// # #[cfg(unix)]
/// # unix::run().unwrap();
/// ```
///
/// [`RedisKey::unlink`] resets the limit: a whole burst is allowed again.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a rate limit",
    label = "not a rate limit",
    note = "a rate limit is a `string` with the role `limit`, such as `limit(100 / 1m)`, without `value` and `ttl`"
)]
pub trait LimitKey: RedisKey {
    /// Takes `n` if that many are allowed at once, and otherwise takes none.
    ///
    /// Use `take(1)` for a single request, and a larger number for a request that counts more. `take(0)` takes nothing
    /// and returns how many are [remaining](Decision::remaining). More than `burst` can never be allowed: the result is
    /// an error ([`ErrorKind::Argument`]), and nothing is sent.
    ///
    /// If you check several limits, send several commands, for example in a [`batch`](crate::batch()) for a single
    /// round trip. Each limit decides separately: if one refuses, the others have still taken.
    ///
    /// ```
    /// use redis_keys::{prelude::*, testing};
    ///
    /// #[derive(RedisKey)]
    /// #[redis_key(rate:api:{user_id}:string, limit(100 / 1m, burst = 20))]
    /// struct Calls { user_id: u64 }
    ///
    /// // One takes 600 ms, and a burst 12 s.
    /// let sent = testing::text(Calls { user_id: 42 }.take(1))?;
    /// assert_eq!(sent, ["EVALSHA limit.lua 1 rate:api:42:string 600000 12000000"]);
    /// # Ok::<(), redis_keys::Error>(())
    /// ```
    ///
    /// [`ErrorKind::Argument`]: crate::ErrorKind::Argument
    fn take(&self, n: u64) -> Command<Decision> {
        let rate = const { Rate::of(Self::SCHEMA) };
        if n > rate.burst {
            return self
                .refused(Cause::Argument("more than `burst` is never allowed at once"))
                .named(accessor!("take"));
        }
        let script = self.script(&lua::LIMIT, (rate.time_of(n), rate.time_of(rate.burst)));
        script.reply_one(|replies, sent| read(const { Rate::of(Self::SCHEMA) }, replies, sent)).named(accessor!("take"))
    }
}

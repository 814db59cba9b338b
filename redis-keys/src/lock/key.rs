//! Locks, and the steps of which holding one consists.

use redis::Value;

use super::Token;
use crate::{
    Command, RedisKey, TimeLeft,
    command::{Replies, ReplyError, Sent, Step, builder::Build as _, flag},
    key::expiry,
    lua,
};

/// A key that one caller at a time holds: `…:string` with `value = Lock`.
///
/// **It does not promise that its holder is alone.** A program that is stopped for longer than the `ttl`, and then goes on, still
/// believes for a moment that it holds the lock, while another one holds it. A failover to a replica that has not got the last
/// write yet gives the lock to a second caller too. So what the lock protects refuses a smaller *fence* than the largest that it
/// has seen: see [the module](super#what-a-lock-does-not-promise). Nor is a lock fair, or reentrant.
///
/// In asynchronous code, [`Locks::acquire`](crate::guide::locks) does all that holding a lock needs. The methods here are its steps,
/// for synchronous code and for cases of your own.
///
/// ```
/// # #[cfg(unix)] mod unix {
/// use redis_keys::{lock::{Acquired, Token}, prelude::*};
///
/// #[derive(RedisKey)]
/// #[redis_key(lock:order:{order_id}:string, value = Lock, ttl = 30s)]
/// struct OrderLock { order_id: u64 }
///
/// # fn ship(fence: u64) {}
/// # pub fn run() -> Result<(), Box<dyn std::error::Error>> {
/// # let server = redis_keys::testing::Server::start()?;
/// # let mut con = redis_keys::redis::Client::open(server.url())?.get_connection()?;
/// let (lock, token) = (OrderLock { order_id: 42 }, Token::random());
/// match lock.acquire(&token).query(&mut con)? {
///     Acquired::Held { fence } => {
///         ship(fence); // in much less than 30 s, or with calls of `renew` in between
///         lock.release(&token).query(&mut con)?;
///     }
///     Acquired::Busy(left) => println!("another program ships the order, for {left:?} or longer"),
/// }
/// # Ok(()) } }
/// # #[cfg(unix)]
/// # unix::run().unwrap();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a lock",
    label = "not a lock",
    note = "a lock is a `string` with `value = Lock`"
)]
pub trait LockKey: RedisKey {
    /// Acquires the lock for the time of `ttl`, unless another caller holds it.
    ///
    /// With the token of the caller that holds it, the result is [`Acquired::Held`] again, with the same fence, and the expiry
    /// starts again: a call whose reply was lost can be repeated.
    ///
    /// ```
    /// use redis_keys::{lock::Token, prelude::*, testing};
    ///
    /// #[derive(RedisKey)]
    /// #[redis_key(lock:order:{order_id}:string, value = Lock, ttl = 30s)]
    /// struct OrderLock { order_id: u64 }
    ///
    /// assert_eq!(
    ///     testing::text(OrderLock { order_id: 42 }.acquire(&Token::from([0xab; 16])))?,
    ///     ["EVALSHA lock.lua 1 lock:order:42:string abababababababababababababababab 30000"],
    /// );
    /// # Ok::<(), redis_keys::Error>(())
    /// ```
    fn acquire(&self, token: &Token) -> Command<Acquired> {
        match expiry::draw(self) {
            Ok(ms) => self.script(&lua::LOCK, (&token.to_hex()[..], ms)).reply_one(read_acquired),
            Err(error) => Command::refused(error),
        }
    }

    /// Restarts the expiry, and returns whether the caller still holds the lock.
    fn renew(&self, token: &Token) -> Command<bool> {
        match expiry::draw(self) {
            Ok(ms) => self.script(&lua::LOCK_RENEW, (&token.to_hex()[..], ms)).reply(flag),
            Err(error) => Command::refused(error),
        }
    }

    /// Releases the lock, and returns whether the caller still held it.
    ///
    /// The key stays for the time that is left, so that the next fence is larger. [`unlink`](RedisKey::unlink) takes the lock away
    /// from whoever holds it, and forgets the fence.
    fn release(&self, token: &Token) -> Command<bool> {
        self.script(&lua::UNLOCK, &token.to_hex()[..]).reply(flag)
    }

    /// Returns whether anyone holds the lock (`GETRANGE`): for dashboards, not to decide anything by it.
    ///
    /// [`exists`](RedisKey::exists) is also true for a lock that was released a moment ago, and
    /// [`expire`](RedisKey::expire) restarts the expiry whoever holds it.
    fn is_held(&self) -> Command<bool> {
        self.native("GETRANGE", (0_u32, 0_u32)).reply(read_is_held)
    }
}

/// What [`LockKey::acquire`] returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Acquired {
    /// The caller holds the lock.
    Held {
        /// A number that is larger than that of every holder before, so that what the lock protects can refuse those.
        fence: u64,
    },
    /// Another caller holds the lock, for this time unless it renews it.
    Busy(TimeLeft),
}

/// Reads the fence as text, or how long another caller has left.
pub(crate) fn read_acquired(replies: Replies, _sent: &Sent<'_>) -> Result<Step<Acquired>, ReplyError> {
    let acquired = match replies.one() {
        Value::Int(left) => Acquired::Busy(TimeLeft::from_pttl(left)),
        Value::BulkString(text) => {
            let fence = str::from_utf8(&text).ok().and_then(|text| text.parse().ok());
            Acquired::Held { fence: fence.ok_or_else(ReplyError::unexpected)? }
        }
        _ => return Err(ReplyError::unexpected()),
    };
    Ok(Step::Done(acquired))
}

/// Reads the first byte: a free lock begins with a space.
fn read_is_held(replies: Replies, _sent: &Sent<'_>) -> Result<Step<bool>, ReplyError> {
    match replies.one() {
        Value::BulkString(first) => Ok(Step::Done(!matches!(&*first, b"" | b" "))),
        _ => Err(ReplyError::unexpected()),
    }
}

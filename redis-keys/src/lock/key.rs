//! Locks, and the steps of holding a lock.

use redis::Value;

use super::Token;
use crate::accessor::accessor;
use crate::command::builder::Build as _;
use crate::command::reply::parsed;
use crate::command::{Decode, DecodeResult, Replies, ReplyContext, ReplyError, Step, TimeLeft, expiry, flag};
use crate::error::Cause;
use crate::lua::{self, Script};
use crate::{Command, RedisKey};

const RELEASED: &str = "the token was released: acquire the lock with a new one";

/// A key that one caller at a time holds: `…:string` with the role `lock`.
///
/// **A lock does not guarantee that its holder is alone.** A program that is stopped for longer than the `ttl` and then
/// continues believes for a moment that it still holds the lock, although another program holds it. A failover to a
/// replica that lacks the last write also gives the lock to a second caller. So the protected resource must refuse
/// every *fence* that is smaller than the largest fence it has seen: see
/// [the module](super#what-a-lock-does-not-promise). A lock is not fair, and not reentrant.
///
/// In asynchronous code, use [`Locks::acquire`](crate::guide::locks), which does everything that holding a lock needs.
/// The methods here are its steps, for synchronous code and for special cases.
///
/// ```
/// # #[cfg(unix)] mod unix {
/// use redis_keys::{lock::{Acquisition, Token}, prelude::*};
///
/// #[derive(RedisKey)]
/// #[redis_key(lock:order:{order_id}:string, lock, ttl = 30s)]
/// struct OrderLock { order_id: u64 }
///
/// # fn ship(fence: u64) {}
/// # pub fn run() -> Result<(), Box<dyn std::error::Error>> {
/// # let server = redis_keys::testing::Server::start()?;
/// # let mut con = redis_keys::redis::Client::open(server.url())?.get_connection()?;
/// let (lock, token) = (OrderLock { order_id: 42 }, Token::random());
/// match lock.acquire(&token).query(&mut con)? {
///     Acquisition::Held { fence } => {
///         ship(fence); // in much less than 30 s, or with calls of `renew` in between
///         lock.release(&token).query(&mut con)?;
///     }
///     Acquisition::Busy(left) => println!("another program ships the order, for {left:?} or longer"),
/// }
/// # Ok(()) } }
/// # #[cfg(unix)]
/// # unix::run().unwrap();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a lock",
    label = "not a lock",
    note = "a lock is a `string` with the role `lock`, such as `lock, ttl = 30s`"
)]
pub trait LockKey: RedisKey {
    /// Acquires the lock for the time of `ttl`, unless another caller holds it.
    ///
    /// If you call it again with the token that holds the lock, the result is [`Acquisition::Held`] with the same
    /// fence, and the expiry restarts. So you can repeat a call whose reply was lost. A token that was
    /// [released](Self::release) is an error of the kind [`Argument`](crate::ErrorKind::Argument): use a new token for
    /// each holder.
    ///
    /// ```
    /// use redis_keys::{lock::Token, prelude::*, testing};
    ///
    /// #[derive(RedisKey)]
    /// #[redis_key(lock:order:{order_id}:string, lock, ttl = 30s)]
    /// struct OrderLock { order_id: u64 }
    ///
    /// assert_eq!(
    ///     testing::text(OrderLock { order_id: 42 }.acquire(&Token::from([0xab; 16])))?,
    ///     ["EVALSHA lock.lua 1 lock:order:42:string abababababababababababababababab 30000"],
    /// );
    /// # Ok::<(), redis_keys::Error>(())
    /// ```
    fn acquire(&self, token: &Token) -> Command<Acquisition> {
        step(self, &lua::LOCK, token, read_acquired).named(accessor!("acquire"))
    }

    /// Restarts the expiry, and returns whether the caller still holds the lock.
    fn renew(&self, token: &Token) -> Command<bool> {
        step(self, &lua::LOCK_RENEW, token, flag).named(accessor!("renew"))
    }

    /// Releases the lock, and returns whether the caller still held it.
    ///
    /// The key stays for the time of `ttl`, so that the next fence is larger. During this time, calls of
    /// [`acquire`](Self::acquire) with this token are refused, as long as the token is among the last 32 released
    /// tokens. So release the lock even if you give up without a reply, because your call may arrive later, when no
    /// caller would release the lock. After 32 further releases within one `ttl`, such a late call acquires the lock if
    /// it is free, until the `ttl` ends.
    ///
    /// [`unlink`](RedisKey::unlink) takes the lock away from its holder, and forgets the fence and these tokens.
    fn release(&self, token: &Token) -> Command<bool> {
        step(self, &lua::UNLOCK, token, flag).named(accessor!("release"))
    }

    /// Returns whether a caller holds the lock (`GETRANGE`).
    ///
    /// Use it for dashboards, not for decisions. [`exists`](RedisKey::exists) is also true for a lock that was released
    /// a moment ago, and [`expire`](RedisKey::expire) restarts any holder's expiry.
    fn is_held(&self) -> Command<bool> {
        self.native("GETRANGE", (0_u32, 0_u32)).reply(read_is_held).named(accessor!("is_held"))
    }
}

/// Calls a script with the token and the expiry.
fn step<K: LockKey, T>(key: &K, script: &'static Script, token: &Token, decode: Decode<T>) -> Command<T> {
    match expiry::draw(key) {
        Ok(ms) => key.script(script, (&token.to_hex()[..], ms)).reply_one(decode),
        Err(error) => Command::refused(error),
    }
}

/// The result of [`LockKey::acquire`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Acquisition {
    /// The caller holds the lock.
    Held {
        /// The fence: a number that is larger than every earlier holder's number.
        ///
        /// The protected resource can use it to refuse earlier holders.
        fence: u64,
    },
    /// Another caller holds the lock, for this time unless it renews the lock.
    Busy(TimeLeft),
}

/// Reads the fence as text, another caller's remaining time, or that the token was released.
pub(crate) fn read_acquired(replies: Replies, _sent: &ReplyContext<'_>) -> DecodeResult<Acquisition> {
    let acquired = match replies.one() {
        Value::Int(-3) => return Err(ReplyError::new(Cause::Argument(RELEASED))),
        Value::Int(left) => Acquisition::Busy(TimeLeft::from_pttl(left)),
        Value::BulkString(text) => Acquisition::Held { fence: parsed(&text)? },
        _ => return Err(ReplyError::unexpected()),
    };
    Ok(Step::Done(acquired))
}

/// Reads the first byte, which is a space if the lock is free.
fn read_is_held(replies: Replies, _sent: &ReplyContext<'_>) -> DecodeResult<bool> {
    match replies.one() {
        Value::BulkString(first) => Ok(Step::Done(!matches!(&*first, b"" | b" "))),
        _ => Err(ReplyError::unexpected()),
    }
}

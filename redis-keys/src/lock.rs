//! Locks: keys with one holder at a time.
//!
//! # What a lock does not promise
//!
//! A lock keeps honest programs from getting in each other's way. However, it cannot by itself ensure that only one
//! program acts:
//!
//! - **A holder that is stopped** (by the scheduler, a debugger, a suspended machine, a blocked thread) for longer than
//!   `ttl` does not hold the lock any more when it goes on, and finds out only when it looks.
//! - **A failover** to a replica that has not received the last write gives the lock to a second holder. A restart of a
//!   server without persistence does the same.
//! - **A server's clock that is set forward** ends the lock early.
//! - **A command that a holder has sent** just before it lost the lock can arrive later than the next holder's
//!   commands.
//!
//! So each holder gets a **fence**: a number that is larger than the fence of every earlier holder. The protected
//! resource stores the largest fence that it has seen and refuses smaller fences, as in `UPDATE … WHERE fence <= $1`. A
//! resource that cannot check a fence must survive that two holders act at the same time, rarely.
//!
//! A lock is not fair: waiters are not queued. It is not reentrant: if you acquire it again while you hold it, your
//! program deadlocks until the timeout.
//!
//! # What a key holds
//!
//! | bytes | meaning | expiry |
//! |---|---|---|
//! | token of 32 hexadecimal digits, space, fence | a caller holds the lock | `ttl`, restarted by each renewal |
//! | space, fence | the lock is free, with the last holder's fence | `ttl`, restarted by each release |
//! | either of these, then up to 32 times a space and a token | these tokens were released, and do not acquire the lock again | the same |
//! | anything else | another program holds it | until it expires or is removed |
//!
//! The fence is the server's time in microseconds, or the last fence plus one if that is larger. A released key stays
//! for the `ttl`, so that fences rise although the key expires, as long as the server's clock is less than a `ttl`
//! behind the last fence. Set-backs of the clock, and failovers to servers whose clocks are late, put it behind, and
//! add up until the clock has passed the last fence. If the key is removed, the fence is forgotten, and the next fence
//! is the server's time. No later version changes these bytes.
//!
//! A release stores its token, unless `Locks` knows that all its calls were answered, because a call that arrives later
//! would acquire the lock for a caller that is gone. Only the last 32 tokens are kept. After 32 further releases that
//! store a token, within one `ttl`, a late call acquires the lock if it is free, and holds it until the `ttl` ends.
//!
//! The last row means that this lock also works with programs that use the usual `SET key value NX PX …` for the same
//! key: each respects the other's lock. However, these programs wait for the end of `ttl` after a release.

#[cfg(feature = "lock")]
mod guard;
#[cfg(feature = "lock")]
mod hold;
#[cfg(feature = "lock")]
mod holder;
mod key;
#[cfg(feature = "lock")]
mod locks;
#[cfg(feature = "lock")]
mod runtime;

#[cfg(feature = "lock")]
#[cfg_attr(docsrs, doc(cfg(feature = "lock")))]
pub use guard::Guard;
pub use key::{Acquisition, LockKey};
#[cfg(feature = "lock")]
#[cfg_attr(docsrs, doc(cfg(feature = "lock")))]
pub use locks::{Acquire, Locks};

pub use crate::token::Token;

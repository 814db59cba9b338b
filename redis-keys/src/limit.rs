//! Rate limits: keys that count calls in a period.
//!
//! A rate limit is a `string` with the role `limit`, such as `limit(100 / 1m, burst = 20)`. It has one accessor,
//! [`LimitKey::take`].
//!
//! The algorithm is GCRA, the generic cell rate algorithm, which is a leaky bucket without a process that leaks. The
//! key holds the time at which a whole burst is allowed again. Each allowed call moves this time later by the period
//! divided by the number, here 600 ms, and never further from now than the time of a burst, here 12 s. So at most
//! `burst` calls are allowed at once, and in each stretch of time the number that fits into it, and `burst` more. A
//! refused call changes nothing.
//!
//! # What a key holds
//!
//! | bytes | meaning |
//! |---|---|
//! | none | a whole burst is allowed |
//! | `1767225600600000` | the time at which a whole burst is allowed again, in microseconds since 1970, by the server's clock |
//! | anything else | nothing: another program has written it |
//!
//! The period divided by the number is rounded up to whole microseconds. For example, `limit(3 / 1s)` allows a call
//! every 333,334 µs, so never more than declared. A limit that would become more than 1% slower does not compile, which
//! concerns some rates above 10,000 a second, such as `30_000 / 1s`. The key expires in the millisecond in which that
//! time has come. No later version changes these bytes.
//!
//! Another program's value is an error ([`ErrorKind::Decode`](crate::ErrorKind::Decode)). It lasts no longer than the
//! time of a burst, because the first call that finds it makes the key expire. [`unlink`](crate::RedisKey::unlink) ends
//! it at once.
//!
//! If the server's clock is set back, or a later version of your program declares a shorter time, the next call
//! shortens the stored time: no caller waits longer than the declared time of a burst.

mod decision;
mod key;
#[cfg(feature = "tower")]
mod layer;
#[cfg(feature = "tower")]
mod local;
#[cfg(test)]
mod tests;

pub use decision::Decision;
pub use key::LimitKey;
#[cfg(feature = "tower")]
#[cfg_attr(docsrs, doc(cfg(feature = "tower")))]
pub use layer::{LimitLayer, LimitService};

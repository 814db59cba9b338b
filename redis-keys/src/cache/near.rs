//! Copies of cached keys in the memory of the process, for keys with `near`.
//!
//! A copy is served if its time is not over and its **era** is alive. An era is a time in which a tracked connection has
//! lost no invalidation: it ends with the connection and with a flush, and is alive while the server has answered
//! something that was sent within two seconds.
//!
//! A call that finds no copy reads over the tracked connection with a **ticket**. Whatever removes the key from the table
//! in the meantime takes the ticket too, so that a value that was overtaken is never kept.
//!
//! | state of a slot | call | reply to the ticket's read | push of the key, own write | flush, connection lost | time over | evicted | call dropped |
//! |---|---|---|---|---|---|---|---|
//! | empty | → reading | | | | | | |
//! | reading | reads too, without a ticket | → copy, or empty without a value or marker | → empty | copy of a dead era, never served | | → empty | → empty |
//! | copy | is served; one call renews it: → copy and reading | | → empty | not served | not served: → copy and reading | → empty | |
//! | copy and reading | is served | → copy | → empty | as both | as both | → empty | → copy |
//!
//! [`shard`] and [`table`] have the slots, [`era`] the eras, [`links`] the connections, [`read`] the calls, and
//! [`writes`] the writes of the process itself.

#![allow(clippy::option_option, reason = "a copy can say that there is no value")]

#[cfg(feature = "cache")]
mod copies;
#[cfg(feature = "cache")]
mod era;
#[cfg(feature = "cache")]
mod links;
#[cfg(feature = "cache")]
mod read;
#[cfg(feature = "cache")]
mod shard;
#[cfg(feature = "cache")]
mod sync;
#[cfg(feature = "cache")]
mod table;
#[cfg(all(test, feature = "cache"))]
mod tests;
mod value;
#[cfg(feature = "cache")]
mod writes;

#[cfg(feature = "cache")]
pub(super) use copies::NearCopies;
#[cfg(feature = "cache")]
pub(super) use read::let_others_run;
#[doc(hidden)]
pub use value::NearValue;
#[cfg(feature = "cache")]
pub(super) use writes::{ForgetOnDrop, forget};

//! What the benchmarks compare: the same work by this library, by hand as it is usually written, and by hand as lean as redis-rs allows.

#![allow(clippy::expect_used, clippy::panic, reason = "nothing can go on when these fail")]

pub mod collections;
mod floor;
mod hand;
mod mock;
mod ours;
pub mod records;
mod script;
pub mod strings;
mod work;

pub use floor::Floor;
pub use hand::Hand;
pub use mock::Mock;
pub use ours::Ours;
pub use work::Work;

/// How one way of writing it does the work. Each gives back what it made, so that nothing is optimised away.
pub trait Way {
    /// The name in tables.
    const NAME: &'static str;

    /// Makes the key alone.
    fn key(id: u64) -> impl Sized;

    /// Makes a whole GET, ready to be sent.
    fn command(id: u64) -> impl Sized;

    /// Makes a GET, sends it, and decodes the answer.
    fn get(id: u64, con: &mut impl redis::ConnectionLike) -> Option<String>;

    /// Makes a SET with an expiry, sends it, and decodes the answer.
    fn set(id: u64, value: &str, con: &mut impl redis::ConnectionLike);
}

/// The life of the keys that are written.
const TTL_MS: u64 = 3_600_000;

/// What is written.
pub const VALUE: &str = "Ada Lovelace";

//! One module for each type of key: its trait, its builders and the commands that they send.

// Replies are read here: arithmetic on them must not overflow, and nothing is indexed by them.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing))]

pub(crate) mod any;
pub mod bitmap;
pub mod bloom;
pub mod channel;
pub mod copies;
pub mod geo;
pub mod hash;
pub mod hyperloglog;
pub mod list;
pub(crate) mod other_accessors;
pub(crate) mod other_names;
pub mod record;
pub mod set;
pub mod stream;
pub mod string;
mod whole;
pub mod zset;

//! The command `cargo redis-keys`: the catalog of a project's Redis keys, checks across its crates, and the audit of
//! a live server.
//!
//! Use the command. The interface of this library follows its needs, and is not covered by semantic versioning.
//!
//! Three folders, each of which uses the folders before it: `declare` reads declarations, `operate` works on servers
//! (the feature `audit`), and `adopt` drafts declarations (the feature `adopt`).

// Later folders use some code of earlier folders that is dead without them.
#![cfg_attr(not(feature = "adopt"), allow(dead_code, unused_imports))]

#[macro_use]
mod stderr;

#[cfg(feature = "adopt")]
mod adopt;
mod cli;
#[cfg(feature = "completions")]
mod completions;
mod date;
mod declare;
mod file;
#[cfg(feature = "audit")]
#[doc(hidden)]
pub mod fuzz;
#[cfg(not(all(feature = "adopt", feature = "audit", feature = "completions", feature = "generate")))]
mod left_out;
#[cfg(feature = "audit")]
mod operate;
mod outcome;
mod password;
mod render;

pub use cli::run;
pub use declare::{catalog, rights};
#[cfg(feature = "audit")]
pub use operate::audit::STOCK;
pub use outcome::Failure;

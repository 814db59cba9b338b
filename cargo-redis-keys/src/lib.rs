//! The command `cargo redis-keys`: the catalog of a project's Redis keys, checks across its crates, and the audit of
//! a live server.
//!
//! Use the command. The interface of this library follows its needs, and is not covered by semantic versioning.

#[macro_use]
mod stderr;

mod adopt;
mod audit;
mod change;
mod check;
mod cli;
mod commands;
mod declarations;
mod explain;
mod file;
mod infer;
mod masking;
mod outcome;
mod password;
mod raw;
mod render;
mod server;
mod stats;

pub use audit::STOCK;
pub use cli::run;
pub use declarations::catalog;
pub use outcome::Failure;

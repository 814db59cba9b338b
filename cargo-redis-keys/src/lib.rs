//! The command `cargo redis-keys`: the catalogue of a project's Redis keys, checks across its crates, and the audit of a live
//! server.
//!
//! Use the command. The interface of this library follows its needs, and is not covered by semantic versioning.

mod audit;
mod built;
pub mod catalogue;
mod change;
mod check;
mod cli;
mod commands;
mod connection;
mod declarations;
mod explain;
mod failure;
mod init;
mod output;
mod selection;
mod sources;

pub use cli::run;
pub use failure::Failure;

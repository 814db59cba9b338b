//! Runs the command.
#![allow(clippy::needless_raw_string_hashes, reason = "snapbox writes them")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test that cannot go on")]

mod audit;
mod catalog;
mod change;
mod check;
mod command;
mod explain;
mod fixture;
mod init;
mod lookup;
mod pages;
mod sources;
mod workspace;

//! Runs the command.
#![allow(clippy::needless_raw_string_hashes, reason = "snapbox writes them")]

mod command;
mod explain;

//! Runs the command.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test cannot continue when these fail")]

mod audit;

//! The policy file of a project: where it is, and what is in it.

mod find;
mod read;

pub use find::{PolicyFile, find};
pub use read::{Document, Stamp, read, stamp};

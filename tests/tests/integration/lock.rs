//! Locks, on real servers.

mod accessors;
mod keys;

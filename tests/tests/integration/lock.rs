//! Locks, on real servers.

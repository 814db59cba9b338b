//! Tallies.

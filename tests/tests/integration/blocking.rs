//! Blocking commands.

mod cluster;
mod delivered;
mod drops;
mod keys;
mod moves;
mod pops;
mod streams;
mod timeouts;
mod waiter;

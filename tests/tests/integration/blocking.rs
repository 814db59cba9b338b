//! Commands that wait.

mod cluster;
mod drops;
mod keys;
mod moves;
mod pops;
mod timeouts;
mod waiter;

//! Queues of jobs, on real servers.

mod dead;
mod expiry;
mod foreign;
mod keys;
mod killed;
mod lease;
mod limits;
mod moves;
mod order;
mod processes;
mod worker;

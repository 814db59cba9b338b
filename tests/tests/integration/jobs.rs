//! Queues of jobs, on real servers.

mod dead;
mod expiry;
mod foreign;
mod keys;
mod lease;
mod limits;
mod order;
mod worker;

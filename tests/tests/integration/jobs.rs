//! Queues of jobs, on real servers.

mod worker;

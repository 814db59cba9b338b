//! Queues of jobs, on real servers.

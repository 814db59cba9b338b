//! Queues of jobs, each of which is done at least once.
//!
//! # What a queue promises
//!
//! A job is done **at least once**, not exactly once: what a worker does with a job must bear being done twice, for
//! example since it writes under the id of the job. A job is lost only with its key: when it expires, where `ttl`
//! counts from the last job that was pushed, taken or put off; when it is deleted; when a server without memory evicts
//! it, which the policy `noeviction` prevents; and in a failover before its last writes were replicated.
//!
//! | a program is killed | then |
//! |---|---|
//! | while it pushes a job | the job is in the queue, or it is not: pushing it again can make two |
//! | between `take` and the end of the work | the job is taken again after `lease` |
//! | after the work, before `ack` | the job is done twice |
//! | after `ack` was sent | the job is done, or it is done twice |
//! | `tries` times with the same job | the job is dead: it stays in the queue, and no worker takes it |
//!
//! Jobs are taken in the order in which they are due, by the server's clock. Without delays that is the order in which
//! they were pushed, also in one [`atomic`](crate::atomic()) group, whose commands all have the same time. Several
//! workers finish jobs in any order.
//!
//! # What a key holds
//!
//! A sorted set. Each member is the id of the job, 32 hexadecimal digits, and its stored form. The id is the time of the
//! push in microseconds as 14 digits, the number of the job in its process as 12, and 6 that differ between processes.
//! The member of a job that was revived begins with `r`, how often that was, and `:`, such as `r2:`.
//! The score is 64 times the millisecond at which the job is due, plus how often it has been taken, plus a half if it
//! was put off by `retry` since; for a dead job, 2^52 more. No later version changes that.

mod decode;
mod job;
mod key;
mod push;
#[cfg(test)]
mod tests;
#[cfg(feature = "jobs")]
mod worker;

pub use job::{Counts, Job, JobId, Receipt, RetryOutcome, TakenJob, TakenJobs};
pub use key::{Input, JobKey, Output};
pub use push::Push;
#[cfg(feature = "jobs")]
#[cfg_attr(docsrs, doc(cfg(feature = "jobs")))]
pub use worker::{IntoOutcome, Outcome, Pusher, Run, Stats, Worker};

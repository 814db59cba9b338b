//! Queues of jobs, each of which is done at least once.
//!
//! # What a queue promises
//!
//! A job is done **at least once**, not exactly once. Your handler must therefore bear running twice for a job, for
//! example because it writes under the job's id. A job is lost only with its key: when the key expires, where `ttl`
//! counts from the last job that was pushed, taken or put off; when it is deleted; when a server without memory evicts
//! it, which the policy `noeviction` prevents; and in a failover before the key's last writes were replicated.
//!
//! | a program is killed | then |
//! |---|---|
//! | while it pushes a job | the job is in the queue, or it is not: if you push it again, there can be two |
//! | between `take` and the end of the work | the job is taken again after `lease` |
//! | after the work, before `ack` | the job is done twice |
//! | after `ack` was sent | the job is done, or it is done twice |
//! | `tries` times with the same job | the job is dead: it stays in the queue, and no worker takes it |
//!
//! Jobs are taken in the order in which they are due, by the server's clock. Without delays, this is the order in which
//! they were pushed, even in one [`atomic`](crate::atomic()) group, whose commands all have the same time. Several
//! workers finish jobs in any order.
//!
//! # What a key holds
//!
//! A sorted set. Each member is the job's id, 32 hexadecimal digits, and its stored form. The id is the time of the
//! push in microseconds as 14 digits, the number of the job in its process as 12, and 6 digits that differ between
//! processes. The member of a revived job begins with `r`, the number of its revivals, and `:`, such as `r2:`. The
//! score is 64 times the millisecond at which the job is due, plus the number of times that it was taken, plus a half
//! if it was put off by `retry` since; for a dead job, 2^52 more. No later version changes this.

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

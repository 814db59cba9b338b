//! Queues of jobs, each of which is done at least once.

use crate::{RedisKey, stored::Stored};

/// A queue of jobs: `…:zset` with `value = Job<F>`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a queue of jobs",
    label = "not a queue of jobs",
    note = "a queue of jobs is a `zset` with `value = Job<…>`, such as `value = Job<Json<Mail>>`"
)]
pub trait JobKey: RedisKey {
    /// The stored form of a job.
    type Value: Stored;
}

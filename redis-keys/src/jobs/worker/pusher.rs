//! Pushing jobs to the worker of the same process.

use std::{fmt, sync::Arc, time::Duration};

use super::Shared;
use crate::{
    Error, SharedConnection,
    jobs::{Input, JobId, JobKey, Push},
};

/// Pushes jobs to the queue of a [`Worker`](super::Worker), and wakes that worker: see [`Worker::pusher`](super::Worker::pusher).
///
/// The connection is that of the worker.
pub struct Pusher<C, K> {
    con: C,
    shared: Arc<Shared<K>>,
}

impl<C, K> Pusher<C, K>
where
    C: SharedConnection,
    K: JobKey,
{
    pub(super) fn new(con: C, shared: Arc<Shared<K>>) -> Self {
        Self { con, shared }
    }

    /// Pushes a job, which starts at once if the worker has room for it, and returns its id.
    ///
    /// # Errors
    ///
    /// As [`JobKey::push`].
    pub async fn push(&self, job: &Input<K>) -> Result<JobId, Error> {
        self.run(self.shared.key.push(job)).await
    }

    /// Pushes a job that is due after a delay, and returns its id.
    ///
    /// # Errors
    ///
    /// As [`Push::delay`].
    pub async fn push_after(&self, job: &Input<K>, delay: Duration) -> Result<JobId, Error> {
        self.run(self.shared.key.push(job).delay(delay)).await
    }

    async fn run(&self, push: Push<JobId>) -> Result<JobId, Error> {
        let id = push.query_async(&mut self.con.clone()).await?;
        self.shared.pushed.notify_one();
        Ok(id)
    }
}

impl<C: Clone, K> Clone for Pusher<C, K> {
    fn clone(&self) -> Self {
        Self { con: self.con.clone(), shared: Arc::clone(&self.shared) }
    }
}

impl<C, K> fmt::Debug for Pusher<C, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pusher").finish_non_exhaustive()
    }
}

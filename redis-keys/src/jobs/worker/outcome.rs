//! What becomes of a job that has run.

use std::time::Duration;

/// What a [handler](super::Worker::run) returns if a `Result<(), E>` does not say enough.
///
/// A `Result<Outcome, E>` is possible too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// The job is done, and removed.
    Done,
    /// The job is tried again after the [back-off](super::Worker::backoff), as after an error.
    Retry,
    /// The job is tried again after this time, which counts as a try. It is never longer than `ttl` less the time of all tries.
    RetryIn(Duration),
    /// The job is dead: it cannot be done, however often it is tried.
    Bury,
}

/// What handlers of jobs return: a `Result<(), E>` with any error, or an [`Outcome`].
#[diagnostic::on_unimplemented(
    message = "expected a handler that returns `Result<(), E>` or `Outcome`, found one that returns `{Self}`",
    label = "the handler returns `{Self}`",
    note = "a handler returns `Ok(())` if the job is done, and `Err(_)` if it is to be tried again",
    note = "or it returns `Outcome::Done`, `Outcome::Retry`, `Outcome::RetryIn(time)` or `Outcome::Bury`"
)]
pub trait IntoOutcome {
    /// Returns what becomes of the job.
    fn into_outcome(self) -> Outcome;
}

impl IntoOutcome for Outcome {
    fn into_outcome(self) -> Outcome {
        self
    }
}

/// The text of the error is not reported, since it can contain values.
impl<E> IntoOutcome for Result<(), E> {
    fn into_outcome(self) -> Outcome {
        self.map_or(Outcome::Retry, |()| Outcome::Done)
    }
}

/// As [`Result<(), E>`](Result), for handlers that use `?`.
impl<E> IntoOutcome for Result<Outcome, E> {
    fn into_outcome(self) -> Outcome {
        self.unwrap_or(Outcome::Retry)
    }
}

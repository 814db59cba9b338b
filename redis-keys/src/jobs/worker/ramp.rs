//! The number of jobs that run at a time while a worker processes a backlog: one at first, doubled each second.
//!
//! A queue fills up while its workers or its server are away. If all workers then ran at full concurrency, they would
//! overload the services that their handlers use.

use std::time::Duration;

use tokio::time::Instant;

/// The time after which the number doubles. It does not depend on the ends of jobs: jobs can wait for each other.
const STEP: Duration = Duration::from_secs(1);

/// The state of a worker since its start, or since the last fault of its connection.
#[derive(Clone, Copy, Debug)]
pub(super) enum Ramp {
    /// No jobs were taken yet. A single job is taken, even if jobs from before the fault still run.
    Probing,
    /// There is a backlog: the number has grown since this time.
    Growing(Instant),
    /// There is no backlog.
    Over,
}

impl Ramp {
    /// Records a successful take, and whether more jobs may be due.
    pub(super) fn taken(&mut self, has_more: bool, now: Instant) {
        *self = match *self {
            _ if !has_more => Self::Over,
            Self::Probing => Self::Growing(now),
            grown => grown,
        };
    }

    /// Returns how many jobs can be taken in addition to the running jobs.
    pub(super) fn room(self, running: usize, concurrency: usize, now: Instant) -> usize {
        let free = concurrency.saturating_sub(running);
        match self {
            Self::Probing => free.min(1),
            Self::Growing(since) => concurrency.min(size(since, now)).saturating_sub(running),
            Self::Over => free,
        }
    }

    /// Returns the next time at which the number grows, unless it has reached the concurrency.
    pub(super) fn next_step(self, concurrency: usize, now: Instant) -> Option<Instant> {
        match self {
            Self::Growing(since) if size(since, now) < concurrency => Some(since + STEP * (steps(since, now) + 1)),
            _ => None,
        }
    }
}

fn size(since: Instant, now: Instant) -> usize {
    1_usize.checked_shl(steps(since, now)).unwrap_or(usize::MAX)
}

fn steps(since: Instant, now: Instant) -> u32 {
    let seconds = now.saturating_duration_since(since).as_secs() / STEP.as_secs();
    u32::try_from(seconds).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(start: Instant, millis: u64) -> Instant {
        start + Duration::from_millis(millis)
    }

    /// The ramp of a worker whose first take has shown a backlog.
    fn growing(start: Instant) -> Ramp {
        let mut ramp = Ramp::Probing;
        ramp.taken(true, start);
        ramp
    }

    #[test]
    fn the_number_doubles_each_second_up_to_the_concurrency() {
        let start = Instant::now();
        let ramp = growing(start);
        let at = |millis| ramp.room(0, 12, after(start, millis));
        let rooms = [0, 999, 1_000, 1_999, 2_000, 3_000, 4_000, 5_000, 3_600_000, u64::from(u32::MAX) * 2_000].map(at);
        assert_eq!(rooms, [1, 1, 2, 2, 4, 8, 12, 12, 12, 12]);
        assert_eq!(ramp.room(0, usize::MAX, after(start, 100_000)), usize::MAX);
    }

    #[test]
    fn jobs_that_run_count() {
        let start = Instant::now();
        let at = |running| growing(start).room(running, 16, after(start, 2_500));
        assert_eq!([0, 3, 4, 5, 16, 20].map(at), [4, 1, 0, 0, 0, 0]);
    }

    #[test]
    fn the_time_counts_from_the_first_take() {
        let start = Instant::now();
        let mut ramp = growing(start);
        ramp.taken(true, after(start, 1_500));
        assert_eq!(ramp.room(0, 16, after(start, 2_000)), 4);
    }

    #[test]
    fn without_a_backlog_there_is_no_limit_but_the_concurrency() {
        let now = Instant::now();
        for mut ramp in [Ramp::Probing, growing(now), Ramp::Over] {
            ramp.taken(false, now);
            assert_eq!((ramp.room(0, 16, now), ramp.room(15, 16, now), ramp.room(17, 16, now)), (16, 1, 0));
            // Jobs that are due at the same later time are no backlog.
            ramp.taken(true, now);
            assert_eq!((ramp.room(0, 16, now), ramp.next_step(16, now)), (16, None));
        }
    }

    /// After a fault, jobs can run for longer than any other job can wait.
    #[test]
    fn one_job_is_taken_beside_those_that_run_already() {
        let now = Instant::now();
        let at = |running| Ramp::Probing.room(running, 16, now);
        assert_eq!([0, 1, 15, 16, 17].map(at), [1, 1, 1, 0, 0]);
        assert_eq!(Ramp::Probing.next_step(16, now), None);
    }

    #[test]
    fn the_next_step_is_when_the_number_grows() {
        let start = Instant::now();
        let ramp = growing(start);
        let next = |millis| ramp.next_step(12, after(start, millis));
        let steps = [0, 999, 1_000, 2_500, 3_999, 4_000].map(next);
        assert_eq!(steps, [1, 1, 2, 3, 4, 0].map(|second| (second > 0).then(|| after(start, second * 1_000))));
        for step in steps.into_iter().flatten() {
            let before = step - Duration::from_nanos(1);
            assert!(ramp.room(0, 12, before) < ramp.room(0, 12, step));
        }
    }
}

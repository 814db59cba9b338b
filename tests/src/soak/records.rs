//! The fate of each command of a task, compared with the stored values.

use redis_keys::prelude::*;
use redis_keys::{Error, SendStatus};

/// The numbers of the rounds whose push was executed.
#[derive(RedisKey)]
#[redis_key(soak:log:{#id}:{epoch}:list, value = u32, ttl = 1h)]
pub(super) struct Log {
    pub(super) id: u32,
    pub(super) epoch: u32,
}

/// The number of rounds that were counted.
#[derive(RedisKey)]
#[redis_key(soak:count:{#id}:{epoch}:string, value = u64, ttl = 1h)]
pub(super) struct Count {
    pub(super) id: u32,
    pub(super) epoch: u32,
}

/// The known fate of a command.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    Done,
    Unknown,
    NotSent,
}

impl Fate {
    pub(super) fn of<T>(result: &Result<T, Error>) -> Self {
        match result {
            Ok(_) => Self::Done,
            Err(error) if error.sent() == SendStatus::No => Self::NotSent,
            Err(_) => Self::Unknown,
        }
    }
}

/// The differences between replies and stored values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Differences {
    pub(super) repeated: u64,
    pub(super) lost: u64,
    pub(super) disordered: u64,
    /// Commands that were executed though they were reported as not sent.
    pub(super) denied: u64,
}

impl Differences {
    /// Compares a list with the fate of the push of each round.
    pub(super) fn of_log(fates: &[Fate], log: &[u32]) -> Self {
        let mut found = Self::default();
        let mut times = vec![0_u64; fates.len()];
        for round in log {
            times[*round as usize] += 1;
        }
        for (times, fate) in times.into_iter().zip(fates) {
            found.repeated += times.saturating_sub(1);
            found.lost += u64::from(times == 0 && *fate == Fate::Done);
            found.denied += u64::from(times > 0 && *fate == Fate::NotSent);
        }
        found.disordered = log.windows(2).filter(|pair| pair[0] > pair[1]).count() as u64;
        found
    }

    /// Compares a counter with the fate of the increment of each round.
    pub(super) fn of_count(fates: &[Fate], count: u64) -> Self {
        let number = |fate| fates.iter().filter(|other| **other == fate).count() as u64;
        let (done, unknown) = (number(Fate::Done), number(Fate::Unknown));
        Self { repeated: count.saturating_sub(done + unknown), lost: done.saturating_sub(count), ..Self::default() }
    }

    pub(super) fn add(&mut self, other: Self) {
        self.repeated += other.repeated;
        self.lost += other.lost;
        self.disordered += other.disordered;
        self.denied += other.denied;
    }
}

#[cfg(test)]
mod tests {
    use super::{Differences, Fate};

    #[test]
    fn each_difference_is_found() {
        use Fate::{Done, NotSent, Unknown};
        let none = Differences::default();
        let fates = [Done, Unknown, NotSent, Done];
        for (log, expected) in [
            (&[0, 3][..], none),
            (&[0, 1, 3], none),
            (&[0, 1, 1, 3], Differences { repeated: 1, ..none }),
            (&[0], Differences { lost: 1, ..none }),
            (&[3, 0], Differences { disordered: 1, ..none }),
            (&[0, 2, 3], Differences { denied: 1, ..none }),
        ] {
            assert_eq!(Differences::of_log(&fates, log), expected, "{log:?}");
        }
        for (count, expected) in
            [(2, none), (3, none), (1, Differences { lost: 1, ..none }), (4, Differences { repeated: 1, ..none })]
        {
            assert_eq!(Differences::of_count(&fates, count), expected, "{count}");
        }
    }
}

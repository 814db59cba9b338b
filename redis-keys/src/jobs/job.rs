//! Jobs, in the form in which workers take them.

use std::time::{Duration, SystemTime};
use std::{fmt, str};

use crate::Error;
use crate::error::Cause;
use crate::schema::{JobOptions, Role, Schema};

/// The maximum number of jobs that a call takes.
pub(super) const MOST_TAKEN: u32 = 100;

/// The length of the id at the start of a pushed member, in bytes.
pub(super) const ID_BYTES: usize = 32;

/// The number of digits in an id that hold the time of the push, in microseconds.
const TIME_DIGITS: usize = 14;

/// The scores of dead jobs are this or more.
pub(super) const DEAD: u64 = 1 << 52;

/// The number of tries that a score can distinguish.
const TRIES: u64 = 64;

/// Identifies a job in its queue: 32 hexadecimal digits.
///
/// The first 14 digits are the [time of the push](Self::pushed_at). The id stays the same however often the job is
/// taken. Use it as a key for work that must be done only once.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JobId {
    digits: [u8; ID_BYTES],
}

impl JobId {
    /// Returns a member's id. A member written by another program has no id, only zeros.
    pub(super) fn of_member(member: &[u8]) -> Self {
        let digits = pushed(member).first_chunk::<ID_BYTES>().filter(|digits| digits.iter().all(u8::is_ascii_hexdigit));
        Self { digits: digits.copied().unwrap_or([b'0'; ID_BYTES]) }
    }

    /// Returns the digits.
    pub fn as_str(&self) -> &str {
        str::from_utf8(&self.digits).unwrap_or_default()
    }

    /// Returns the time of the push, by the server's clock.
    pub fn pushed_at(&self) -> SystemTime {
        let micros = self.as_str().get(..TIME_DIGITS).and_then(|time| u64::from_str_radix(time, 16).ok());
        let since = Duration::from_micros(micros.unwrap_or_default());
        SystemTime::UNIX_EPOCH.checked_add(since).unwrap_or(SystemTime::UNIX_EPOCH)
    }
}

impl fmt::Display for JobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for JobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "JobId({self})")
    }
}

/// Returns a member as it was pushed: without `r`, digits and `:`, which a revived job's member begins with.
pub(super) fn pushed(member: &[u8]) -> &[u8] {
    let revived = || {
        let rest = member.strip_prefix(b"r")?;
        rest.get(rest.iter().position(|byte| !byte.is_ascii_digit())?..)?.strip_prefix(b":")
    };
    revived().unwrap_or(member)
}

/// A job that was taken, or is dead.
#[non_exhaustive]
pub struct Job<T> {
    /// The work to be done.
    pub value: T,
    /// The receipt, which [`ack`](super::JobKey::ack) and similar methods need.
    pub receipt: Receipt,
}

impl<T> Job<T> {
    pub(super) fn new(value: T, receipt: Receipt) -> Self {
        Self { value, receipt }
    }

    /// Returns the job's id.
    pub fn id(&self) -> JobId {
        self.receipt.id()
    }

    /// Returns how often the job has been taken, including this time.
    pub fn tries(&self) -> u8 {
        self.receipt.tries()
    }
}

/// A job whose value is an error if it does not decode.
pub type TakenJob<T> = Job<Result<T, Error>>;

/// Does not show the value.
impl<T> fmt::Debug for Job<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Job").field("id", &self.id()).field("tries", &self.tries()).finish_non_exhaustive()
    }
}

/// The proof that a job was taken.
///
/// [`ack`](super::JobKey::ack), [`retry`](super::JobKey::retry), [`extend`](super::JobKey::extend),
/// [`bury`](super::JobKey::bury) and [`revive`](super::JobKey::revive) need it. They have an effect as long as no other
/// worker has taken the job, and it has not been revived.
#[derive(Clone, PartialEq, Eq)]
pub struct Receipt {
    /// The id and the payload.
    pub(super) member: Vec<u8>,
    pub(super) score: u64,
}

impl Receipt {
    /// Returns the job's id.
    pub fn id(&self) -> JobId {
        JobId::of_member(&self.member)
    }

    /// Returns how often the job has been taken.
    pub fn tries(&self) -> u8 {
        u8::try_from(self.score % TRIES).unwrap_or_default()
    }
}

impl fmt::Debug for Receipt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Receipt").field("id", &self.id()).field("tries", &self.tries()).finish_non_exhaustive()
    }
}

impl AsRef<Self> for Receipt {
    fn as_ref(&self) -> &Self {
        self
    }
}

impl<T> AsRef<Receipt> for Job<T> {
    fn as_ref(&self) -> &Receipt {
        &self.receipt
    }
}

/// The result of [`JobKey::take`](super::JobKey::take).
#[derive(Debug)]
#[non_exhaustive]
pub struct TakenJobs<T> {
    /// The jobs. If a job does not decode, its value is the error.
    ///
    /// Such a job is taken again after `lease`, and dead after `tries`, unless you [bury](super::JobKey::bury) it.
    pub jobs: Vec<TakenJob<T>>,
    /// The time until the next job is due: zero if more may be due now, `None` if no job will be due.
    pub next_due: Option<Duration>,
    /// The number of jobs that died in this call, because they had already been taken `tries` times.
    pub died: u64,
}

impl<T> Default for TakenJobs<T> {
    fn default() -> Self {
        Self { jobs: Vec::new(), next_due: None, died: 0 }
    }
}

/// The result of [`JobKey::counts`](super::JobKey::counts).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counts {
    /// Jobs that can be taken now.
    pub due: u64,
    /// Jobs that are due later: delayed, taken by a worker, or waiting for their next try.
    pub later: u64,
    /// Dead jobs.
    pub dead: u64,
}

/// The result of [`JobKey::retry`](super::JobKey::retry).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum RetryOutcome {
    /// The job is taken again after the given time.
    Later,
    /// That was the last try: the job is dead.
    Dead,
    /// Another worker has taken the job, or it is gone.
    #[default]
    Lost,
}

/// The options of a queue.
pub(crate) fn options(schema: &'static Schema) -> JobOptions {
    let Some(Role::Jobs(options)) = schema.role else {
        // Only the derive implements `JobKey`, with these options.
        return JobOptions::new(Duration::ZERO, 0);
    };
    options
}

/// Returns the milliseconds of a delay. A job must not expire with its queue before its last try, even if no other job
/// is pushed or taken.
pub(super) fn delay_ms(schema: &'static Schema, delay: Duration) -> Result<u64, Cause> {
    let JobOptions { lease, tries, .. } = options(schema);
    let all = delay.saturating_add(lease.saturating_mul(tries.into()));
    if schema.expiry.ttl().is_some_and(|ttl| all > ttl) {
        return Err(Cause::Argument("the delay and all tries exceed the `ttl`"));
    }
    Ok(ms(delay))
}

/// Rounded up: no job may be due too early.
pub(super) fn ms(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos().div_ceil(1_000_000)).unwrap_or(u64::MAX)
}

//! Queues of jobs, and the operations on their jobs.

use std::borrow::Borrow;
use std::time::Duration;

use redis::{Cmd, RedisWrite as _};

use super::job::{DEAD, JobId, MOST_TAKEN, delay_ms, ms, options};
use super::{Counts, Push, Receipt, RetryOutcome, TakenJob, TakenJobs, decode};
use crate::accessor::accessor;
use crate::command::arguments::{Amount, Arguments, Capacity, checked_count, each, value, values, with};
use crate::command::builder::Build as _;
use crate::command::positions::{PositionRange, Positions};
use crate::command::{Decode, flag};
use crate::error::Cause;
use crate::schema::{JobOptions, Schema};
use crate::stored::Stored;
use crate::{Command, RedisKey, lua};

/// The type that taking a job returns: the [`Output`](Stored::Output) of `value`.
pub type Output<K> = <<K as JobKey>::Value as Stored>::Output;

/// The type that pushing a job borrows: the [`Input`](Stored::Input) of `value`.
pub type Input<K> = <<K as JobKey>::Value as Stored>::Input;

/// A queue of jobs: `…:zset` with `jobs`.
///
/// Each job is done [at least once](super#what-a-queue-promises). In asynchronous code, use a
/// [`Worker`](crate::guide::jobs), which takes jobs, runs them and tries them again. The methods here push jobs, and
/// are also the worker's steps, for synchronous code and for special cases: take jobs, do them, and acknowledge them.
///
/// ```
/// # #[cfg(all(unix, feature = "json"))] mod unix {
/// use redis_keys::{prelude::*, redis::Connection};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize, Deserialize)]
/// struct Mail { to: String }
///
/// #[derive(RedisKey)]
/// #[redis_key(queue:mail:{tenant}:zset, value = Json<Mail>, ttl = 7d, jobs(lease = 1m, tries = 5))]
/// struct Mails { tenant: u32 }
///
/// /// Sends the mails that are due.
/// fn send_mails(queue: &Mails, con: &mut Connection) -> Result<(), redis_keys::Error> {
///     for job in queue.take(20).query(con)?.jobs {
///         match &job.value {
///             Ok(mail) if send(mail) => _ = queue.ack(&job).query(con)?,
///             Ok(_) => _ = queue.retry(&job, std::time::Duration::from_secs(60)).query(con)?,
///             Err(_undecodable) => _ = queue.bury(&job).query(con)?,
///         }
///     }
///     Ok(())
/// }
/// # fn send(mail: &Mail) -> bool { !mail.to.is_empty() }
/// # pub fn run() -> Result<(), Box<dyn std::error::Error>> {
/// # let server = redis_keys::testing::Server::start()?;
/// # let mut con = redis_keys::redis::Client::open(server.url())?.get_connection()?;
///
/// let queue = Mails { tenant: 7 };
/// queue.push(&Mail { to: "ada@example.org".to_owned() }).query(&mut con)?;
/// send_mails(&queue, &mut con)?;
/// assert_eq!(queue.counts().query(&mut con)?.later, 0);
/// # Ok(()) } }
/// # #[cfg(all(unix, feature = "json"))]
/// # unix::run().unwrap();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a queue of jobs",
    label = "not a queue of jobs",
    note = "a queue of jobs is a `zset` with the role `jobs`, such as `value = Json<Mail>, ttl = 7d, jobs`"
)]
pub trait JobKey: RedisKey {
    /// The stored form of a job.
    type Value: Stored;

    /// Adds a job, which is due now or after a [delay](Push::delay), and returns its id.
    ///
    /// If the queue already holds `max_len` jobs, including dead jobs, the push is rejected and changes nothing. A push
    /// restarts the queue's expiry.
    ///
    /// ```
    /// use redis_keys::{jobs::JobId, prelude::*};
    /// use std::time::Duration;
    ///
    /// #[derive(RedisKey)]
    /// #[redis_key(queue:thumbnail:{shard}:zset, value = u64, ttl = 1d, jobs)]
    /// struct Thumbnails { shard: u8 }
    ///
    /// # fn example(con: &mut redis_keys::redis::Connection) -> Result<(), redis_keys::Error> {
    /// let id: JobId = Thumbnails { shard: 3 }.push(&42).query(con)?;
    /// let in_a_minute = Thumbnails { shard: 3 }.push(&43).delay(Duration::from_secs(60)).query(con)?;
    /// # Ok(()) }
    /// ```
    #[doc(alias("zadd", "enqueue"))]
    fn push(&self, job: &Input<Self>) -> Push<JobId> {
        Push::new(self, accessor!("push"), value::<Self::Value>(job), decode::id, None)
    }

    /// Adds up to 500 jobs, all or none of them, and returns their ids.
    #[doc(alias("zadd", "enqueue"))]
    fn push_many<I>(&self, jobs: I) -> Push<Vec<JobId>>
    where
        I: IntoIterator,
        I::Item: Borrow<Input<Self>>,
    {
        Push::new(self, accessor!("push_many"), values::<Self::Value, _>(jobs), decode::ids, Some(Vec::new))
    }

    /// Takes up to `count` due jobs, 100 at most, in the order in which they are due.
    ///
    /// No other worker takes these jobs for the time of `lease`. Afterwards other workers can take them, unless you
    /// [acknowledged](Self::ack) them. A job that has already been taken `tries` times becomes dead. Taking a job
    /// restarts the queue's expiry.
    #[doc(alias("dequeue", "reserve"))]
    fn take(&self, count: u32) -> Command<TakenJobs<Output<Self>>> {
        let JobOptions { lease, tries, .. } = options(Self::SCHEMA);
        let arguments = (Self::SCHEMA.expiry, TakeLimit(count), ms(lease), u32::from(tries));
        self.removing::<Self::Value, _>(|key| key.script(&lua::JOB_TAKE, arguments).reply(decode::taken::<Self::Value>))
            .named(accessor!("take"))
    }

    /// Removes a completed job, and returns whether the caller still held it.
    ///
    /// `false` means that `lease` had ended and another worker has taken the job, or that the job is gone. A
    /// [dead](Self::dead) job is removed too.
    #[doc(alias("done", "complete", "delete"))]
    fn ack(&self, job: &impl AsRef<Receipt>) -> Command<bool> {
        let Receipt { member, score } = job.as_ref();
        self.script(&lua::JOB_ACK, (*score, &**member)).reply(decode::one_held).named(accessor!("ack"))
    }

    /// Removes up to 500 completed jobs, and returns for each whether the caller still held it.
    fn ack_many<I>(&self, jobs: I) -> Command<Vec<bool>>
    where
        I: IntoIterator,
        I::Item: AsRef<Receipt>,
    {
        let jobs = each(2, jobs, |cmd, _, job: I::Item| {
            let Receipt { member, score } = job.as_ref();
            cmd.arg(*score).write_arg(member);
            Ok(())
        });
        self.script(&lua::JOB_ACK, jobs).reply(decode::held).named(accessor!("ack_many"))
    }

    /// Schedules a job for another try after a time, or makes it dead if this was its last try.
    ///
    /// The time and all tries together must not exceed `ttl`.
    #[doc(alias("nack", "release", "reschedule"))]
    fn retry(&self, job: &impl AsRef<Receipt>, after: Duration) -> Command<RetryOutcome> {
        match delay_ms(Self::SCHEMA, after) {
            Ok(after) => reschedule(self, job, "retry", after, decode::retried),
            Err(cause) => self.refused(cause),
        }
        .named(accessor!("retry"))
    }

    /// Restarts `lease` for a job that takes longer, and returns whether the caller still holds it.
    ///
    /// This never makes a job due sooner. A job that was given back by [`retry`](Self::retry) is not held any more.
    #[doc(alias("touch", "heartbeat"))]
    fn extend(&self, job: &impl AsRef<Receipt>) -> Command<bool> {
        reschedule(self, job, "extend", ms(options(Self::SCHEMA).lease), flag).named(accessor!("extend"))
    }

    /// Makes a job dead, and returns whether the caller still held it.
    ///
    /// Use it for a job that cannot be done, however often it is tried.
    #[doc(alias("fail"))]
    fn bury(&self, job: &impl AsRef<Receipt>) -> Command<bool> {
        reschedule(self, job, "bury", 0, flag).named(accessor!("bury"))
    }

    /// Returns dead jobs by position, up to 500. The job that died first is at 0.
    ///
    /// [`revive`](Self::revive) makes them available again, and [`ack`](Self::ack) removes them.
    fn dead(&self, positions: impl PositionRange) -> Command<Vec<TakenJob<Output<Self>>>> {
        let positions = Positions::unlimited(positions);
        let limit = with(Capacity::new(3, 20), |cmd, _| {
            let Some((first, _)) = positions.ends() else { return Ok(Amount::Nothing) };
            let count = checked_count(u32::try_from(positions.len()).unwrap_or(u32::MAX))?;
            cmd.arg("LIMIT").arg(first).arg(count);
            Ok(Amount::Some)
        });
        self.native("ZRANGEBYSCORE", (DEAD, "+inf", "WITHSCORES", limit))
            .reply(decode::dead::<Self::Value>)
            .named_read(accessor!("dead"))
    }

    /// Makes a dead job available again, with all its tries, and returns whether it was still dead.
    ///
    /// The job keeps its id. Earlier receipts become invalid.
    fn revive(&self, job: &impl AsRef<Receipt>) -> Command<bool> {
        reschedule(self, job, "revive", 0, flag).named(accessor!("revive"))
    }

    /// Returns how many jobs are due now, due later, and dead.
    #[doc(alias("len", "zcard", "zcount"))]
    fn counts(&self) -> Command<Counts> {
        self.script(&lua::JOB_COUNTS, ()).reply(decode::counts).named(accessor!("counts"))
    }
}

/// Changes the time at which a job is due. The only operation on a dead job is its revival.
fn reschedule<K: JobKey, T: Default>(
    key: &K,
    job: &impl AsRef<Receipt>,
    change: &'static str,
    delay: u64,
    decode: Decode<T>,
) -> Command<T> {
    let Receipt { member, score } = job.as_ref();
    if (*score >= DEAD) != (change == "revive") {
        return Command::ready(T::default());
    }
    let tries = u32::from(options(K::SCHEMA).tries);
    key.script(&lua::JOB_RESCHEDULE, (K::SCHEMA.expiry, *score, &**member, change, delay, tries)).reply(decode)
}

/// The number of jobs to take.
struct TakeLimit(u32);

impl Arguments for TakeLimit {
    fn capacity(&self, _schema: &'static Schema) -> Capacity {
        Capacity::new(1, 3)
    }

    fn push(self, cmd: &mut Cmd, _schema: &'static Schema) -> Result<Amount, Cause> {
        let Self(count) = self;
        if count > MOST_TAKEN {
            return Err(Cause::TooMany { most: MOST_TAKEN.into() });
        }
        cmd.arg(count);
        Ok(if count == 0 { Amount::Nothing } else { Amount::Some })
    }
}

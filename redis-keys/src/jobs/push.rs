//! Additions to a queue.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, SystemTime};

use redis::{Cmd, RedisWrite as _};

use super::job::delay_ms;
use crate::accessor::Accessor;
use crate::command::arguments::{Arguments, MaxLen};
use crate::command::builder::Build as _;
use crate::command::{Decode, key_of, key_of_built};
use crate::error::Cause;
use crate::run::{debug_key, runnable};
use crate::schema::Schema;
use crate::token::Token;
use crate::{Command, Error, RedisKey, clock, lua};

/// The number of words before the payloads: EVALSHA, the SHA-1, the number of keys, the key, the expiry and the cap.
const WORDS: usize = 6;

/// The numbers of jobs start again here: with the positions of 500 jobs they have up to 12 hexadecimal digits.
///
/// A process that pushes a million jobs a second gets there after nine years. Even then, only the order of jobs in one
/// transaction can be wrong.
const NUMBERS: u64 = (1 << 48) - 500;

/// The number of the next job that this process pushes.
static NEXT: AtomicU64 = AtomicU64::new(0);

/// The part of ids that does not come from the server's clock, which stands still in a transaction and can be set back.
struct Numbers {
    /// The number of the first job, in the order in which this process pushes. The other jobs have the next ones.
    first: u64,
    /// Hexadecimal digits that tell processes apart: also forked ones, and those of a machine that was restored twice.
    unique: [u8; 6],
}

impl Numbers {
    /// Takes the numbers of this many jobs.
    fn next(jobs: usize) -> Self {
        let jobs = jobs as u64;
        if let Some(first) = clock::fixed_number(jobs) {
            return Self { first, unique: *b"000000" };
        }
        let first = NEXT.fetch_add(jobs, Relaxed) % NUMBERS;
        Self { first, unique: Token::random().to_hex().first_chunk().copied().unwrap_or_default() }
    }
}

/// An addition of jobs: what [`JobKey::push`](super::JobKey::push) and [`push_many`](super::JobKey::push_many) return.
///
/// Run it with `run`, `query_async` or [`query`](Self::query), or convert it into a [`Command`]. Jobs that one
/// [`atomic`](crate::atomic()) group pushes are taken in the order of the group; those that were converted before, in
/// the order of their conversion.
///
/// ```
/// use redis_keys::{prelude::*, testing};
/// use std::time::Duration;
///
/// #[derive(RedisKey)]
/// #[redis_key(queue:thumbnail:{shard}:zset, value = u64, ttl = 1d, jobs)]
/// struct Thumbnails { shard: u8 }
///
/// let _fixed = testing::fix_jitter(0.0);
/// let push = Thumbnails { shard: 3 }.push(&42).delay(Duration::from_secs(60));
/// assert_eq!(testing::text(push)?, ["EVALSHA job_push.lua 1 queue:thumbnail:3:zset 86400000 5000 42 60000 0 000000"]);
/// # Ok::<(), redis_keys::Error>(())
/// ```
#[must_use = "a job is not pushed until `run` or `query` runs it"]
pub struct Push<R> {
    schema: &'static Schema,
    /// The call up to the payloads, unless there is nothing to push.
    cmd: Result<Option<Cmd>, Error>,
    /// The milliseconds, or why they are rejected.
    delay: Result<u64, Cause>,
    decode: Decode<R>,
    accessor: Accessor,
    /// The result if there is nothing to push.
    nothing: Option<fn() -> R>,
}

impl<R> Push<R> {
    pub(super) fn new<K: RedisKey, A: Arguments>(
        key: &K,
        accessor: Accessor,
        jobs: A,
        decode: Decode<R>,
        nothing: Option<fn() -> R>,
    ) -> Self {
        let arguments = (K::SCHEMA.expiry, MaxLen, jobs);
        let cmd = key.script(&lua::JOB_PUSH, arguments).cmd;
        Self { accessor, schema: K::SCHEMA, cmd, delay: Ok(0), decode, nothing }
    }

    /// Sets how long it takes until the job is due, by the server's clock.
    ///
    /// The delay and all tries, each of which takes `lease`, may together not exceed `ttl`.
    pub fn delay(mut self, delay: Duration) -> Self {
        self.delay = delay_ms(self.schema, delay);
        self
    }

    /// Sets when the job is due. A time in the past is now.
    ///
    /// The delay until then is that of this machine's clock.
    pub fn at(self, time: SystemTime) -> Self {
        self.delay(time.duration_since(clock::now()).unwrap_or_default())
    }
}

runnable!([R] Push<R> => R);

impl<R> From<Push<R>> for Command<R> {
    fn from(push: Push<R>) -> Self {
        let Push { accessor, schema, cmd, delay, decode, nothing } = push;
        match (cmd, delay, nothing) {
            (Ok(Some(mut cmd)), Ok(delay), _) => {
                // Not before: the order in a transaction is that of its commands, whichever was built first.
                let Numbers { first, unique } = Numbers::next(cmd.args_iter().len().saturating_sub(WORDS));
                cmd.arg(delay).arg(first).write_arg(&unique);
                Self::script(schema, &lua::JOB_PUSH, Ok(cmd), decode)
            }
            (Ok(Some(cmd)), Err(cause), _) => Self::refused(Error::refused(schema, key_of(&cmd, 0), cause)),
            (Ok(None), _, Some(nothing)) => Self::ready(nothing()),
            (Ok(None), _, None) => Self::refused(Error::refused(schema, None, Cause::Argument("nothing to push"))),
            (Err(error), ..) => Self::refused(error),
        }
        .named(accessor)
    }
}

debug_key!([R] Push<R>, "Push", |push| key_of_built(&push.cmd));

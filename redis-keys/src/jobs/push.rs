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

/// The number at which job numbers start again. With the positions of 500 jobs they have up to 12 hexadecimal digits.
///
/// A process that pushes a million jobs a second reaches it after nine years. Even then, only the order of jobs in a
/// single transaction can be wrong.
const NUMBERS: u64 = (1 << 48) - 500;

/// The number of the next job that this process pushes.
static NEXT: AtomicU64 = AtomicU64::new(0);

/// The parts of ids that do not come from the server's clock, which stops in a transaction and can be set back.
struct Numbers {
    /// The number of the first job, counted in the order of this process's pushes. The other jobs have the next numbers.
    first: u64,
    /// Hexadecimal digits that distinguish processes, including forks and a machine that was restored twice.
    unique: [u8; 6],
}

impl Numbers {
    /// Takes the numbers for this many jobs.
    fn next(jobs: usize) -> Self {
        let jobs = jobs as u64;
        if let Some(first) = clock::fixed_number(jobs) {
            return Self { first, unique: *b"000000" };
        }
        let first = NEXT.fetch_add(jobs, Relaxed) % NUMBERS;
        Self { first, unique: Token::random().to_hex().first_chunk().copied().unwrap_or_default() }
    }
}

/// An addition of jobs: [`JobKey::push`](super::JobKey::push) or [`push_many`](super::JobKey::push_many).
///
/// Run it with `run`, `query_async` or [`query`](Self::query), or convert it into a [`Command`]. Jobs that an
/// [`atomic`](crate::atomic()) group pushes are taken in the order of the group. Pushes that you have converted before are
/// taken in the order of their conversions.
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
    /// The call up to the payloads; `None` if there is nothing to push.
    cmd: Result<Option<Cmd>, Error>,
    /// The delay in milliseconds, or the reason why it is rejected.
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

    /// Sets the delay until the job is due, by the server's clock.
    ///
    /// The delay and all tries, each of which takes `lease`, must not exceed `ttl` together.
    pub fn delay(mut self, delay: Duration) -> Self {
        self.delay = delay_ms(self.schema, delay);
        self
    }

    /// Sets the time at which the job is due. A time in the past means now.
    ///
    /// The delay until then is computed by this machine's clock.
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
                // Numbered only now: the order in a transaction is the order of its commands, whichever was
                // built first.
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

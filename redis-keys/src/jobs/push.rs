//! Additions to a queue.

use std::time::{Duration, SystemTime};

use redis::Cmd;

use super::job::delay_ms;
use crate::accessor::Accessor;
use crate::command::arguments::{Arguments, MaxLen};
use crate::command::builder::Build as _;
use crate::command::{Decode, key_of, key_of_built};
use crate::error::Cause;
use crate::run::{debug_key, runnable};
use crate::schema::Schema;
use crate::{Command, Error, RedisKey, clock, lua};

/// The largest random number of a push: with the position among 500 jobs it has four hexadecimal digits.
const MOST_RANDOM: u64 = 0xffff - 500;

/// An addition of jobs: what [`JobKey::push`](super::JobKey::push) and [`push_many`](super::JobKey::push_many) return.
///
/// Run it with [`query`](Self::query) or `query_async`, or convert it into a [`Command`].
///
/// ```
/// use redis_keys::{prelude::*, testing};
/// use std::time::Duration;
///
/// #[derive(RedisKey)]
/// #[redis_key(queue:thumbnail:{shard}:zset, value = Job<u64>, ttl = 1d)]
/// struct Thumbnails { shard: u8 }
///
/// let _fixed = testing::fix_jitter(0.0);
/// let push = Thumbnails { shard: 3 }.push(&42).delay(Duration::from_secs(60));
/// assert_eq!(testing::text(push)?, ["EVALSHA job_push.lua 1 queue:thumbnail:3:zset 86400000 5000 0 42 60000"]);
/// # Ok::<(), redis_keys::Error>(())
/// ```
#[must_use = "a job is not pushed until `query` or `query_async` runs it"]
pub struct Push<R> {
    schema: &'static Schema,
    /// The call without the delay, unless there is nothing to push.
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
        let arguments = (K::SCHEMA.expiry, MaxLen, clock::up_to(MOST_RANDOM), jobs);
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
                cmd.arg(delay);
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

//! ZADD and ZINCRBY.

use std::{borrow::Borrow, fmt, marker::PhantomData};

use redis::{Cmd, Value};

use super::{
    addition::{Addition, Flags, push_cap},
    score::push_score,
};
use crate::{
    Command, ZSetKey,
    command::{
        Decode, Fault, Replies, Sent, Step,
        old_builder::{Amount, each, expected, write},
        replies, runnable, value,
    },
    error::Cause,
    lua,
    lua::Script,
    schema::Schema,
    types::zset::{
        Input,
        flags::{Compared, Existing, Free, Marker, Settled},
    },
};

/// A ZADD that is being put together: [`ZSetKey::zadd`], [`ZSetKey::zadd_many`].
///
/// Run it with [`query`](Self::query) or `query_async`, or make it a [`Command`] by `into`. Its last
/// parameter says which [flags](crate::types::zset::flags) it can still be given.
///
/// ```no_run
/// use redis_keys::{prelude::*, redis};
///
/// #[derive(RedisKey)]
/// #[redis_key(game:scores:{game}:zset, value = u64, ttl = 7d, keep_top = 100)]
/// struct Scores { game: u32 }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let mut con = redis::Client::open("redis://127.0.0.1/")?.get_connection()?;
/// // Only where it is better than what player 42 had before.
/// let better: bool = Scores { game: 1 }.zadd(&42, 1234.5).gt().ch().query(&mut con)?;
/// # Ok(()) }
/// ```
#[must_use = "a ZADD does nothing until `query` or `query_async` runs it"]
pub struct ZAdd<R, F = Free> {
    addition: Addition<R>,
    flags: Marker<F>,
}

pub(crate) fn one<K: ZSetKey>(key: &K, member: &Input<K>, score: f64) -> ZAdd<bool> {
    let schema = K::SCHEMA;
    let push = |cmd: &mut Cmd| {
        push_score(cmd, score)?;
        value::push::<K::Value>(cmd, member, schema).map(|()| Amount::Some)
    };
    let room = 24 + value::room::<K::Value>(member, schema);
    ZAdd { addition: Addition::new(key, script_of(schema), (2, room), push, replies::added), flags: PhantomData }
}

pub(crate) fn many<K, I, B>(key: &K, members: I) -> ZAdd<u64>
where
    K: ZSetKey,
    I: IntoIterator<Item = (B, f64)>,
    B: Borrow<Input<K>>,
{
    let schema = K::SCHEMA;
    let members = members.into_iter();
    let room = expected(&members);
    let push = |cmd: &mut Cmd| {
        each(members, |(member, score)| {
            push_score(cmd, score)?;
            value::push::<K::Value>(cmd, member.borrow(), schema)
        })
    };
    let addition = Addition::new(key, script_of(schema), (2 * room, 24 * room), push, replies::size);
    ZAdd { addition, flags: PhantomData }
}

/// The script that refuses what is too much, or the one that drops what is too low.
fn script_of(schema: &Schema) -> &'static Script {
    if schema.keep.is_some() { &lua::ZADD_KEEPING } else { &lua::ZADD_CAPPED }
}

/// ZADD with INCR, which is ZINCRBY.
pub(crate) fn zincr<K: ZSetKey>(key: &K, member: &Input<K>, by: f64) -> Command<f64> {
    let schema = K::SCHEMA;
    let push = |cmd: &mut Cmd| {
        push_cap(cmd, schema, Some("INCR"));
        push_score(cmd, by)?;
        value::push::<K::Value>(cmd, member, schema)
    };
    write(key, script_of(schema), (5, 40 + value::room::<K::Value>(member, schema)), push, new_score as Decode<f64>)
}

/// The new score, or the size that would have been too large, negative.
fn new_score(replies: Replies, _sent: &Sent<'_>) -> Result<Step<f64>, Fault> {
    match replies.one() {
        Value::Int(size) if size < 0 => Err(Fault::new(Cause::CollectionSize { len: size.unsigned_abs() })),
        reply => replies::score(&reply).map(Step::Done),
    }
}

impl<R: Default, F> ZAdd<R, F> {
    fn with<G>(self, set: impl FnOnce(&mut Flags)) -> ZAdd<R, G> {
        ZAdd { addition: self.addition.with(set), flags: PhantomData }
    }

    /// CH: what is told is not only what is new, but also what has got another score.
    pub fn ch(self) -> Self {
        self.with(|flags| flags.changed = true)
    }
}

impl<R: Default> ZAdd<R> {
    /// NX: adds new members only, and changes no score.
    pub fn nx(self) -> ZAdd<R, Settled> {
        self.with(|flags| flags.condition = Some("NX"))
    }

    /// XX: changes scores only, and adds no member.
    pub fn xx(self) -> ZAdd<R, Existing> {
        self.with(|flags| flags.condition = Some("XX"))
    }

    /// GT: changes a score only where the new one is greater. New members are added all the same.
    pub fn gt(self) -> ZAdd<R, Compared> {
        self.with(|flags| flags.comparison = Some("GT"))
    }

    /// LT: changes a score only where the new one is less. New members are added all the same.
    pub fn lt(self) -> ZAdd<R, Compared> {
        self.with(|flags| flags.comparison = Some("LT"))
    }
}

impl<R: Default> ZAdd<R, Existing> {
    /// GT: changes a score only where the new one is greater.
    pub fn gt(self) -> ZAdd<R, Settled> {
        self.with(|flags| flags.comparison = Some("GT"))
    }

    /// LT: changes a score only where the new one is less.
    pub fn lt(self) -> ZAdd<R, Settled> {
        self.with(|flags| flags.comparison = Some("LT"))
    }
}

impl<R: Default> ZAdd<R, Compared> {
    /// XX: adds no member.
    pub fn xx(self) -> ZAdd<R, Settled> {
        self.with(|flags| flags.condition = Some("XX"))
    }
}

runnable!([R: Default, F] ZAdd<R, F> => R);

impl<R: Default, F> From<ZAdd<R, F>> for Command<R> {
    fn from(add: ZAdd<R, F>) -> Self {
        add.addition.into_command()
    }
}

/// Tells the key, and no member.
impl<R: Default, F> fmt::Debug for ZAdd<R, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ZAdd").field("key", &self.addition.key()).finish_non_exhaustive()
    }
}

//! ZRANGE, ZRANGEBYSCORE, their reverses, and ZCOUNT.

use std::ops::{Range, RangeBounds};

use redis::{Cmd, RedisWrite as _};
use redis_keys_core::limits::MAX_MAX_LEN;

use super::score::scores;
use crate::{
    Command, ZSetKey,
    command::{
        Decode, Fault, Replies, Sent, Step, count,
        old_builder::{Amount, positions, read_many},
        replies, value,
    },
    error::Cause,
    stored::Stored,
};

/// Which members come first.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum First {
    Lowest,
    Highest,
}

/// A member and its score.
pub(super) type Scored<V> = (<V as Stored>::Output, f64);

/// What is given of each member.
pub(crate) struct Shape<T> {
    with_scores: bool,
    pub(super) decode: Decode<Vec<T>>,
}

pub(crate) fn members<V: Stored>() -> Shape<V::Output> {
    Shape { with_scores: false, decode: replies::elements::<V> }
}

pub(crate) fn with_scores<V: Stored>() -> Shape<Scored<V>> {
    Shape { with_scores: true, decode: scored::<V> }
}

/// Members with their scores: flat, or as lists of two.
pub(super) fn scored<V: Stored>(replies: Replies, _sent: &Sent<'_>) -> Result<Step<Vec<Scored<V>>>, Fault> {
    let pairs = replies::pairs(replies.one())?.into_iter();
    let found = pairs.map(|(member, score)| Ok((value::read_one::<V>(member)?, replies::score(&score)?)));
    found.collect::<Result<_, _>>().map(Step::Done)
}

pub(crate) fn by_rank<K: ZSetKey, T>(key: &K, first: First, ranks: &Range<u32>, shape: &Shape<T>) -> Command<Vec<T>> {
    let name = if first == First::Lowest { "ZRANGE" } else { "ZREVRANGE" };
    let push = |cmd: &mut Cmd| {
        let Some((start, end)) = positions(ranks)? else { return Ok(Amount::Nothing) };
        cmd.arg(start).arg(end);
        push_shape(cmd, shape);
        Ok(Amount::Some)
    };
    read_many(key, name, (3, 30), push, shape.decode)
}

pub(crate) fn by_score<K: ZSetKey, T>(
    key: &K,
    first: First,
    range: &impl RangeBounds<f64>,
    most: u32,
    shape: &Shape<T>,
) -> Command<Vec<T>> {
    let name = if first == First::Lowest { "ZRANGEBYSCORE" } else { "ZREVRANGEBYSCORE" };
    let push = |cmd: &mut Cmd| {
        if u64::from(most) > MAX_MAX_LEN {
            return Err(Cause::TooMany { most: MAX_MAX_LEN });
        }
        let Some(range) = scores(range)?.filter(|_| most > 0) else { return Ok(Amount::Nothing) };
        match first {
            First::Lowest => range.push(cmd),
            First::Highest => range.push_reversed(cmd),
        }
        push_shape(cmd, shape);
        cmd.write_arg(b"LIMIT");
        cmd.write_arg(b"0");
        cmd.arg(most);
        Ok(Amount::Some)
    };
    read_many(key, name, (6, 80), push, shape.decode)
}

pub(super) fn push_shape<T>(cmd: &mut Cmd, shape: &Shape<T>) {
    if shape.with_scores {
        cmd.write_arg(b"WITHSCORES");
    }
}

pub(crate) fn zcount<K: ZSetKey>(key: &K, range: &impl RangeBounds<f64>) -> Command<u64> {
    let push = |cmd: &mut Cmd| push_scores(cmd, range);
    read_many(key, "ZCOUNT", (2, 50), push, count)
}

/// Adds a range, of which nothing may be left.
pub(super) fn push_scores(cmd: &mut Cmd, range: &impl RangeBounds<f64>) -> Result<Amount, Cause> {
    let Some(range) = scores(range)? else { return Ok(Amount::Nothing) };
    range.push(cmd);
    Ok(Amount::Some)
}

//! Keys of type `zset`.

pub(crate) mod add;
mod score;
#[cfg(all(test, feature = "aio"))]
mod tests;

use std::borrow::Borrow;
use std::ops::RangeBounds;
use std::time::Duration;

pub use add::ZAdd;
use add::{AddCap, zadd_script};
use redis::Value;
use score::{Limit, Score, ScoreRange};

use crate::accessor::accessor;
use crate::command::arguments::{Arguments as _, Count, each, value, values};
use crate::command::blocking::WaitStrategy;
use crate::command::builder::Build as _;
use crate::command::positions::Positions;
use crate::command::{
    Blocking, DecodeResult, PositionRange, Replies, ReplyContext, ReplyError, Step, count, flag, on_key, reply, value,
};
use crate::error::Cause;
use crate::scan::{self, Page, Scan};
use crate::stored::Stored;
use crate::{Command, RedisKey};

/// The type that reads return: the [`Output`](Stored::Output) of `value`.
pub type Output<K> = <<K as ZSetKey>::Value as Stored>::Output;

/// The type that writes borrow: the [`Input`](Stored::Input) of `value`.
pub type Input<K> = <<K as ZSetKey>::Value as Stored>::Input;

/// A key that holds a sorted set, with members in the order of their scores: `…:zset`.
///
/// Scores are `f64`, including the infinities. They are stored exactly, except that newer servers store -0 as 0; NaN is
/// rejected before anything is sent. Members with the same score are ordered by their stored bytes. Ranks count from 0.
///
/// With `max_len`, an addition that would exceed it is rejected and changes nothing; members that are already in the
/// set do not count. With `keep_top`, the members with the lowest scores are removed in the same step, possibly the new
/// member. The expiry starts when the set is created and restarts as `renew` says; removals do not change it.
///
/// ```
/// use redis_keys::{prelude::*, testing};
///
/// #[derive(RedisKey)]
/// #[redis_key(game:scores:{game}:zset, value = u64, ttl = 7d, keep_top = 100)]
/// struct Scores { game: u32 }
///
/// let scores = Scores { game: 1 };
/// let added: Command<bool> = scores.zadd(&42, 1234.5).into();
/// let top_ten: Command<Vec<(u64, f64)>> = scores.zrevrange_withscores(0..10);
/// assert_eq!(testing::text(scores.zrank(&42))?, ["ZRANK game:scores:1:zset 42"]);
/// assert_eq!(
///     testing::text(scores.zrangebyscore(0.5.., 20))?,
///     ["ZRANGEBYSCORE game:scores:1:zset 0.5 +inf LIMIT 0 20"],
/// );
/// # Ok::<(), redis_keys::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a key of type `zset`",
    label = "not a `zset` key",
    note = "the template of a `zset` key ends with `:zset`; the type arguments of a generic key must be parameter types",
    note = "with `jobs` it is a `JobKey`, which has other accessors"
)]
pub trait ZSetKey: RedisKey {
    /// The stored form of the members.
    type Value: Stored;

    /// Adds a member or changes its score with `ZADD`, and returns whether it is new.
    ///
    /// A new member counts even if `keep_top` removes it again.
    #[doc(alias("zadd_options"))]
    fn zadd(&self, member: &Input<Self>, score: f64) -> ZAdd<bool> {
        ZAdd::new(self, accessor!("zadd"), (Score(score), value::<Self::Value>(member)), reply::added)
    }

    /// Adds up to 500 members with their scores with `ZADD` and returns how many are new.
    ///
    /// New members count even if `keep_top` removes them again.
    #[doc(alias("zadd_multiple"))]
    fn zadd_many<I, B>(&self, members: I) -> ZAdd<u64>
    where
        I: IntoIterator<Item = (B, f64)>,
        B: Borrow<Input<Self>>,
    {
        let members = each(2, members, |cmd, schema, (member, score)| {
            Score(score).push(cmd, schema)?;
            value::push::<Self::Value>(cmd, member.borrow(), schema)
        });
        ZAdd::new(self, accessor!("zadd_many"), members, reply::size)
    }

    /// Adds `by` to the score of a member and returns the new score (`ZINCRBY`). A missing member starts at 0.
    ///
    /// It is sent as a `ZADD` with `INCR`. If the result would not be a number, for example infinity minus infinity,
    /// the call is rejected and the score does not change.
    #[doc(alias("zincrby"))]
    fn zincr(&self, member: &Input<Self>, by: f64) -> Command<f64> {
        let arguments = (AddCap { option: Some("INCR") }, Score(by), value::<Self::Value>(member));
        self.write(zadd_script(Self::SCHEMA), arguments).reply(new_score).named(accessor!("zincr"))
    }

    /// Returns the score of a member, `None` if it is not in the set (`ZSCORE`).
    fn zscore(&self, member: &Input<Self>) -> Command<Option<f64>> {
        self.read("ZSCORE", value::<Self::Value>(member)).reply(reply::optional_score).named_read(accessor!("zscore"))
    }

    /// Returns the scores of up to 500 members (`ZMSCORE`).
    #[doc(alias("zscore_multiple"))]
    fn zmscore<I>(&self, members: I) -> Command<Vec<Option<f64>>>
    where
        I: IntoIterator,
        I::Item: Borrow<Input<Self>>,
    {
        self.read("ZMSCORE", values::<Self::Value, _>(members)).reply(optional_scores).named_read(accessor!("zmscore"))
    }

    /// Returns the rank of a member, counted from the lowest score (`ZRANK`).
    fn zrank(&self, member: &Input<Self>) -> Command<Option<u64>> {
        self.read("ZRANK", value::<Self::Value>(member)).reply(reply::place).named_read(accessor!("zrank"))
    }

    /// Returns the rank of a member, counted from the highest score (`ZREVRANK`).
    fn zrevrank(&self, member: &Input<Self>) -> Command<Option<u64>> {
        self.read("ZREVRANK", value::<Self::Value>(member)).reply(reply::place).named_read(accessor!("zrevrank"))
    }

    /// Returns the members at `ranks`, counted from the lowest score, at most 5,000 (`ZRANGE`).
    fn zrange(&self, ranks: impl PositionRange) -> Command<Vec<Output<Self>>> {
        self.read("ZRANGE", Positions::of_elements(ranks))
            .reply(reply::elements::<Self::Value>)
            .named_read(accessor!("zrange"))
    }

    /// Returns the same members as [`zrange`](Self::zrange), with their scores (`ZRANGE WITHSCORES`).
    fn zrange_withscores(&self, ranks: impl PositionRange) -> Command<Vec<(Output<Self>, f64)>> {
        self.read("ZRANGE", (Positions::of_elements(ranks), "WITHSCORES"))
            .reply(scored_members::<Self::Value>)
            .named_read(accessor!("zrange_withscores"))
    }

    /// Returns the members at `ranks`, counted from the highest score, at most 5,000 (`ZREVRANGE`).
    fn zrevrange(&self, ranks: impl PositionRange) -> Command<Vec<Output<Self>>> {
        self.read("ZREVRANGE", Positions::of_elements(ranks))
            .reply(reply::elements::<Self::Value>)
            .named_read(accessor!("zrevrange"))
    }

    /// Returns the same members as [`zrevrange`](Self::zrevrange), with their scores (`ZREVRANGE WITHSCORES`).
    fn zrevrange_withscores(&self, ranks: impl PositionRange) -> Command<Vec<(Output<Self>, f64)>> {
        self.read("ZREVRANGE", (Positions::of_elements(ranks), "WITHSCORES"))
            .reply(scored_members::<Self::Value>)
            .named_read(accessor!("zrevrange_withscores"))
    }

    /// Returns up to `limit` members with scores in a range, lowest score first, 5,000 at most (`ZRANGEBYSCORE`).
    #[doc(alias("zrangebyscore_limit"))]
    fn zrangebyscore(&self, scores: impl RangeBounds<f64>, limit: u32) -> Command<Vec<Output<Self>>> {
        self.read("ZRANGEBYSCORE", (ScoreRange::ascending(scores), Limit(limit)))
            .reply(reply::elements::<Self::Value>)
            .named_read(accessor!("zrangebyscore"))
    }

    /// Returns the same members as [`zrangebyscore`](Self::zrangebyscore), with their scores.
    ///
    /// The command is `ZRANGEBYSCORE WITHSCORES`.
    #[doc(alias("zrangebyscore_limit_withscores"))]
    fn zrangebyscore_withscores(&self, scores: impl RangeBounds<f64>, limit: u32) -> Command<Vec<(Output<Self>, f64)>> {
        self.read("ZRANGEBYSCORE", (ScoreRange::ascending(scores), "WITHSCORES", Limit(limit)))
            .reply(scored_members::<Self::Value>)
            .named_read(accessor!("zrangebyscore_withscores"))
    }

    /// Returns up to `limit` members with scores in a range, highest score first, 5,000 at most (`ZREVRANGEBYSCORE`).
    ///
    /// Write the lower bound of the range first, unlike in the Redis command.
    #[doc(alias("zrevrangebyscore_limit"))]
    fn zrevrangebyscore(&self, scores: impl RangeBounds<f64>, limit: u32) -> Command<Vec<Output<Self>>> {
        self.read("ZREVRANGEBYSCORE", (ScoreRange::descending(scores), Limit(limit)))
            .reply(reply::elements::<Self::Value>)
            .named_read(accessor!("zrevrangebyscore"))
    }

    /// Returns the same members as [`zrevrangebyscore`](Self::zrevrangebyscore), with their scores.
    ///
    /// The command is `ZREVRANGEBYSCORE WITHSCORES`.
    #[doc(alias("zrevrangebyscore_limit_withscores"))]
    fn zrevrangebyscore_withscores(
        &self,
        scores: impl RangeBounds<f64>,
        limit: u32,
    ) -> Command<Vec<(Output<Self>, f64)>> {
        self.read("ZREVRANGEBYSCORE", (ScoreRange::descending(scores), "WITHSCORES", Limit(limit)))
            .reply(scored_members::<Self::Value>)
            .named_read(accessor!("zrevrangebyscore_withscores"))
    }

    /// Returns a random member (`ZRANDMEMBER`).
    fn zrandmember(&self) -> Command<Option<Output<Self>>> {
        self.read("ZRANDMEMBER", ()).reply(reply::element::<Self::Value>).named_read(accessor!("zrandmember"))
    }

    /// Returns up to `count` distinct random members (`ZRANDMEMBER`), 500 at most.
    ///
    /// ```
    /// use redis_keys::{prelude::*, testing};
    ///
    /// #[derive(RedisKey)]
    /// #[redis_key(game:scores:{game}:zset, value = u64, ttl = 1d)]
    /// struct Scores { game: u32 }
    ///
    /// let winners: Command<Vec<u64>> = Scores { game: 1 }.zrandmember_many(3);
    /// assert_eq!(testing::text(winners)?, ["ZRANDMEMBER game:scores:1:zset 3"]);
    /// # Ok::<(), redis_keys::Error>(())
    /// ```
    fn zrandmember_many(&self, count: u32) -> Command<Vec<Output<Self>>> {
        self.read("ZRANDMEMBER", Count(count))
            .reply(reply::elements::<Self::Value>)
            .named_read(accessor!("zrandmember_many"))
    }

    /// Returns members like [`zrandmember_many`](Self::zrandmember_many), with their scores.
    ///
    /// The command is `ZRANDMEMBER WITHSCORES`.
    fn zrandmember_many_withscores(&self, count: u32) -> Command<Vec<(Output<Self>, f64)>> {
        self.read("ZRANDMEMBER", (Count(count), "WITHSCORES"))
            .reply(scored_members::<Self::Value>)
            .named_read(accessor!("zrandmember_many_withscores"))
    }

    /// Removes and returns the member with the lowest score (`ZPOPMIN`). It is gone even if it does not decode.
    fn zpopmin(&self) -> Command<Option<(Output<Self>, f64)>> {
        self.native("ZPOPMIN", ()).reply(first_scored_member::<Self::Value>).named_read(accessor!("zpopmin"))
    }

    /// Removes and returns up to `count` members with the lowest scores (`ZPOPMIN`), 500 at most.
    fn zpopmin_many(&self, count: u32) -> Command<Vec<(Output<Self>, f64)>> {
        self.native("ZPOPMIN", Count(count)).reply(scored_members::<Self::Value>).named_read(accessor!("zpopmin_many"))
    }

    /// Removes and returns the member with the highest score (`ZPOPMAX`). It is gone even if it does not decode.
    fn zpopmax(&self) -> Command<Option<(Output<Self>, f64)>> {
        self.native("ZPOPMAX", ()).reply(first_scored_member::<Self::Value>).named_read(accessor!("zpopmax"))
    }

    /// Removes and returns up to `count` members with the highest scores (`ZPOPMAX`), 500 at most.
    fn zpopmax_many(&self, count: u32) -> Command<Vec<(Output<Self>, f64)>> {
        self.native("ZPOPMAX", Count(count)).reply(scored_members::<Self::Value>).named_read(accessor!("zpopmax_many"))
    }

    /// Removes and returns the member with the lowest score, waiting for a member if the set is empty (`BZPOPMIN`).
    ///
    /// The member is gone even if it does not decode. See [`Blocking`] for the connection that this needs and for
    /// possible losses.
    fn bzpopmin(&self, wait: Duration) -> Blocking<(Output<Self>, f64)> {
        blocking_pop(self, "BZPOPMIN", wait).named(accessor!("bzpopmin"))
    }

    /// Removes and returns the member with the highest score, waiting for a member if the set is empty (`BZPOPMAX`).
    fn bzpopmax(&self, wait: Duration) -> Blocking<(Output<Self>, f64)> {
        blocking_pop(self, "BZPOPMAX", wait).named(accessor!("bzpopmax"))
    }

    /// Returns the number of members (`ZCARD`).
    fn zcard(&self) -> Command<u64> {
        self.read("ZCARD", ()).reply(count).named(accessor!("zcard"))
    }

    /// Returns the number of members with scores in a range (`ZCOUNT`).
    fn zcount(&self, scores: impl RangeBounds<f64>) -> Command<u64> {
        self.read("ZCOUNT", ScoreRange::ascending(scores)).reply(count).named(accessor!("zcount"))
    }

    /// Removes a member with `ZREM` and returns whether it was in the set.
    fn zrem(&self, member: &Input<Self>) -> Command<bool> {
        self.native("ZREM", value::<Self::Value>(member)).reply(flag).named(accessor!("zrem"))
    }

    /// Removes up to 500 members with `ZREM` and returns how many were in the set.
    fn zrem_many<I>(&self, members: I) -> Command<u64>
    where
        I: IntoIterator,
        I::Item: Borrow<Input<Self>>,
    {
        self.native("ZREM", values::<Self::Value, _>(members)).reply(count).named(accessor!("zrem_many"))
    }

    /// Removes the members with scores in a range and returns how many there were (`ZREMRANGEBYSCORE`).
    #[doc(alias("zrembyscore"))]
    fn zremrangebyscore(&self, scores: impl RangeBounds<f64>) -> Command<u64> {
        self.native("ZREMRANGEBYSCORE", ScoreRange::ascending(scores)).reply(count).named(accessor!("zremrangebyscore"))
    }

    /// Removes the members at `ranks` and returns how many there were (`ZREMRANGEBYRANK`).
    ///
    /// Ranks count from the lowest score.
    fn zremrangebyrank(&self, ranks: impl PositionRange) -> Command<u64> {
        self.native("ZREMRANGEBYRANK", Positions::unlimited(ranks)).reply(count).named(accessor!("zremrangebyrank"))
    }

    /// Iterates over all members and their scores with `ZSCAN`, about 100 at a time, in no order.
    ///
    /// A member may be returned twice. `collect` and [`query`](Scan::query) return all members in a `Vec`, each once.
    #[doc(alias("zrange 0 -1"))]
    fn zscan(&self) -> Scan<(Output<Self>, f64)> {
        scan::by_cursor(self, "ZSCAN", page::<Self::Value>).named(accessor!("zscan"))
    }
}

/// A member and its score.
type ScoredMember<V> = (<V as Stored>::Output, f64);

fn scored_member<V: Stored>((member, score): (Value, Value)) -> Result<ScoredMember<V>, ReplyError> {
    Ok((value::read_one::<V>(member)?, reply::score(&score)?))
}

fn scored_members<V: Stored>(replies: Replies, _sent: &ReplyContext<'_>) -> DecodeResult<Vec<ScoredMember<V>>> {
    let pairs = reply::pairs(replies.one())?.into_iter();
    pairs.map(scored_member::<V>).collect::<Result<_, _>>().map(Step::Done)
}

fn first_scored_member<V: Stored>(replies: Replies, _sent: &ReplyContext<'_>) -> DecodeResult<Option<ScoredMember<V>>> {
    let first = reply::pairs(replies.one())?.into_iter().next();
    first.map(scored_member::<V>).transpose().map(Step::Done)
}

fn optional_scores(replies: Replies, sent: &ReplyContext<'_>) -> DecodeResult<Vec<Option<f64>>> {
    let scores = reply::all_asked(replies.one(), sent, 0)?;
    scores.iter().map(reply::score_or_none).collect::<Result<_, _>>().map(Step::Done)
}

/// Reads the new score; a negative number is the size that would have exceeded the cap.
fn new_score(replies: Replies, _sent: &ReplyContext<'_>) -> DecodeResult<f64> {
    match replies.one() {
        Value::Int(size) if size < 0 => Err(ReplyError::new(Cause::CollectionSize { len: size.unsigned_abs() })),
        reply => reply::score(&reply).map(Step::Done),
    }
}

fn page<V: Stored>(replies: Replies, sent: &ReplyContext<'_>) -> DecodeResult<Page<ScoredMember<V>>> {
    scan::page(replies, sent, reply::pairs, scored_member::<V>)
}

/// BZPOPMIN or BZPOPMAX.
fn blocking_pop<K: ZSetKey>(key: &K, name: &str, wait: Duration) -> Blocking<(Output<K>, f64)> {
    let pop = |cmd| WaitStrategy::Pop { schema: K::SCHEMA, cmd, decode: popped::<K::Value> };
    Blocking::new(K::SCHEMA, wait, on_key(key, name, 1, 8).map(pop))
}

/// Reads the key, the member and its score, or nothing.
fn popped<V: Stored>(replies: Replies, _sent: &ReplyContext<'_>) -> DecodeResult<Option<ScoredMember<V>>> {
    let reply = replies.one();
    if reply == Value::Nil {
        return Ok(Step::Done(None));
    }
    let [_key, member, score] = reply::list(reply)?.try_into().map_err(|_| ReplyError::unexpected())?;
    Ok(Step::Done(Some((value::read_one::<V>(member)?, reply::score(&score)?))))
}

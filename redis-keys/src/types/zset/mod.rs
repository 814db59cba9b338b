//! What can be done with keys of type `zset`.

pub(crate) mod add;
pub(crate) mod addition;
pub mod flags;
pub(crate) mod member;
pub(crate) mod pop;
pub(crate) mod random;
pub(crate) mod range;
pub(crate) mod remove;
pub(crate) mod scan;
pub(crate) mod score;
#[cfg(all(test, feature = "aio"))]
mod tests;

pub use add::ZAdd;

use std::{
    borrow::Borrow,
    ops::{Range, RangeBounds},
    time::Duration,
};

use crate::{
    Command, RedisKey, Scan,
    command::blocking::Blocking,
    command::{builder::read, count},
    stored::Stored,
    types::blocking,
    types::zset::range::First,
};

/// What reads of a key give.
pub(crate) type Output<K> = <<K as ZSetKey>::Value as Stored>::Output;

/// What writes of a key take a reference to.
pub(crate) type Input<K> = <<K as ZSetKey>::Value as Stored>::Input;

/// A key whose value is members in the order of their scores: `…:zset`.
///
/// Scores are `f64`, infinite ones too, and are given back as they were, to the last bit, but for -0, which newer servers make
/// 0; what is no number is refused before it is sent. Members of the same score stand in the order of their stored bytes.
/// Ranks count from 0.
///
/// With `max_len` an addition that would make the set larger is refused and changes nothing, and members that are there
/// already do not count. With `keep_top` those of the lowest scores go in the same step, perhaps the new one itself. The key's
/// expiry starts when it is created, and anew as `renew` says; what only removes moves none.
///
/// ```
/// use redis_keys::{prelude::*, testing};
///
/// #[derive(RedisKey)]
/// #[redis_key(game:scores:{game}:zset, value = u64, ttl = 7d, keep_top = 100)]
/// struct Scores { game: u32 }
///
/// let scores = Scores { game: 1 };
/// let new: Command<bool> = scores.zadd(&42, 1234.5).into();
/// let first_ten: Command<Vec<(u64, f64)>> = scores.zrevrange_withscores(0..10);
/// assert_eq!(testing::text(scores.zrank(&42))?, ["ZRANK game:scores:1:zset 42"]);
/// assert_eq!(
///     testing::text(scores.zrangebyscore(0.5.., 20))?,
///     ["ZRANGEBYSCORE game:scores:1:zset 0.5 +inf LIMIT 0 20"],
/// );
/// # Ok::<(), redis_keys::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a key of type `zset`",
    label = "no `zset` key",
    note = "its template has to end with `:zset`"
)]
pub trait ZSetKey: RedisKey {
    /// The stored form of the members.
    type Value: Stored;

    /// ZADD: adds a member, or gives it another score. Tells whether it is new, be it that `keep_top` drops it again.
    fn zadd(&self, member: &Input<Self>, score: f64) -> ZAdd<bool> {
        add::one(self, member, score)
    }

    /// ZADD: adds up to 500 members with their scores. Tells how many are new, those included that `keep_top` drops again.
    fn zadd_many<I, B>(&self, members: I) -> ZAdd<u64>
    where
        I: IntoIterator<Item = (B, f64)>,
        B: Borrow<Input<Self>>,
    {
        add::many(self, members)
    }

    /// ZINCRBY: adds to a member's score. Gives the new one; a member that is not there counts from 0.
    ///
    /// It is sent as a ZADD with INCR. What would be no number, as infinity less infinity, is refused, and the score is
    /// unchanged.
    fn zincr(&self, member: &Input<Self>, by: f64) -> Command<f64> {
        add::zincr(self, member, by)
    }

    /// ZSCORE: a member's score, `None` where it is no member.
    fn zscore(&self, member: &Input<Self>) -> Command<Option<f64>> {
        member::zscore(self, member)
    }

    /// ZMSCORE: the scores of up to 500 members.
    fn zmscore<I>(&self, members: I) -> Command<Vec<Option<f64>>>
    where
        I: IntoIterator,
        I::Item: Borrow<Input<Self>>,
    {
        member::zmscore(self, members)
    }

    /// ZRANK: at which rank a member is, from the lowest score.
    fn zrank(&self, member: &Input<Self>) -> Command<Option<u64>> {
        member::rank(self, "ZRANK", member)
    }

    /// ZREVRANK: at which rank a member is, from the highest score.
    fn zrevrank(&self, member: &Input<Self>) -> Command<Option<u64>> {
        member::rank(self, "ZREVRANK", member)
    }

    /// ZRANGE: the members of these ranks, from the lowest score, at most 5,000.
    fn zrange(&self, ranks: Range<u32>) -> Command<Vec<Output<Self>>> {
        range::by_rank(self, First::Lowest, &ranks, &range::members::<Self::Value>())
    }

    /// ZRANGE WITHSCORES: as [`zrange`](Self::zrange), with the scores.
    fn zrange_withscores(&self, ranks: Range<u32>) -> Command<Vec<(Output<Self>, f64)>> {
        range::by_rank(self, First::Lowest, &ranks, &range::with_scores::<Self::Value>())
    }

    /// ZREVRANGE: the members of these ranks, from the highest score, at most 5,000.
    fn zrevrange(&self, ranks: Range<u32>) -> Command<Vec<Output<Self>>> {
        range::by_rank(self, First::Highest, &ranks, &range::members::<Self::Value>())
    }

    /// ZREVRANGE WITHSCORES: as [`zrevrange`](Self::zrevrange), with the scores.
    fn zrevrange_withscores(&self, ranks: Range<u32>) -> Command<Vec<(Output<Self>, f64)>> {
        range::by_rank(self, First::Highest, &ranks, &range::with_scores::<Self::Value>())
    }

    /// ZRANGEBYSCORE: members with such scores, from the lowest, up to a limit (5,000 at most).
    fn zrangebyscore(&self, scores: impl RangeBounds<f64>, limit: u32) -> Command<Vec<Output<Self>>> {
        range::by_score(self, First::Lowest, &scores, limit, &range::members::<Self::Value>())
    }

    /// ZRANGEBYSCORE WITHSCORES: as [`zrangebyscore`](Self::zrangebyscore), with the scores.
    fn zrangebyscore_withscores(&self, scores: impl RangeBounds<f64>, limit: u32) -> Command<Vec<(Output<Self>, f64)>> {
        range::by_score(self, First::Lowest, &scores, limit, &range::with_scores::<Self::Value>())
    }

    /// ZREVRANGEBYSCORE: members with such scores, from the highest, up to a limit (5,000 at most). The range is written as
    /// any other, its lower end first.
    fn zrevrangebyscore(&self, scores: impl RangeBounds<f64>, limit: u32) -> Command<Vec<Output<Self>>> {
        range::by_score(self, First::Highest, &scores, limit, &range::members::<Self::Value>())
    }

    /// ZREVRANGEBYSCORE WITHSCORES: as [`zrevrangebyscore`](Self::zrevrangebyscore), with the scores.
    fn zrevrangebyscore_withscores(
        &self,
        scores: impl RangeBounds<f64>,
        limit: u32,
    ) -> Command<Vec<(Output<Self>, f64)>> {
        range::by_score(self, First::Highest, &scores, limit, &range::with_scores::<Self::Value>())
    }

    /// ZRANDMEMBER: any member.
    fn zrandmember(&self) -> Command<Option<Output<Self>>> {
        random::one(self)
    }

    /// ZRANDMEMBER: any members, each once, up to so many (500 at most).
    ///
    /// ```
    /// use redis_keys::{prelude::*, testing};
    ///
    /// #[derive(RedisKey)]
    /// #[redis_key(game:scores:{game}:zset, value = u64, ttl = 1d)]
    /// struct Scores { game: u32 }
    ///
    /// let prizes: Command<Vec<u64>> = Scores { game: 1 }.zrandmember_many(3);
    /// assert_eq!(testing::text(prizes)?, ["ZRANDMEMBER game:scores:1:zset 3"]);
    /// # Ok::<(), redis_keys::Error>(())
    /// ```
    fn zrandmember_many(&self, count: u32) -> Command<Vec<Output<Self>>> {
        random::many(self, count, &range::members::<Self::Value>())
    }

    /// ZRANDMEMBER WITHSCORES: as [`zrandmember_many`](Self::zrandmember_many), with the scores.
    fn zrandmember_many_withscores(&self, count: u32) -> Command<Vec<(Output<Self>, f64)>> {
        random::many(self, count, &range::with_scores::<Self::Value>())
    }

    /// ZPOPMIN: takes away the member of the lowest score. It is gone even where it does not decode.
    fn zpopmin(&self) -> Command<Option<(Output<Self>, f64)>> {
        pop::one(self, "ZPOPMIN")
    }

    /// ZPOPMIN: takes away the members of the lowest scores, up to so many (500 at most).
    fn zpopmin_many(&self, count: u32) -> Command<Vec<(Output<Self>, f64)>> {
        pop::many(self, "ZPOPMIN", count)
    }

    /// ZPOPMAX: takes away the member of the highest score. It is gone even where it does not decode.
    fn zpopmax(&self) -> Command<Option<(Output<Self>, f64)>> {
        pop::one(self, "ZPOPMAX")
    }

    /// ZPOPMAX: takes away the members of the highest scores, up to so many (500 at most).
    fn zpopmax_many(&self, count: u32) -> Command<Vec<(Output<Self>, f64)>> {
        pop::many(self, "ZPOPMAX", count)
    }

    /// BZPOPMIN: takes away the member of the lowest score, and waits for one where there is none. It is gone even where it does
    /// not decode.
    ///
    /// See [`Blocking`] for the connection that it needs, and for what can be lost.
    fn bzpopmin(&self, wait: Duration) -> Blocking<(Output<Self>, f64)> {
        blocking::from_zset(self, "BZPOPMIN", wait)
    }

    /// BZPOPMAX: takes away the member of the highest score, as [`bzpopmin`](Self::bzpopmin) does that of the lowest one.
    fn bzpopmax(&self, wait: Duration) -> Blocking<(Output<Self>, f64)> {
        blocking::from_zset(self, "BZPOPMAX", wait)
    }

    /// ZCARD: how many members there are.
    fn zcard(&self) -> Command<u64> {
        read(self, "ZCARD", (0, 0), |_| Ok(()), count)
    }

    /// ZCOUNT: how many members have such scores.
    fn zcount(&self, scores: impl RangeBounds<f64>) -> Command<u64> {
        range::zcount(self, &scores)
    }

    /// ZREM: removes a member. Tells whether it was there.
    fn zrem(&self, member: &Input<Self>) -> Command<bool> {
        remove::one::<Self, Self::Value>(self, member)
    }

    /// ZREM: removes up to 500 members. Tells how many were there.
    fn zrem_many<I>(&self, members: I) -> Command<u64>
    where
        I: IntoIterator,
        I::Item: Borrow<Input<Self>>,
    {
        remove::many::<Self, Self::Value, I>(self, members)
    }

    /// ZREMRANGEBYSCORE: removes the members with such scores. Tells how many there were.
    fn zremrangebyscore(&self, scores: impl RangeBounds<f64>) -> Command<u64> {
        remove::by_score(self, &scores)
    }

    /// ZREMRANGEBYRANK: removes the members of these ranks, from the lowest score. Tells how many there were.
    fn zremrangebyrank(&self, ranks: Range<u32>) -> Command<u64> {
        remove::by_rank(self, &ranks)
    }

    /// ZSCAN: all members with their scores, about 100 at a time, in no order. One may be given twice.
    fn zscan(&self) -> Scan<(Output<Self>, f64)> {
        scan::zscan(self)
    }
}

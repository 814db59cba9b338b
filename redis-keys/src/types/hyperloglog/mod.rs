//! What can be done with keys of type `hyperloglog`.

pub(crate) mod add;
pub(crate) mod merge;
#[cfg(all(test, feature = "aio"))]
mod tests;

use std::borrow::Borrow;

use crate::{
    Command, RedisKey,
    command::{count, old_builder::read},
    stored::Stored,
};

/// What additions take a reference to.
pub(crate) type Input<K> = <<K as HyperLogLogKey>::Value as Stored>::Input;

/// A key whose value is an estimate of how many different members there were: `…:hyperloglog`.
///
/// The members are not kept, and the estimate is off by 0.81 % on average. However many there are it takes 12 KB at most. Its
/// expiry starts when it is created, and anew as `renew` says.
///
/// ```
/// use redis_keys::{prelude::*, testing};
///
/// #[derive(RedisKey)]
/// #[redis_key(page:visitors:{#page}:{day}:hyperloglog, value = u64, ttl = 8d)]
/// struct Visitors { page: u32, day: u32 }
///
/// #[derive(RedisKey)]
/// #[redis_key(page:visitors.week:{#page}:{week}:hyperloglog, value = u64, ttl = 30d)]
/// struct WeekVisitors { page: u32, week: u32 }
///
/// let days = [1, 2].map(|day| Visitors { page: 7, day });
/// let changed: Command<bool> = days[0].pfadd(&42);
/// assert_eq!(testing::text(days[0].pfcount())?, ["PFCOUNT page:visitors:{7}:1:hyperloglog"]);
/// let merged: Command<()> = WeekVisitors { page: 7, week: 1 }.pfmerge(&days);
/// # Ok::<(), redis_keys::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a key of type `hyperloglog`",
    label = "no `hyperloglog` key",
    note = "its template has to end with `:hyperloglog`"
)]
pub trait HyperLogLogKey: RedisKey {
    /// The stored form of the members.
    type Value: Stored;

    /// PFADD: counts a member. Tells whether the estimate has changed: it does not where the member was counted before, and
    /// sometimes for one that is new.
    fn pfadd(&self, member: &Input<Self>) -> Command<bool> {
        add::one(self, member)
    }

    /// PFADD: counts up to 500 members. Tells whether the estimate has changed.
    fn pfadd_many<I>(&self, members: I) -> Command<bool>
    where
        I: IntoIterator,
        I::Item: Borrow<Input<Self>>,
    {
        add::many(self, members)
    }

    /// PFCOUNT: about how many different members there were.
    fn pfcount(&self) -> Command<u64> {
        read(self, "PFCOUNT", (0, 0), |_| Ok(()), count)
    }

    /// PFCOUNT: about how many different members there were here and in up to 100 other keys together.
    ///
    /// It moves no expiry. On a cluster all keys have to be in one slot, by a hash tag.
    fn pfcount_with<'o, O>(&self, others: impl IntoIterator<Item = &'o O>) -> Command<u64>
    where
        O: HyperLogLogKey<Value = Self::Value> + 'o,
    {
        merge::count_with(self, others)
    }

    /// PFMERGE: counts here what up to 100 other keys have counted, too.
    ///
    /// On a cluster all keys have to be in one slot, by a hash tag. The other keys and their expiries are left as they are.
    fn pfmerge<'o, O>(&self, others: impl IntoIterator<Item = &'o O>) -> Command<()>
    where
        O: HyperLogLogKey<Value = Self::Value> + 'o,
    {
        merge::merge(self, others)
    }
}

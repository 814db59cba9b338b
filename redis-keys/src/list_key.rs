//! What can be done with keys of type `list`.

use std::{borrow::Borrow, ops::Range};

use crate::{
    Command, RedisKey, Scan,
    access::{native, read},
    command::{count, done},
    list::{End, pop, push, range},
    replies,
    stored::Stored,
};

/// What reads of a key give.
pub(crate) type Output<K> = <<K as ListKey>::Value as Stored>::Output;

/// What writes of a key take a reference to.
pub(crate) type Input<K> = <<K as ListKey>::Value as Stored>::Input;

/// A key whose value is items in an order: `…:list`.
///
/// With `max_len` a push that would make the list longer is refused and changes nothing; with `keep_last` the oldest items go
/// in the same step. The key's expiry starts when the list is created, and anew as `renew` says.
///
/// ```
/// use redis_keys::{prelude::*, testing};
///
/// #[derive(RedisKey)]
/// #[redis_key(user:recent:{user_id}:list, value = u64, ttl = 7d, keep_last = 100)]
/// struct Recent { user_id: u64 }
///
/// let recent = Recent { user_id: 42 };
/// assert_eq!(testing::text(recent.lrange(0..10))?, ["LRANGE user:recent:42:list 0 9"]);
/// assert_eq!(testing::text(recent.llen())?, ["LLEN user:recent:42:list"]);
/// # Ok::<(), redis_keys::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a key of type `list`",
    label = "no `list` key",
    note = "its template has to end with `:list`"
)]
pub trait ListKey: RedisKey {
    /// The stored form of the items.
    type Value: Stored;

    /// LPUSH: adds an item at the left end. Gives the new length.
    fn lpush(&self, item: &Input<Self>) -> Command<u64> {
        push::one(self, End::Left, item)
    }

    /// LPUSH: adds up to 500 items at the left end, one after the other. Gives the new length, or 0 where there is nothing to
    /// add.
    fn lpush_many<I>(&self, items: I) -> Command<u64>
    where
        I: IntoIterator,
        I::Item: Borrow<Input<Self>>,
    {
        push::many(self, End::Left, items)
    }

    /// RPUSH: adds an item at the right end. Gives the new length.
    fn rpush(&self, item: &Input<Self>) -> Command<u64> {
        push::one(self, End::Right, item)
    }

    /// RPUSH: adds up to 500 items at the right end, one after the other. Gives the new length, or 0 where there is nothing to
    /// add.
    fn rpush_many<I>(&self, items: I) -> Command<u64>
    where
        I: IntoIterator,
        I::Item: Borrow<Input<Self>>,
    {
        push::many(self, End::Right, items)
    }

    /// LPOP: takes the item at the left end.
    fn lpop(&self) -> Command<Option<Output<Self>>> {
        pop::one(self, End::Left)
    }

    /// RPOP: takes the item at the right end.
    fn rpop(&self) -> Command<Option<Output<Self>>> {
        pop::one(self, End::Right)
    }

    /// LRANGE: the items at these positions, at most 5,000.
    fn lrange(&self, positions: Range<u32>) -> Command<Vec<Output<Self>>> {
        range::lrange(self, &positions)
    }

    /// LRANGE: the whole list, so many items at a time (from 1 to 500; 0 counts as 1).
    ///
    /// Pages go by positions, and those count from the left end. Where other clients push or pop there meanwhile, the
    /// positions shift: items are given twice, or left out. Pushes at the right end do no harm.
    fn lpages(&self, page_len: u32) -> Scan<Output<Self>> {
        range::pages(self, page_len)
    }

    /// LLEN: how many items there are.
    fn llen(&self) -> Command<u64> {
        read(self, "LLEN", (0, 0), |_| Ok(()), count)
    }

    /// LINDEX: the item at a position, which counts from the right end where it is negative.
    fn lindex(&self, position: i64) -> Command<Option<Output<Self>>> {
        let push = |cmd: &mut redis::Cmd| {
            cmd.arg(position);
            Ok(())
        };
        read(self, "LINDEX", (1, 20), push, replies::element::<Self::Value>)
    }

    /// LTRIM: keeps the items at these positions, and nothing else.
    fn ltrim(&self, positions: Range<u32>) -> Command<()> {
        let push = |cmd: &mut redis::Cmd| {
            // Redis's ranges hold their last position, so that an empty one has it before the first.
            cmd.arg(positions.start).arg(i64::from(positions.end) - 1);
            Ok(())
        };
        native(self, "LTRIM", (2, 20), push, done)
    }
}

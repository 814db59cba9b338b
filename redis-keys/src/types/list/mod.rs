//! What can be done with keys of type `list`.

pub(crate) mod place;
pub(crate) mod pop;
pub(crate) mod push;
pub(crate) mod range;
pub(crate) mod relocate;
#[cfg(all(test, feature = "aio"))]
mod tests;

/// An end of a list: [`ListKey::lmove`](crate::ListKey::lmove).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ListEnd {
    /// Where `lpush` adds and `lpop` takes; position 0.
    Left,
    /// Where `rpush` adds and `rpop` takes.
    Right,
}

use std::{borrow::Borrow, ops::Range, time::Duration};

use crate::{
    Command, RedisKey, Scan,
    command::blocking::Blocking,
    command::{
        builder::{native, read},
        count, done, replies,
    },
    stored::Stored,
    types::blocking,
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
        push::one(self, ListEnd::Left, item)
    }

    /// LPUSH: adds up to 500 items at the left end, one after the other. Gives the new length, or 0 where there is nothing to
    /// add.
    fn lpush_many<I>(&self, items: I) -> Command<u64>
    where
        I: IntoIterator,
        I::Item: Borrow<Input<Self>>,
    {
        push::many(self, ListEnd::Left, items)
    }

    /// RPUSH: adds an item at the right end. Gives the new length.
    fn rpush(&self, item: &Input<Self>) -> Command<u64> {
        push::one(self, ListEnd::Right, item)
    }

    /// RPUSH: adds up to 500 items at the right end, one after the other. Gives the new length, or 0 where there is nothing to
    /// add.
    fn rpush_many<I>(&self, items: I) -> Command<u64>
    where
        I: IntoIterator,
        I::Item: Borrow<Input<Self>>,
    {
        push::many(self, ListEnd::Right, items)
    }

    /// LPOP: takes the item at the left end.
    ///
    /// As all accessors that only remove it moves no expiry. An item is gone even where it does not decode.
    fn lpop(&self) -> Command<Option<Output<Self>>> {
        pop::one(self, ListEnd::Left)
    }

    /// LPOP: takes up to so many items (500 at most) at the left end, one after the other.
    fn lpop_many(&self, count: u32) -> Command<Vec<Output<Self>>> {
        pop::many(self, ListEnd::Left, count)
    }

    /// RPOP: takes the item at the right end.
    fn rpop(&self) -> Command<Option<Output<Self>>> {
        pop::one(self, ListEnd::Right)
    }

    /// RPOP: takes up to so many items (500 at most) at the right end, one after the other.
    fn rpop_many(&self, count: u32) -> Command<Vec<Output<Self>>> {
        pop::many(self, ListEnd::Right, count)
    }

    /// LMOVE: takes the item at one end and adds it at one end of another list, or of the same. Gives the item.
    ///
    /// The other list can be a key of another type that holds the same values. Its expiry and caps are kept as by a push of its
    /// own: where it has no room for one more item the move is refused, and the item stays where it is. On a cluster both keys
    /// need the same hash tag.
    ///
    /// ```no_run
    /// use redis_keys::{list::ListEnd, prelude::*, redis};
    ///
    /// #[derive(RedisKey)]
    /// #[redis_key(queue:waiting:list, value = u64, ttl = 7d)]
    /// struct Waiting;
    ///
    /// #[derive(RedisKey)]
    /// #[redis_key(queue:taken:{worker}:list, value = u64, ttl = 1d, max_len = 10)]
    /// struct Taken { worker: u8 }
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let mut con = redis::Client::open("redis://127.0.0.1/")?.get_connection()?;
    /// let job = Waiting.lmove(&Taken { worker: 1 }, ListEnd::Right, ListEnd::Left).query(&mut con)?;
    /// # let job: Option<u64> = job;
    /// # Ok(()) }
    /// ```
    fn lmove<D>(&self, destination: &D, from: ListEnd, to: ListEnd) -> Command<Option<Output<Self>>>
    where
        D: ListKey<Value = Self::Value>,
    {
        relocate::lmove(self, destination, from, to)
    }

    /// BLPOP: takes the item at the left end, and waits for one where there is none. It is gone even where it does not decode.
    ///
    /// See [`Blocking`] for the connection that it needs, and for what can be lost.
    fn blpop(&self, wait: Duration) -> Blocking<Output<Self>> {
        blocking::from_list(self, "BLPOP", wait)
    }

    /// BRPOP: takes the item at the right end, as [`blpop`](Self::blpop) does at the left one.
    fn brpop(&self, wait: Duration) -> Blocking<Output<Self>> {
        blocking::from_list(self, "BRPOP", wait)
    }

    /// BLMOVE: as [`lmove`](Self::lmove), and waits for an item where there is none. It never loses one.
    ///
    /// The wait is a BLMOVE of the item at this list's left end to where it is, which changes nothing; and then the item moves
    /// as [`lmove`](Self::lmove) moves it. When somebody else was quicker, it waits again.
    fn blmove<D>(&self, destination: &D, from: ListEnd, to: ListEnd, wait: Duration) -> Blocking<Output<Self>>
    where
        D: ListKey<Value = Self::Value>,
    {
        blocking::from_list_to_list(self, destination, (from, to), wait)
    }

    /// LSET: replaces the item at a position, which counts from the right end where it is negative. Tells whether there is
    /// such a position.
    fn lset(&self, position: i64, item: &Input<Self>) -> Command<bool> {
        place::lset(self, position, item)
    }

    /// LREM: removes up to so many items that are the same as this one, from the left end on, or from the right end on where
    /// the number is negative; all of them where it is 0. Tells how many there were.
    ///
    /// What is compared are the stored bytes.
    fn lrem(&self, count: i32, item: &Input<Self>) -> Command<u64> {
        place::lrem(self, count, item)
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

    /// LPOS: at which position the first item stands that is the same as this one, counted from the left end.
    ///
    /// What is compared are the stored bytes.
    ///
    /// ```
    /// use redis_keys::{prelude::*, testing};
    ///
    /// #[derive(RedisKey)]
    /// #[redis_key(queue:waiting:list, value = u64, ttl = 7d)]
    /// struct Waiting;
    ///
    /// let before_this_one: Command<Option<u64>> = Waiting.lpos(&42);
    /// assert_eq!(testing::text(before_this_one)?, ["LPOS queue:waiting:list 42"]);
    /// # Ok::<(), redis_keys::Error>(())
    /// ```
    fn lpos(&self, item: &Input<Self>) -> Command<Option<u64>> {
        place::lpos(self, item)
    }

    /// LTRIM: keeps the items at these positions, and nothing else. Of an empty range nothing stays: the key is gone.
    fn ltrim(&self, positions: Range<u32>) -> Command<()> {
        let push = |cmd: &mut redis::Cmd| {
            range::push_kept(cmd, &positions);
            Ok(())
        };
        native(self, "LTRIM", (2, 20), push, done)
    }
}

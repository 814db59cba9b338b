//! Keys of type `list`.

#[cfg(all(test, feature = "aio"))]
mod tests;

use std::borrow::Borrow;
use std::time::Duration;

use redis::{Cmd, RedisWrite as _, Value};

use crate::accessor::accessor;
use crate::command::arguments::{Amount, Arguments, Capacity, Count, MaxLen, UNLIMITED, value, values};
use crate::command::blocking::{ScriptCall, WaitStrategy};
use crate::command::builder::Build as _;
use crate::command::expiry::expiry_of;
use crate::command::positions::Positions;
use crate::command::value::{Place, check_readable};
use crate::command::{
    Blocking, Decode, DecodeResult, PositionRange, Replies, ReplyContext, ReplyError, Step, call_with, count, done,
    flag, key_of, on_key, push_key, reply, value,
};
use crate::error::Cause;
use crate::key::KeyWriter;
use crate::lua::{self, Script};
use crate::scan::{self, Page, Scan};
use crate::schema::{Keep, Schema};
use crate::stored::{Stored, StoredError};
use crate::types::whole;
use crate::{Command, Error, RedisKey};

/// An end of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ListEnd {
    /// The end where positions start: `LPUSH`, `LPOP`.
    Left,
    /// The end where positions end: `RPUSH`, `RPOP`.
    Right,
}

impl ListEnd {
    fn name(self) -> &'static str {
        match self {
            Self::Left => "LEFT",
            Self::Right => "RIGHT",
        }
    }
}

/// The type that reads return: the [`Output`](Stored::Output) of `value`.
pub type Output<K> = <<K as ListKey>::Value as Stored>::Output;

/// The type that writes borrow: the [`Input`](Stored::Input) of `value`.
pub type Input<K> = <<K as ListKey>::Value as Stored>::Input;

/// A key that holds a list of items: `…:list`.
///
/// With `max_len`, a push that would exceed it is rejected and changes nothing; with `keep_last`, the oldest items are
/// removed in the same step. The expiry starts when the list is created and restarts as `renew` says.
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
    label = "not a `list` key",
    note = "the template of a `list` key ends with `:list`; the type arguments of a generic key must be parameter types"
)]
pub trait ListKey: RedisKey {
    /// The stored form of the items.
    type Value: Stored;

    /// Adds an item at the left end with `LPUSH` and returns the new length.
    fn lpush(&self, item: &Input<Self>) -> Command<u64> {
        push(self, ListEnd::Left, item).named(accessor!("lpush"))
    }

    /// Adds up to 500 items at the left end, one after the other, with `LPUSH`.
    ///
    /// Returns the new length, or 0 if there are no items to add.
    fn lpush_many<I>(&self, items: I) -> Command<u64>
    where
        I: IntoIterator,
        I::Item: Borrow<Input<Self>>,
    {
        push_many(self, ListEnd::Left, items).named(accessor!("lpush_many"))
    }

    /// Adds an item at the right end with `RPUSH` and returns the new length.
    fn rpush(&self, item: &Input<Self>) -> Command<u64> {
        push(self, ListEnd::Right, item).named(accessor!("rpush"))
    }

    /// Adds up to 500 items at the right end, one after the other, with `RPUSH`.
    ///
    /// Returns the new length, or 0 if there are no items to add.
    fn rpush_many<I>(&self, items: I) -> Command<u64>
    where
        I: IntoIterator,
        I::Item: Borrow<Input<Self>>,
    {
        push_many(self, ListEnd::Right, items).named(accessor!("rpush_many"))
    }

    /// Removes and returns the item at the left end (`LPOP`).
    ///
    /// Like all removals, it does not change the expiry. The item is gone even if it does not decode.
    fn lpop(&self) -> Command<Option<Output<Self>>> {
        self.removing::<Self::Value, _>(|key| key.native("LPOP", ()).reply(reply::element::<Self::Value>))
            .named_read(accessor!("lpop"))
    }

    /// Removes and returns up to `count` items at the left end (`LPOP`), 500 at most.
    fn lpop_many(&self, count: u32) -> Command<Vec<Output<Self>>> {
        self.removing::<Self::Value, _>(|key| key.native("LPOP", Count(count)).reply(reply::elements::<Self::Value>))
            .named_read(accessor!("lpop_many"))
    }

    /// Removes and returns the item at the right end (`RPOP`).
    fn rpop(&self) -> Command<Option<Output<Self>>> {
        self.removing::<Self::Value, _>(|key| key.native("RPOP", ()).reply(reply::element::<Self::Value>))
            .named_read(accessor!("rpop"))
    }

    /// Removes and returns up to `count` items at the right end (`RPOP`), 500 at most.
    fn rpop_many(&self, count: u32) -> Command<Vec<Output<Self>>> {
        self.removing::<Self::Value, _>(|key| key.native("RPOP", Count(count)).reply(reply::elements::<Self::Value>))
            .named_read(accessor!("rpop_many"))
    }

    /// Moves the item at an end to an end of another list, or of the same list, and returns it (`LMOVE`).
    ///
    /// The other list can be a different key struct that stores the same values. Its expiry and caps apply as for a
    /// push: if it is full, the move is rejected and the item stays where it is. On a cluster, both keys need the same
    /// hash tag.
    ///
    /// ```no_run
    /// use redis_keys::{types::list::ListEnd, prelude::*, redis};
    ///
    /// #[derive(RedisKey)]
    /// #[redis_key(queue:waiting:list, value = u64, ttl = 7d)]
    /// struct Waiting;
    ///
    /// #[derive(RedisKey)]
    /// #[redis_key(queue:taken:{worker}:list, value = u64, ttl = 1d, max_len = 10)]
    /// struct JobsInProgress { worker: u8 }
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let mut con = redis::Client::open("redis://127.0.0.1/")?.get_connection()?;
    /// let job = Waiting.lmove(&JobsInProgress { worker: 1 }, ListEnd::Right, ListEnd::Left).query(&mut con)?;
    /// # let job: Option<u64> = job;
    /// # Ok(()) }
    /// ```
    #[doc(alias("rpoplpush"))]
    fn lmove<D>(&self, destination: &D, from: ListEnd, to: ListEnd) -> Command<Option<Output<Self>>>
    where
        D: ListKey<Value = Self::Value>,
    {
        // The expiry and caps of the destination apply.
        Command::script(D::SCHEMA, &lua::MOVE, move_cmd(self, destination, from, to), moved::<Self::Value>)
            .named_read(accessor!("lmove"))
    }

    /// Removes and returns the item at the left end, waiting for an item if the list is empty (`BLPOP`).
    ///
    /// The item is gone even if it does not decode. See [`Blocking`] for the connection that this needs and for
    /// possible losses.
    fn blpop(&self, wait: Duration) -> Blocking<Output<Self>> {
        blocking_pop(self, "BLPOP", wait).named(accessor!("blpop"))
    }

    /// Removes and returns the item at the right end, waiting for an item if the list is empty (`BRPOP`).
    fn brpop(&self, wait: Duration) -> Blocking<Output<Self>> {
        blocking_pop(self, "BRPOP", wait).named(accessor!("brpop"))
    }

    /// Moves an item like [`lmove`](Self::lmove), waiting for an item if the list is empty (`BLMOVE`).
    ///
    /// It never loses an item. It waits with a `BLMOVE` that moves the leftmost item to its own place, which changes
    /// nothing, and then moves the item by script. If another client was faster, it waits again.
    #[doc(alias("brpoplpush"))]
    fn blmove<D>(&self, destination: &D, from: ListEnd, to: ListEnd, wait: Duration) -> Blocking<Output<Self>>
    where
        D: ListKey<Value = Self::Value>,
    {
        blocking_move(self, destination, (from, to), wait).named(accessor!("blmove"))
    }

    /// Replaces the item at a position with `LSET` and returns whether the position exists.
    ///
    /// Negative positions count from the right end.
    fn lset(&self, position: i64, item: &Input<Self>) -> Command<bool> {
        self.write(&lua::LSET, (position, value::<Self::Value>(item))).reply(flag).named(accessor!("lset"))
    }

    /// Removes up to `count` items equal to `item` with `LREM` and returns how many were removed.
    ///
    /// Starts at the left end, or at the right end if `count` is negative; 0 removes all. The stored bytes are
    /// compared.
    fn lrem(&self, count: i32, item: &Input<Self>) -> Command<u64> {
        if Self::Value::IS_SECRET {
            return self.refused(Cause::Encode(NOT_FOUND)).named(accessor!("lrem"));
        }
        self.native("LREM", (count, value::<Self::Value>(item))).reply(self::count).named(accessor!("lrem"))
    }

    /// Returns the items at `positions`, such as `..10`, at most 5,000 (`LRANGE`).
    fn lrange(&self, positions: impl PositionRange) -> Command<Vec<Output<Self>>> {
        self.read("LRANGE", Positions::of_elements(positions))
            .reply(reply::elements::<Self::Value>)
            .named_read(accessor!("lrange"))
    }

    /// Returns all items, from the left end.
    ///
    /// The command is `LRANGE`, for one item more than `max_len` or `keep_last`. It can be part of a batch. The build
    /// fails if the declaration has neither option.
    ///
    /// ```
    /// use redis_keys::{prelude::*, testing};
    ///
    /// #[derive(RedisKey)]
    /// #[redis_key(user:recent:{user_id}:list, value = u64, ttl = 7d, keep_last = 100)]
    /// struct Recent { user_id: u64 }
    ///
    /// assert_eq!(testing::text(Recent { user_id: 42 }.items())?, ["LRANGE user:recent:42:list 0 100"]);
    /// # Ok::<(), redis_keys::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// With [`ErrorKind::CollectionSize`](crate::ErrorKind::CollectionSize) if the list has more items than declared,
    /// for example because another program has written them.
    #[doc(alias("lrange 0 -1"))]
    fn items(&self) -> Command<Vec<Output<Self>>> {
        const { whole::assert_bounded(Self::SCHEMA) };
        self.read("LRANGE", ("0", whole::LastOfOneMore)).reply(items::<Self::Value>).named_read(accessor!("items"))
    }

    /// Iterates over the whole list with `LRANGE`, `page_len` items at a time (1 to 500; 0 counts as 1).
    ///
    /// Positions count from the left end. If other clients add or remove items there or in the middle between two
    /// pages, positions shift, and items are returned twice or skipped. Pushes at the right end do no harm, unless
    /// `keep_last` makes them drop items at the left end. `collect` and [`query`](Scan::query) return all items in a
    /// `Vec`, but read the same pages. If the list changes while you read it, use [`lrange`](Self::lrange), which reads
    /// up to 5,000 items in a single step, or [`items`](Self::items), which reads a whole list with a `max_len` or
    /// `keep_last`.
    #[doc(alias("lrange 0 -1"))]
    fn lpages(&self, page_len: u32) -> Scan<Output<Self>> {
        scan::by_positions(self, page_len, page::<Self::Value>).named(accessor!("lpages"))
    }

    /// Returns the number of items (`LLEN`).
    fn llen(&self) -> Command<u64> {
        self.read("LLEN", ()).reply(count).named(accessor!("llen"))
    }

    /// Returns the item at a position, which counts from the right end if negative (`LINDEX`).
    fn lindex(&self, position: i64) -> Command<Option<Output<Self>>> {
        self.read("LINDEX", position).reply(reply::element::<Self::Value>).named_read(accessor!("lindex"))
    }

    /// Returns the position of the first item equal to `item`, counted from the left end (`LPOS`).
    ///
    /// The stored bytes are compared.
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
        if Self::Value::IS_SECRET {
            return self.refused(Cause::Encode(NOT_FOUND)).named(accessor!("lpos"));
        }
        self.read("LPOS", value::<Self::Value>(item)).reply(reply::place).named_read(accessor!("lpos"))
    }

    /// Removes all items outside `positions` (`LTRIM`). An empty range removes the key.
    fn ltrim(&self, positions: impl PositionRange) -> Command<()> {
        // In Redis, an empty range ends before it starts.
        let (first, last) = Positions::unlimited(positions).ends().unwrap_or((1, 0));
        self.native("LTRIM", (first, last)).reply(done).named(accessor!("ltrim"))
    }
}

fn push<K: ListKey>(key: &K, end: ListEnd, item: &Input<K>) -> Command<u64> {
    let (script, decode) = push_script(K::SCHEMA, end);
    key.write(script, (PushCap(end), value::<K::Value>(item))).reply(decode)
}

fn push_many<K, I>(key: &K, end: ListEnd, items: I) -> Command<u64>
where
    K: ListKey,
    I: IntoIterator,
    I::Item: Borrow<Input<K>>,
{
    let (script, decode) = push_script(K::SCHEMA, end);
    key.write(script, (PushCap(end), values::<K::Value, _>(items))).reply(decode)
}

/// The script for pushes: it rejects a push to a full list, or removes the oldest items.
fn push_script(schema: &'static Schema, end: ListEnd) -> (&'static Script, Decode<u64>) {
    match (schema.keep, end) {
        (Some(_), ListEnd::Left) => (&lua::LPUSH_KEEPING, len_after_trim),
        (Some(_), ListEnd::Right) => (&lua::RPUSH_KEEPING, len_after_trim),
        (None, ListEnd::Left) => (&lua::LPUSH_CAPPED, reply::size),
        (None, ListEnd::Right) => (&lua::RPUSH_CAPPED, reply::size),
    }
}

/// The cap in the format of the push scripts: the maximum number of items, or the position of the oldest item to keep.
struct PushCap(ListEnd);

impl Arguments for PushCap {
    #[inline]
    fn capacity(&self, _schema: &'static Schema) -> Capacity {
        Capacity::new(1, 5)
    }

    #[inline]
    fn push(self, cmd: &mut Cmd, schema: &'static Schema) -> Result<Amount, Cause> {
        match (schema.keep, self.0) {
            (None, _) => _ = cmd.arg(schema.max_len.unwrap_or(UNLIMITED)),
            (Some(keep), ListEnd::Left) => _ = cmd.arg(keep.count().saturating_sub(1)),
            (Some(keep), ListEnd::Right) => cmd.write_arg_fmt(format_args!("-{}", keep.count())),
        }
        Ok(Amount::Some)
    }
}

/// Reads the length before the removal of the oldest items.
fn len_after_trim(replies: Replies, sent: &ReplyContext<'_>) -> DecodeResult<u64> {
    let Value::Int(len) = replies.one() else {
        return Err(ReplyError::unexpected());
    };
    let len = u64::try_from(len).map_err(|_| ReplyError::unexpected())?;
    Ok(Step::Done(match sent.schema.keep {
        Some(Keep::Last(keep)) => len.min(keep),
        _ => len,
    }))
}

/// Builds LMOVE by a script, which takes the destination's caps and expiry.
fn move_cmd<K: ListKey, D: ListKey>(source: &K, destination: &D, from: ListEnd, to: ListEnd) -> Result<Cmd, Error> {
    const {
        assert!(
            !K::Value::IS_SECRET || is_same(K::SCHEMA, D::SCHEMA),
            "encrypted items cannot move to another declaration"
        );
    }
    let schema = D::SCHEMA;
    let mut writer = KeyWriter::new();
    writer.write(destination);
    let key = writer.bytes().map_err(|fault| Error::refused(schema, None, Cause::Key(fault)))?;
    let mut cmd = call_with(&lua::MOVE, 2, key, 7, 256);
    push_key(&mut cmd, source)?;
    if K::Value::IS_SECRET && key_of(&cmd, 0) != key_of(&cmd, 1) {
        let cause = Cause::Argument("an encrypted item does not decrypt under another key: take it and push it");
        return Err(Error::refused(schema, key_of(&cmd, 0), cause));
    }
    let expiry = expiry_of(destination)?;
    let pushed = match (schema.keep, to) {
        (None, _) => (expiry, MaxLen, "", "").push(&mut cmd, schema),
        (Some(_), ListEnd::Left) => (expiry, "", "0", PushCap(to)).push(&mut cmd, schema),
        (Some(_), ListEnd::Right) => (expiry, "", PushCap(to), "-1").push(&mut cmd, schema),
    };
    let pushed = pushed.and_then(|_| (from.name(), to.name()).push(&mut cmd, schema));
    pushed.map_err(|cause| Error::refused(schema, key_of(&cmd, 0), cause))?;
    Ok(cmd)
}

/// Returns whether two schemas belong to the same declaration.
#[allow(clippy::arithmetic_side_effects, clippy::indexing_slicing, reason = "evaluated by the compiler")]
const fn is_same(one: &Schema, other: &Schema) -> bool {
    let (one, other) = (one.template.as_bytes(), other.template.as_bytes());
    let mut index = 0;
    while index < one.len() && index < other.len() && one[index] == other[index] {
        index += 1;
    }
    index == one.len() && index == other.len()
}

/// Reads the item, nothing if there was none, or the number of items that would have been too large.
fn moved<V: Stored>(replies: Replies, sent: &ReplyContext<'_>) -> DecodeResult<Option<V::Output>> {
    match replies.one() {
        Value::Int(len) => {
            let len = u64::try_from(len).map_err(|_| ReplyError::unexpected())?;
            Err(ReplyError::new(Cause::CollectionSize { len }))
        }
        reply => value::read_at::<V>(reply, Place::new(sent)).map(Step::Done),
    }
}

/// The reason why encrypted items cannot be searched.
const NOT_FOUND: StoredError =
    StoredError::new("encrypted items cannot be found by their bytes, which differ each time");

/// BLPOP or BRPOP.
fn blocking_pop<K: ListKey>(key: &K, name: &str, wait: Duration) -> Blocking<Output<K>> {
    let pop = |cmd| WaitStrategy::Pop { schema: K::SCHEMA, cmd, decode: popped::<K::Value> };
    let readable = check_readable::<K::Value>().map_err(|cause| Error::refused(K::SCHEMA, None, cause));
    Blocking::new(K::SCHEMA, wait, readable.and_then(|()| on_key(key, name, 1, 8)).map(pop))
}

/// Builds BLMOVE, with the destination's expiry and caps.
///
/// LMOVE's script takes the item. To wait, BLMOVE moves the source's first item to its own place, which changes nothing.
fn blocking_move<K, D>(
    source: &K,
    destination: &D,
    (from, to): (ListEnd, ListEnd),
    wait: Duration,
) -> Blocking<Output<K>>
where
    K: ListKey,
    D: ListKey<Value = K::Value>,
{
    let strategy = || -> Result<_, Error> {
        let cmd = move_cmd(source, destination, from, to)?;
        let mut watch = on_key(source, "BLMOVE", 4, 64 + 16)?;
        for word in [source.key()?.as_str(), "LEFT", "LEFT"] {
            watch.write_arg(word.as_bytes());
        }
        let take = ScriptCall { schema: D::SCHEMA, script: &lua::MOVE, cmd, decode: moved::<K::Value> };
        Ok(WaitStrategy::Watch { take, schema: K::SCHEMA, watch })
    };
    Blocking::new(K::SCHEMA, wait, strategy())
}

/// Reads the key and the item, or nothing.
fn popped<V: Stored>(replies: Replies, sent: &ReplyContext<'_>) -> DecodeResult<Option<V::Output>> {
    let reply = replies.one();
    if reply == Value::Nil {
        return Ok(Step::Done(None));
    }
    let [_key, item] = reply::list(reply)?.try_into().map_err(|_| ReplyError::unexpected())?;
    value::read_one_at::<V>(item, Place::new(sent)).map(|item| Step::Done(Some(item)))
}

/// Reads all items.
fn items<V: Stored>(replies: Replies, sent: &ReplyContext<'_>) -> DecodeResult<Vec<V::Output>> {
    let items = whole::check_len(reply::list(replies.one())?, sent)?;
    reply::decoded::<V>(items, sent)
}

fn page<V: Stored>(replies: Replies, sent: &ReplyContext<'_>) -> DecodeResult<Page<V::Output>> {
    scan::items(replies, sent, |item| value::read_one_at::<V>(item, Place::new(sent)))
}

//! Keys of type `hash` with open field names.
//!
//! Records, whose fields are declared, are in [`record`](crate::types::record).

mod field_name;
#[cfg(all(test, feature = "aio"))]
mod tests;

use std::borrow::Borrow;
use std::time::Duration;

use field_name::{Entry, FieldName};
use redis::{Cmd, Value};

use crate::accessor::accessor;
use crate::command::arguments::{Arguments as _, Count, MaxLen, each, value};
use crate::command::builder::Build as _;
use crate::command::expiry::{expiry_of, milliseconds};
use crate::command::rewrite::read_by_many;
use crate::command::table::words;
use crate::command::value::{Place, read_at, read_one_at};
use crate::command::{
    DecodeResult, Replies, ReplyContext, ReplyError, Step, TimeLeft, count, flag, key_of, on_key, reply,
};
use crate::error::Cause;
use crate::redis_rs::Words as _;
use crate::scan::{self, Page, Scan};
use crate::stored::{Float, Integer, Stored};
use crate::types::string::counting::{StepInRange, out_of_range};
use crate::types::whole;
use crate::{Command, Error, RedisKey, lua};

/// The type that reads return: the [`Output`](Stored::Output) of `value`.
pub type Output<K> = <<K as HashKey>::Value as Stored>::Output;

/// The type that writes borrow: the [`Input`](Stored::Input) of `value`.
pub type Input<K> = <<K as HashKey>::Value as Stored>::Input;

/// The type of field names that reads return.
pub type FieldOutput<K> = <<K as HashKey>::Field as Stored>::Output;

/// The type that names a field.
pub type FieldInput<K> = <<K as HashKey>::Field as Stored>::Input;

/// The maximum number of fields in an `HMGET`.
const MAX_FIELDS: usize = 100;

/// A key that holds a hash with open field names: `…:hash`, with `field = …`.
///
/// Field names and values have at most `max_member_bytes` each. A write that would exceed `max_len` is rejected and
/// changes nothing; fields that already exist do not count. The expiry starts when the hash is created and restarts as
/// `renew` says; removals do not change it.
///
/// ```
/// use redis_keys::{prelude::*, testing};
///
/// #[derive(RedisKey)]
/// #[redis_key(user:votes:{user_id}:hash, field = u64, value = i32, ttl = 1d, max_len = 1000)]
/// struct Votes { user_id: u64 }
///
/// let votes = Votes { user_id: 42 };
/// let new: Command<bool> = votes.hset(&7, &-1);
/// let new: Command<u64> = votes.hset_many([(7, -1), (8, 1)]);
/// let sum: Command<i32> = votes.hincr(&7, 2);
/// assert_eq!(testing::text(votes.hget(&7))?, ["HGET user:votes:42:hash 7"]);
/// assert_eq!(testing::text(votes.hmget([7, 8]))?, ["HMGET user:votes:42:hash 7 8"]);
/// # Ok::<(), redis_keys::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a `hash` key with open field names",
    label = "not a `hash` key with open field names",
    note = "the template of such a key ends with `:hash`, and `field = …` names the type of its fields; the type arguments of a generic key must be parameter types"
)]
pub trait HashKey: RedisKey {
    /// The stored form of the field names.
    type Field: Stored;

    /// The stored form of the values.
    type Value: Stored;

    /// Returns the value of a field (`HGET`).
    fn hget(&self, field: &FieldInput<Self>) -> Command<Option<Output<Self>>> {
        self.read("HGET", FieldName::of(self, field)).reply(field_value::<Self::Value>).named_read(accessor!("hget"))
    }

    /// Returns the values of any number of fields, in their order (`HMGET` of 100 fields each).
    ///
    /// Other clients may write between two of these commands.
    fn hmget<I>(&self, fields: I) -> Command<Vec<Option<Output<Self>>>>
    where
        I: IntoIterator,
        I::Item: Borrow<FieldInput<Self>>,
    {
        hmget(self, fields).named_read(accessor!("hmget"))
    }

    /// Writes a field with `HSET` and returns whether it is new.
    ///
    /// It removes an expiry that [`hexpire`](Self::hexpire) has set.
    fn hset(&self, field: &FieldInput<Self>, value: &Input<Self>) -> Command<bool> {
        self.write(&lua::HSET, (MaxLen, Entry::of(self, field, value))).reply(reply::added).named(accessor!("hset"))
    }

    /// Writes up to 500 fields as [`hset`](Self::hset) does and returns how many are new.
    #[doc(alias("hset_multiple", "hmset"))]
    fn hset_many<I, F, V>(&self, fields: I) -> Command<u64>
    where
        I: IntoIterator<Item = (F, V)>,
        F: Borrow<FieldInput<Self>>,
        V: Borrow<Input<Self>>,
    {
        let fields = each(2, fields, |cmd, _, (field, value)| {
            Entry::of(self, field.borrow(), value.borrow()).push(cmd, Self::SCHEMA).map(drop)
        });
        self.write(&lua::HSET, (MaxLen, fields)).reply(reply::size).named(accessor!("hset_many"))
    }

    /// Writes a field if it does not exist, and returns whether it did (`HSETNX`).
    #[doc(alias("hsetnx"))]
    fn hset_nx(&self, field: &FieldInput<Self>, value: &Input<Self>) -> Command<bool> {
        self.write(&lua::HSETNX, (MaxLen, Entry::of(self, field, value)))
            .reply(reply::added)
            .named(accessor!("hset_nx"))
    }

    /// Removes a field with `HDEL` and returns whether it existed.
    fn hdel(&self, field: &FieldInput<Self>) -> Command<bool> {
        self.native("HDEL", FieldName::of(self, field)).reply(flag).named(accessor!("hdel"))
    }

    /// Removes up to 500 fields with `HDEL` and returns how many existed.
    fn hdel_many<I>(&self, fields: I) -> Command<u64>
    where
        I: IntoIterator,
        I::Item: Borrow<FieldInput<Self>>,
    {
        let fields =
            each(1, fields, |cmd, schema, field| FieldName::of(self, field.borrow()).push(cmd, schema).map(drop));
        self.native("HDEL", fields).reply(count).named(accessor!("hdel_many"))
    }

    /// Returns whether a field exists (`HEXISTS`).
    fn hexists(&self, field: &FieldInput<Self>) -> Command<bool> {
        self.read("HEXISTS", FieldName::of(self, field)).reply(flag).named(accessor!("hexists"))
    }

    /// Returns the number of fields (`HLEN`).
    fn hlen(&self) -> Command<u64> {
        self.read("HLEN", ()).reply(count).named(accessor!("hlen"))
    }

    /// Returns the size of a field's stored value in bytes; 0 if the field does not exist (`HSTRLEN`).
    fn hstrlen(&self, field: &FieldInput<Self>) -> Command<u64> {
        self.read("HSTRLEN", FieldName::of(self, field)).reply(count).named(accessor!("hstrlen"))
    }

    /// Adds to the number in a field and returns the new number (`HINCRBY`). A missing field counts from 0.
    ///
    /// A count that would leave the range of the values' type, or exceed `max_len` with a new field, is rejected and
    /// changes nothing. Redis counts with 64-bit signed integers, so a `u64` can be counted up to `i64::MAX`, and a
    /// step cannot be `i64::MIN`. To subtract from an unsigned number, use [`hdecr`](Self::hdecr). The field keeps its
    /// expiry.
    #[doc(alias("hincrby"))]
    fn hincr(&self, field: &FieldInput<Self>, number: <Self::Value as Integer>::Number) -> Command<Self::Value>
    where
        Self::Value: Integer,
    {
        count_field_by(self, field, number.into().to_i64()).named(accessor!("hincr"))
    }

    /// Subtracts from the number in a field and returns the new number.
    ///
    /// Use it especially if the number is unsigned, because then a step cannot be negative. See [`hincr`](Self::hincr).
    fn hdecr(&self, field: &FieldInput<Self>, number: <Self::Value as Integer>::Number) -> Command<Self::Value>
    where
        Self::Value: Integer,
    {
        count_field_by(self, field, number.into().to_i64().and_then(i64::checked_neg)).named(accessor!("hdecr"))
    }

    /// Adds to the float in a field and returns the new number (`HINCRBYFLOAT`). See [`hincr`](Self::hincr).
    ///
    /// Redis keeps 17 digits after the decimal point, so a step of `1e-20` has no effect.
    #[doc(alias("hincrbyfloat"))]
    fn hincr_by_float(&self, field: &FieldInput<Self>, number: <Self::Value as Float>::Number) -> Command<Self::Value>
    where
        Self::Value: Float,
    {
        let number = number.into();
        let (field, step) = (FieldName::of(self, field), value::<Self::Value>(&number));
        self.write(&lua::HINCRBYFLOAT, (MaxLen, field, step, format_args!("{:e}", Self::Value::HIGHEST)))
            .reply_one(read_float::<Self::Value>)
            .named(accessor!("hincr_by_float"))
    }

    /// Returns the name of a random field (`HRANDFIELD`).
    fn hrandfield(&self) -> Command<Option<FieldOutput<Self>>> {
        self.read("HRANDFIELD", ()).reply(field_name::read_optional::<Self>).named_read(accessor!("hrandfield"))
    }

    /// Returns the names of up to `count` distinct random fields (`HRANDFIELD`), 500 at most.
    fn hrandfield_many(&self, count: u32) -> Command<Vec<FieldOutput<Self>>> {
        self.read("HRANDFIELD", Count(count))
            .reply(field_name::read_list::<Self>)
            .named_read(accessor!("hrandfield_many"))
    }

    /// Returns all fields with their values, in no order.
    ///
    /// The command is `HRANDFIELD`, with a count of one more than `max_len`. It can be part of a batch. The build fails
    /// if the declaration has no `max_len`.
    ///
    /// ```
    /// use redis_keys::{prelude::*, testing};
    ///
    /// #[derive(RedisKey)]
    /// #[redis_key(user:votes:{user_id}:hash, field = u64, value = i32, ttl = 1d, max_len = 100)]
    /// struct Votes { user_id: u64 }
    ///
    /// assert_eq!(testing::text(Votes { user_id: 42 }.entries())?, ["HRANDFIELD user:votes:42:hash 101 WITHVALUES"]);
    /// # Ok::<(), redis_keys::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// With [`ErrorKind::CollectionSize`](crate::ErrorKind::CollectionSize) if the hash has more fields than `max_len`,
    /// for example because another program has written them.
    #[doc(alias("hgetall"))]
    fn entries(&self) -> Command<Vec<(FieldOutput<Self>, Output<Self>)>> {
        const { whole::assert_bounded(Self::SCHEMA) };
        self.read("HRANDFIELD", (whole::OneMore, "WITHVALUES")).reply(entries::<Self>).named_read(accessor!("entries"))
    }

    /// Iterates over all fields and their values with `HSCAN`, about 100 at a time. A field may be returned twice.
    ///
    /// `collect` and [`query`](Scan::query) return all fields in a `Vec`, each once, like HGETALL.
    ///
    /// ```no_run
    /// use redis_keys::{prelude::*, redis};
    ///
    /// #[derive(RedisKey)]
    /// #[redis_key(user:votes:{user_id}:hash, field = u64, value = i32, ttl = 1d)]
    /// struct Votes { user_id: u64 }
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let mut con = redis::Client::open("redis://127.0.0.1/")?.get_connection()?;
    /// for vote in (Votes { user_id: 42 }).hscan().iter(&mut con) {
    ///     let (item, vote): (u64, i32) = vote?;
    ///     println!("{item}: {vote}");
    /// }
    /// # Ok(()) }
    /// ```
    ///
    /// If the hash has a `max_len`, [`entries`](Self::entries) reads it by a single command, which can be part of a batch.
    #[doc(alias("hgetall", "hkeys", "hvals"))]
    fn hscan(&self) -> Scan<(FieldOutput<Self>, Output<Self>)> {
        scan::by_cursor(self, "HSCAN", page::<Self>).named(accessor!("hscan"))
    }

    /// Sets an expiry for a field, and returns whether the field exists (`HPEXPIRE`).
    ///
    /// The expiry must not be longer than the declared expiry. The key's own expiry does not change. A later
    /// [`hset`](Self::hset) removes the field's expiry, as in Redis; [`hincr`](Self::hincr) keeps it.
    ///
    /// Field expiry needs Redis 7.4 or Valkey 9; other servers return an error that says so.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use redis_keys::{prelude::*, testing};
    ///
    /// #[derive(RedisKey)]
    /// #[redis_key(user:votes:{user_id}:hash, field = u64, value = i32, ttl = 1d)]
    /// struct Votes { user_id: u64 }
    ///
    /// let expire = Votes { user_id: 42 }.hexpire(&7, Duration::from_secs(60));
    /// assert_eq!(testing::text(expire)?, ["HPEXPIRE user:votes:42:hash 60000 FIELDS 1 7"]);
    /// # Ok::<(), redis_keys::Error>(())
    /// ```
    #[doc(alias("hpexpire"))]
    fn hexpire(&self, field: &FieldInput<Self>, time: Duration) -> Command<bool> {
        let milliseconds = expiry_of(self).map(|declared| milliseconds(time, declared).map_err(Cause::Expiry));
        match milliseconds {
            Ok(Ok(ms)) => {
                let field = ("FIELDS", "1", FieldName::of(self, field));
                self.native("HPEXPIRE", (ms, field)).reply(reply::field_changed)
            }
            Ok(Err(cause)) => self.refused(cause),
            Err(error) => Command::refused(error),
        }
        .named(accessor!("hexpire"))
    }

    /// Returns the remaining time of a field (`HPTTL`): [`TimeLeft::Never`] if it has no expiry and goes with the key.
    ///
    /// Needs Redis 7.4 or Valkey 9.
    #[doc(alias("hpttl"))]
    fn httl(&self, field: &FieldInput<Self>) -> Command<TimeLeft> {
        self.native("HPTTL", ("FIELDS", "1", FieldName::of(self, field)))
            .reply_one(reply::field_time_left)
            .named(accessor!("httl"))
    }

    /// Removes the expiry of a field, and returns whether it had one (`HPERSIST`).
    ///
    /// Needs Redis 7.4 or Valkey 9.
    fn hpersist(&self, field: &FieldInput<Self>) -> Command<bool> {
        self.native("HPERSIST", ("FIELDS", "1", FieldName::of(self, field)))
            .reply(reply::field_changed)
            .named(accessor!("hpersist"))
    }
}

fn hmget<K, I>(key: &K, fields: I) -> Command<Vec<Option<Output<K>>>>
where
    K: HashKey,
    I: IntoIterator,
    I::Item: Borrow<FieldInput<K>>,
{
    match hmget_cmds(key, fields.into_iter()) {
        Ok(cmds) if cmds.is_empty() => Command::ready(Vec::new()),
        Ok(cmds) => read_by_many(K::SCHEMA, cmds, read_values::<K::Value>),
        Err(error) => Command::refused(error),
    }
}

/// Builds an `HMGET` for every 100 fields.
fn hmget_cmds<K, I>(key: &K, mut fields: I) -> Result<Vec<Cmd>, Error>
where
    K: HashKey,
    I: Iterator,
    I::Item: Borrow<FieldInput<K>>,
{
    let mut cmds = Vec::new();
    while let Some(first) = fields.next() {
        let expected = fields.size_hint().0.saturating_add(1).min(MAX_FIELDS);
        let mut cmd = on_key(key, "HMGET", expected, expected.saturating_mul(16))?;
        for field in std::iter::once(first).chain(fields.by_ref().take(MAX_FIELDS - 1)) {
            if let Err(cause) = FieldName::of(key, field.borrow()).push(&mut cmd, K::SCHEMA) {
                return Err(Error::refused(K::SCHEMA, key_of(&cmd, 0), cause));
            }
        }
        cmds.push(cmd);
    }
    Ok(cmds)
}

/// Reads the value of the field that the last argument names.
fn field_value<V: Stored>(replies: Replies, sent: &ReplyContext<'_>) -> DecodeResult<Option<V::Output>> {
    read_at::<V>(replies.one(), Place::of_last_field(sent)).map(Step::Done)
}

/// Reads the replies to `HMGET`s.
fn read_values<V: Stored>(replies: Replies, sent: &ReplyContext<'_>) -> DecodeResult<Vec<Option<V::Output>>> {
    let mut values = Vec::new();
    for (command, reply) in replies.all().enumerate() {
        let list = reply::all_asked(reply, sent, command)?;
        values.reserve(list.len());
        // The fields are the last arguments.
        let asked = sent.command(command).into_iter().flat_map(words);
        let skipped = sent.command(command).map_or(0, |cmd| cmd.words().count().saturating_sub(list.len()));
        let mut fields = asked.skip(skipped);
        for value in list {
            let place = Place::of_key(sent, command, 0).of_field(fields.next().unwrap_or_default());
            values.push(read_at::<V>(value, place)?);
        }
    }
    Ok(Step::Done(values))
}

type NamedValue<K> = (FieldOutput<K>, Output<K>);

fn page<K: HashKey>(replies: Replies, sent: &ReplyContext<'_>) -> DecodeResult<Page<NamedValue<K>>> {
    scan::page(replies, sent, reply::pairs, |pair| read_entry::<K>(pair, sent))
}

/// Reads all fields with their values.
fn entries<K: HashKey>(replies: Replies, sent: &ReplyContext<'_>) -> DecodeResult<Vec<NamedValue<K>>> {
    let pairs = whole::check_len(reply::pairs(replies.one())?, sent)?;
    pairs.into_iter().map(|pair| read_entry::<K>(pair, sent)).collect::<Result<_, _>>().map(Step::Done)
}

fn read_entry<K: HashKey>(
    (field, value): (Value, Value),
    sent: &ReplyContext<'_>,
) -> Result<NamedValue<K>, ReplyError> {
    let value = match &field {
        Value::BulkString(name) => read_one_at::<K::Value>(value, Place::new(sent).of_field(name))?,
        _ => read_one_at::<K::Value>(value, Place::new(sent))?,
    };
    Ok((field_name::read::<K::Field>(field)?, value))
}

/// Counts by a step; `None` is a step that does not fit into 64 bits with a sign.
fn count_field_by<K: HashKey<Value: Integer>>(key: &K, field: &FieldInput<K>, step: Option<i64>) -> Command<K::Value> {
    let arguments = (MaxLen, FieldName::of(key, field), StepInRange::<K::Value>::new(step));
    key.write(&lua::HINCRBY, arguments).reply_one(read_integer::<K::Value>)
}

fn read_integer<V: Integer>(replies: Replies, _sent: &ReplyContext<'_>) -> DecodeResult<V> {
    match replies.one() {
        Value::Int(number) => V::from_i64(number).map(Step::Done).ok_or_else(ReplyError::unexpected),
        reply => read_count::<V>(reply, out_of_range::<V>),
    }
}

fn read_float<V: Float>(replies: Replies, _sent: &ReplyContext<'_>) -> DecodeResult<V> {
    read_count::<V>(replies.one(), || Cause::OutOfRange(None))
}

/// Reads the new number, nothing if it is out of range, or a list with the number of fields that would be too many.
fn read_count<V: Stored<Output = V>>(reply: Value, out_of_range: fn() -> Cause) -> DecodeResult<V> {
    if let Value::Array(len) = &reply {
        return Err(match len.as_slice() {
            [Value::Int(len)] => ReplyError::new(Cause::CollectionSize { len: len.unsigned_abs() }),
            _ => ReplyError::unexpected(),
        });
    }
    crate::command::value::read::<V>(reply)?.map(Step::Done).ok_or_else(|| ReplyError::new(out_of_range()))
}

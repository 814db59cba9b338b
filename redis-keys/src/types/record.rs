//! Records: structs whose fields are the fields of a hash, or of a stream entry.
//!
//! ```
//! use redis_keys::prelude::*;
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Serialize, Deserialize)]
//! struct Address { street: String, city: String }
//!
//! #[derive(RedisHash)]
//! struct Profile {
//!     name: String,
//!     #[redis_hash(rename = "mail")]
//!     email: Option<String>,
//!     #[redis_hash(value = Json<Address>)]
//!     address: Address,
//!     #[redis_hash(default)]
//!     visits: u32,
//!     #[redis_hash(ttl = 10m)]
//!     code: Option<u32>,
//! }
//!
//! let names: Vec<_> = Profile::FIELDS.iter().map(|field| field.name).collect();
//! assert_eq!(names, ["name", "mail", "address", "visits", "code"]);
//! assert_eq!(Profile::EMAIL.name(), "mail");
//! ```

mod codec;
mod derive;
#[cfg(feature = "values")]
mod form;
#[cfg(all(test, feature = "aio"))]
mod tests;

use std::time::Duration;

pub use codec::{
    Countable, Expires, Expiring, Field, FieldOf, Mandatory, MayBeMissing, Optional, Presence, RecordField, RedisHash,
};
#[doc(hidden)]
pub use codec::{RecordError, RecordReader, RecordResult, RecordWriter};
#[doc(hidden)]
pub use derive::{FormOf, HasDefault, OwnForm};
#[cfg(feature = "values")]
#[doc(hidden)]
pub use form::form_of;
use redis::{Cmd, RedisWrite as _, Value};

use crate::accessor::accessor;
use crate::command::arguments::{Amount, Arguments, Capacity, with};
use crate::command::builder::Build as _;
use crate::command::value::Place;
use crate::command::{DecodeResult, Replies, ReplyContext, ReplyError, Step, TimeLeft, flag, reply, value};
use crate::error::Cause;
use crate::redis_rs::Words as _;
use crate::schema::Schema;
use crate::stored::{Integer, Stored, StoredError};
use crate::types::string::counting::{StepInRange, out_of_range};
use crate::{Command, RedisKey, lua};

/// A key of type `hash` that stores a record: `…:hash`, without `field = …`.
///
/// Name a field by its constant, which `#[derive(RedisHash)]` adds to the record. Writing a single field does nothing
/// if the record does not exist, because a hash with a single field would be an incomplete record. Other fields in the
/// same hash are left alone.
///
/// ```no_run
/// use redis_keys::{prelude::*, redis};
///
/// #[derive(RedisHash)]
/// struct Profile {
///     name: String,
///     email: Option<String>,
///     visits: u32,
///     #[redis_hash(ttl = 10m)]
///     code: Option<u32>,
/// }
///
/// #[derive(RedisKey)]
/// #[redis_key(user:profile:{user_id}:hash, value = Profile, ttl = 30d)]
/// struct UserProfile { user_id: u64 }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let mut con = redis::Client::open("redis://127.0.0.1/")?.get_connection()?;
/// let key = UserProfile { user_id: 42 };
/// key.store(&Profile { name: "Ada".to_owned(), email: None, visits: 0, code: Some(1234) }).query(&mut con)?;
/// assert_eq!(key.hincr(Profile::VISITS, 1).query(&mut con)?, Some(1));
/// assert!(key.hset(Profile::EMAIL, "ada@example.org").query(&mut con)?);
/// let profile: Option<Profile> = key.load().query(&mut con)?;
/// # Ok(()) }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a `hash` key of a record",
    label = "not a `hash` key of a record",
    note = "the template of such a key ends with `:hash`, and `value = …` names the record; the type arguments of a generic key must be parameter types"
)]
pub trait RecordKey: RedisKey {
    /// The record.
    type Value: RedisHash;

    /// Returns the record, or `None` if all its fields are missing (`HMGET`).
    ///
    /// If a mandatory field is missing, or a field cannot be decoded, the error names the field.
    ///
    /// ```
    /// use redis_keys::{prelude::*, testing};
    ///
    /// #[derive(RedisHash)]
    /// struct Profile { name: String, email: Option<String> }
    ///
    /// #[derive(RedisKey)]
    /// #[redis_key(user:profile:{user_id}:hash, value = Profile, ttl = 30d)]
    /// struct UserProfile { user_id: u64 }
    ///
    /// let load = UserProfile { user_id: 42 }.load();
    /// assert_eq!(testing::text(load)?, ["HMGET user:profile:42:hash name email"]);
    /// # Ok::<(), redis_keys::Error>(())
    /// ```
    #[doc(alias("hgetall", "hmget"))]
    fn load(&self) -> Command<Option<Self::Value>> {
        let fields = Self::Value::FIELDS;
        let capacity = Capacity::new(fields.len(), fields.iter().map(|field| field.name.len()).sum());
        let names = with(capacity, |cmd, _| {
            for field in fields {
                cmd.write_arg(field.name.as_bytes());
            }
            Ok(Amount::Some)
        });
        self.read("HMGET", names).reply(record::<Self::Value>).named_read(accessor!("load"))
    }

    /// Writes the record: `HSET` for the present fields and `HDEL` for the fields that are `None`, atomically.
    ///
    /// A new key and a key without an expiry get the declared expiry; `renew = write` and `renew = read` restart it. A
    /// field with a `ttl` restarts its own expiry. A field that exceeds `max_member_bytes` is rejected before anything
    /// is sent.
    #[allow(clippy::arithmetic_side_effects, reason = "what is in memory has fewer bytes than `usize::MAX`")]
    #[doc(alias("hset_multiple", "hmset"))]
    fn store(&self, record: &Self::Value) -> Command<()> {
        let schema = Self::SCHEMA;
        let size = RecordWriter::measure(record, schema);
        let expires = Self::Value::FIELDS.iter().any(|field| field.ttl.is_some());
        if size.absent == 0 && !expires {
            let fields = with(Capacity::new(size.arguments, size.bytes), |cmd, _| {
                RecordWriter::write(record, cmd, schema).map(|_| Amount::Some)
            });
            return self.write_native("HSET", fields).reply(stored).named(accessor!("store"));
        }
        let names: usize = Self::Value::FIELDS.iter().map(|field| field.name.len() + 12).sum();
        let arguments = size.arguments + Self::Value::FIELDS.len() * 2 + 2;
        let fields = with(Capacity::new(arguments, size.bytes + names), |cmd, _| {
            let absent = RecordWriter::write(record, cmd, schema)?;
            push_absent_and_expiring::<Self::Value>(cmd, &absent);
            Ok(Amount::Some)
        });
        self.write(&lua::STORE, fields).reply(stored).named(accessor!("store"))
    }

    /// Returns the value of a field, or `None` if the record or the field does not exist (`HGET`).
    fn hget<F>(&self, field: F) -> Command<Option<<F::Form as Stored>::Output>>
    where
        F: FieldOf<Self::Value, Form: Stored>,
    {
        self.read("HGET", field.field().name()).reply(field_value::<Self::Value, F::Form>).named_read(accessor!("hget"))
    }

    /// Writes a field if the record exists, and returns whether it does (`HSET`).
    ///
    /// A field with a `ttl` restarts its expiry.
    fn hset<F>(&self, field: F, value: &<F::Form as Stored>::Input) -> Command<bool>
    where
        F: FieldOf<Self::Value, Form: Stored>,
    {
        let field = field.field();
        let declared = field.declared();
        let value = with(Capacity::new(1, value::capacity::<F::Form>(value, Self::SCHEMA)), |cmd, schema| {
            value::push_of_field::<F::Form>(cmd, value, schema).map(|()| Amount::Some).map_err(|cause| match declared {
                Some(declared) => declared.encode_cause(cause),
                None => cause,
            })
        });
        self.write(&lua::STORE_FIELD, (FieldTtl(declared), field.name(), value)).reply(flag).named(accessor!("hset"))
    }

    /// Adds to a number if the record exists, and returns the new number, or `None` without a record (`HINCRBY`).
    ///
    /// A missing field counts from 0 and starts its `ttl`, if it has one; an existing field keeps its expiry. A count
    /// that would leave the range of the field's type is rejected and changes nothing.
    #[doc(alias("hincrby", "hincrbyfloat"))]
    fn hincr<F>(&self, field: F, number: <F::Form as Countable>::Step) -> Command<Option<F::Form>>
    where
        F: FieldOf<Self::Value, Form: Countable>,
    {
        let (field, number): (_, F::Form) = (field.field(), number.into());
        let step = StepInRange::<F::Form>::new(number.to_i64());
        let arguments = (FieldTtl(field.declared()), step, field.name());
        self.write(&lua::COUNT_FIELD, arguments).reply(counted::<Self::Value, F::Form>).named(accessor!("hincr"))
    }

    /// Removes a field that is not mandatory, and returns whether it existed (`HDEL`).
    fn hdel<F>(&self, field: F) -> Command<bool>
    where
        F: FieldOf<Self::Value, Presence: MayBeMissing>,
    {
        let field = field.field();
        self.native("HDEL", field.name()).reply(flag).named(accessor!("hdel"))
    }

    /// Returns whether a field that is not mandatory exists (`HEXISTS`).
    fn hexists<F>(&self, field: F) -> Command<bool>
    where
        F: FieldOf<Self::Value, Presence: MayBeMissing>,
    {
        let field = field.field();
        self.read("HEXISTS", field.name()).reply(flag).named(accessor!("hexists"))
    }

    /// Restarts the declared expiry of a field, and returns whether the field exists (`HPEXPIRE`).
    ///
    /// The expiry of fields needs Redis 7.4 or Valkey 9. Other servers reject this command, and every write to such a
    /// field, with an error that names these versions.
    ///
    /// ```
    /// use redis_keys::{prelude::*, testing};
    ///
    /// #[derive(RedisHash)]
    /// struct Login {
    ///     name: String,
    ///     #[redis_hash(ttl = 10m)]
    ///     code: Option<u32>,
    /// }
    ///
    /// #[derive(RedisKey)]
    /// #[redis_key(user:login:{user_id}:hash, value = Login, ttl = 1d)]
    /// struct UserLogin { user_id: u64 }
    ///
    /// let expire = UserLogin { user_id: 42 }.hexpire(Login::CODE);
    /// assert_eq!(testing::text(expire)?, ["HPEXPIRE user:login:42:hash 600000 FIELDS 1 code"]);
    /// # Ok::<(), redis_keys::Error>(())
    /// ```
    #[doc(alias("hpexpire"))]
    fn hexpire<F>(&self, field: F) -> Command<bool>
    where
        F: FieldOf<Self::Value, Presence: Expires>,
    {
        let field = field.field();
        let ttl = field.declared().and_then(|declared| declared.ttl).unwrap_or_default();
        self.native("HPEXPIRE", (millis(ttl), "FIELDS", "1", field.name()))
            .reply(reply::field_changed)
            .named(accessor!("hexpire"))
    }

    /// Returns the remaining lifetime of a field (`HPTTL`). It is [`TimeLeft::Missing`] if the field does not exist.
    #[doc(alias("hpttl"))]
    fn httl<F>(&self, field: F) -> Command<TimeLeft>
    where
        F: FieldOf<Self::Value, Presence: Expires>,
    {
        let field = field.field();
        self.native("HPTTL", ("FIELDS", "1", field.name())).reply_one(reply::field_time_left).named(accessor!("httl"))
    }

    /// Removes the expiry of a field until its next write, and returns whether it had one (`HPERSIST`).
    fn hpersist<F>(&self, field: F) -> Command<bool>
    where
        F: FieldOf<Self::Value, Presence: Expires>,
    {
        let field = field.field();
        self.native("HPERSIST", ("FIELDS", "1", field.name())).reply(reply::field_changed).named(accessor!("hpersist"))
    }
}

/// The milliseconds of a field's own expiry, or an empty argument.
struct FieldTtl(Option<&'static RecordField>);

impl Arguments for FieldTtl {
    #[inline]
    fn capacity(&self, _schema: &'static Schema) -> Capacity {
        Capacity::new(1, 14)
    }

    #[inline]
    fn push(self, cmd: &mut Cmd, _schema: &'static Schema) -> Result<Amount, Cause> {
        match self.0.and_then(|field| field.ttl) {
            Some(ttl) => _ = cmd.arg(millis(ttl)),
            None => cmd.write_arg(b""),
        }
        Ok(Amount::Some)
    }
}

/// Adds the script's arguments after the present fields' names and values.
///
/// They are the absent fields' names, the expiring fields' names and milliseconds, and the numbers of the last argument
/// of the first two groups.
#[allow(clippy::arithmetic_side_effects, reason = "there are at least as many fields as absent ones")]
fn push_absent_and_expiring<R: RedisHash>(cmd: &mut Cmd, absent: &[&str]) {
    let pairs_end = 1 + (R::FIELDS.len() - absent.len()) * 2;
    for name in absent {
        cmd.write_arg(name.as_bytes());
    }
    for (name, ttl) in R::FIELDS.iter().filter_map(|field| Some((field.name, field.ttl?))) {
        if !absent.contains(&name) {
            cmd.write_arg(name.as_bytes());
            cmd.arg(millis(ttl));
        }
    }
    cmd.arg(pairs_end).arg(pairs_end + absent.len());
}

fn millis(ttl: Duration) -> u64 {
    u64::try_from(ttl.as_millis()).unwrap_or(u64::MAX)
}

fn record<R: RedisHash>(replies: Replies, sent: &ReplyContext<'_>) -> DecodeResult<Option<R>> {
    RecordReader::read(reply::list(replies.one())?, sent).map(Step::Done)
}

/// The reply is the number of new fields.
fn stored(replies: Replies, _sent: &ReplyContext<'_>) -> DecodeResult<()> {
    match replies.one() {
        Value::Int(_) => Ok(Step::Done(())),
        _ => Err(ReplyError::unexpected()),
    }
}

fn field_value<R: RedisHash, V: Stored>(replies: Replies, sent: &ReplyContext<'_>) -> DecodeResult<Option<V::Output>> {
    let value = value::read_at::<V>(replies.one(), Place::of_last_field(sent));
    value.map(Step::Done).map_err(|fault| in_last_field::<R>(fault, sent))
}

/// Reads the new number; nil if it would have left the range, an empty list if there is no record, and another list if
/// the field is not a number.
fn counted<R: RedisHash, V: Integer>(replies: Replies, sent: &ReplyContext<'_>) -> DecodeResult<Option<V>> {
    match replies.one() {
        Value::Array(list) if list.is_empty() => Ok(Step::Done(None)),
        Value::Array(_) => {
            let stored = StoredError::new("not a number that Redis can increment");
            Err(in_last_field::<R>(ReplyError::new(Cause::Decode { stored, bytes: None }), sent))
        }
        Value::Nil => Err(ReplyError::new(out_of_range::<V>())),
        reply => value::read::<V>(reply).map(Step::Done).map_err(|fault| in_last_field::<R>(fault, sent)),
    }
}

/// Adds to the error the field that the command's last argument names.
#[cold]
fn in_last_field<R: RedisHash>(fault: ReplyError, sent: &ReplyContext<'_>) -> ReplyError {
    let Some(name) = sent.command(0).and_then(|cmd| cmd.words().last()) else { return fault };
    match R::FIELDS.iter().find(|field| field.name.as_bytes() == name) {
        Some(field) => field.decode_fault(fault),
        None => fault,
    }
}

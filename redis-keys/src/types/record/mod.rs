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
mod field;
#[cfg(all(test, feature = "aio"))]
mod tests;

use std::time::Duration;

use redis::{Arg, Cmd, RedisWrite as _, Value};

use crate::{
    Command, RedisKey, TimeLeft,
    command::{Fault, Replies, Sent, Step, builder, flag, replies, value},
    error::Cause,
    lua,
    stored::{Integer, Stored, StoredError},
};

#[doc(hidden)]
pub use codec::{RecordError, RecordReader, RecordResult, RecordWriter};
#[doc(hidden)]
pub use derive::{FormOf, HasDefault, OwnForm};
pub use derive::{Presence, RecordField, RedisHash};
pub use field::{Counted, Expires, Expiring, Field, Mandatory, MayBeMissing, Optional};

/// A key of type `hash` that stores a record: `…:hash`, without `field = …`.
///
/// Fields are named by the constants that `#[derive(RedisHash)]` adds to the record. Writing a single field does nothing if the
/// record does not exist, since a hash with one field would be an incomplete record. Other fields in the same hash are left
/// alone.
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
    message = "`{Self}` is not a key of type `hash`",
    label = "not a `hash` key",
    note = "its template must end with `:hash`, without `field = …`"
)]
pub trait RecordKey: RedisKey {
    /// The record.
    type Value: RedisHash;

    /// Returns the record, or `None` if none of its fields exists (`HMGET`).
    ///
    /// A mandatory field that is missing, or a field that cannot be decoded, is an error that names the field.
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
    fn load(&self) -> Command<Option<Self::Value>> {
        let fields = Self::Value::FIELDS;
        let bytes = fields.iter().map(|field| field.name.len()).sum();
        let push = |cmd: &mut Cmd| {
            for field in fields {
                cmd.write_arg(field.name.as_bytes());
            }
            Ok(())
        };
        builder::read(self, "HMGET", (fields.len(), bytes), push, record::<Self::Value>)
    }

    /// Writes the record: `HSET` of the fields that are present and `HDEL` of those that are `None`, atomically.
    ///
    /// A new key and a key without an expiry get the declared one; `renew = write` and `renew = read` restart it. A field with
    /// a `ttl` restarts its own expiry. A field that exceeds `max_member_bytes` is rejected before anything is sent.
    fn store(&self, record: &Self::Value) -> Command<()> {
        let schema = Self::SCHEMA;
        let size = RecordWriter::measure(record, schema);
        let expires = Self::Value::FIELDS.iter().any(|field| field.ttl.is_some());
        if size.absent == 0 && !expires {
            let push = |cmd: &mut Cmd| RecordWriter::write(record, cmd, schema).map(drop);
            return builder::write_native(self, "HSET", (size.arguments, size.bytes), push, stored);
        }
        let names: usize = Self::Value::FIELDS.iter().map(|field| field.name.len() + 12).sum();
        let arguments = size.arguments + Self::Value::FIELDS.len() * 2 + 2;
        let push = |cmd: &mut Cmd| {
            let absent = RecordWriter::write(record, cmd, schema)?;
            push_absent_and_expiring::<Self::Value>(cmd, &absent);
            Ok(())
        };
        builder::write(self, &lua::STORE, (arguments, size.bytes + names), push, stored)
    }

    /// Returns the value of a field, or `None` if the record or the field does not exist (`HGET`).
    fn hget<V: Stored, P>(&self, field: Field<Self::Value, V, P>) -> Command<Option<V::Output>> {
        builder::read(self, "HGET", (1, 16), push_name(field), field_value::<Self::Value, V>)
    }

    /// Writes a field if the record exists, and returns whether it does (`HSET`).
    ///
    /// A field with a `ttl` restarts its expiry.
    fn hset<V: Stored, P>(&self, field: Field<Self::Value, V, P>, value: &V::Input) -> Command<bool> {
        let schema = Self::SCHEMA;
        let push = |cmd: &mut Cmd| {
            let declared = field.declared();
            push_ttl(cmd, declared);
            cmd.write_arg(field.name().as_bytes());
            value::push::<V>(cmd, value, schema).map_err(|cause| match declared {
                Some(declared) => declared.encode_cause(cause),
                None => cause,
            })
        };
        builder::write(self, &lua::STORE_FIELD, (3, 32 + value::room::<V>(value, schema)), push, flag)
    }

    /// Adds to a number if the record exists, and returns the new one, or `None` if there is no record (`HINCRBY`).
    ///
    /// A missing field counts from 0 and starts its `ttl`, if it has one; an existing field keeps its expiry. A count that would
    /// leave the range of the field's type is rejected and changes nothing.
    fn hincr<V: Counted, P>(
        &self,
        field: Field<Self::Value, V, P>,
        number: <V as Counted>::Step,
    ) -> Command<Option<V>> {
        let number: V = number.into();
        let push = |cmd: &mut Cmd| {
            push_ttl(cmd, field.declared());
            match number.to_i64() {
                // The script could not revert such a step: the lowest number has no negative.
                None | Some(i64::MIN) if V::LOWEST == i64::MIN => return Err(Cause::StepTooLarge),
                None => return Err(out_of_range::<V>()),
                Some(step) => cmd.arg(step).arg(step.saturating_neg()).arg(V::LOWEST).arg(V::HIGHEST),
            };
            cmd.write_arg(field.name().as_bytes());
            Ok(())
        };
        builder::write(self, &lua::COUNT_FIELD, (6, 96), push, counted::<Self::Value, V>)
    }

    /// Removes a field that is not mandatory, and returns whether it existed (`HDEL`).
    fn hdel<V, P: MayBeMissing>(&self, field: Field<Self::Value, V, P>) -> Command<bool> {
        builder::native(self, "HDEL", (1, 16), push_name(field), flag)
    }

    /// Returns whether a field that is not mandatory exists (`HEXISTS`).
    fn hexists<V, P: MayBeMissing>(&self, field: Field<Self::Value, V, P>) -> Command<bool> {
        builder::read(self, "HEXISTS", (1, 16), push_name(field), flag)
    }

    /// Restarts the declared expiry of a field, and returns whether the field exists (`HPEXPIRE`).
    ///
    /// The expiry of fields needs Redis 7.4 or Valkey 9. Other servers reject this command and each write of such a field, with
    /// an error that names these versions.
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
    fn hexpire<V, P: Expires>(&self, field: Field<Self::Value, V, P>) -> Command<bool> {
        let ttl = field.declared().and_then(|declared| declared.ttl).unwrap_or_default();
        let push = |cmd: &mut Cmd| {
            cmd.arg(millis(ttl));
            push_fields_1(cmd, field.name());
            Ok(())
        };
        builder::native(self, "HPEXPIRE", (4, 48), push, field_changed)
    }

    /// Returns the remaining lifetime of a field (`HPTTL`). It is [`TimeLeft::Missing`] if the field does not exist.
    fn httl<V, P: Expires>(&self, field: Field<Self::Value, V, P>) -> Command<TimeLeft> {
        let push = |cmd: &mut Cmd| {
            push_fields_1(cmd, field.name());
            Ok(())
        };
        builder::native(self, "HPTTL", (3, 32), push, field_time_left)
    }

    /// Removes the expiry of a field until its next write, and returns whether it had one (`HPERSIST`).
    fn hpersist<V, P: Expires>(&self, field: Field<Self::Value, V, P>) -> Command<bool> {
        let push = |cmd: &mut Cmd| {
            push_fields_1(cmd, field.name());
            Ok(())
        };
        builder::native(self, "HPERSIST", (3, 32), push, field_changed)
    }
}

fn push_name<R: RedisHash, V, P>(field: Field<R, V, P>) -> impl FnOnce(&mut Cmd) -> Result<(), Cause> {
    move |cmd| {
        cmd.write_arg(field.name().as_bytes());
        Ok(())
    }
}

/// Adds `FIELDS 1 name`.
fn push_fields_1(cmd: &mut Cmd, name: &str) {
    cmd.write_arg(b"FIELDS");
    cmd.write_arg(b"1");
    cmd.write_arg(name.as_bytes());
}

/// Adds the milliseconds of a field's own expiry, or an empty argument.
fn push_ttl(cmd: &mut Cmd, field: Option<&RecordField>) {
    match field.and_then(|field| field.ttl) {
        Some(ttl) => _ = cmd.arg(millis(ttl)),
        None => cmd.write_arg(b""),
    }
}

/// Adds what the script takes after the names and values of the present fields: the names of the absent fields, the names and
/// milliseconds of the expiring ones, and the numbers of the last argument of the first two groups.
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

fn out_of_range<V: Integer>() -> Cause {
    Cause::OutOfRange(Some((V::LOWEST, V::HIGHEST)))
}

fn record<R: RedisHash>(replies: Replies, _sent: &Sent<'_>) -> Result<Step<Option<R>>, Fault> {
    RecordReader::read(replies::list(replies.one())?).map(Step::Done)
}

/// The reply is the number of new fields.
fn stored(replies: Replies, _sent: &Sent<'_>) -> Result<Step<()>, Fault> {
    match replies.one() {
        Value::Int(_) => Ok(Step::Done(())),
        _ => Err(Fault::unexpected()),
    }
}

fn field_value<R: RedisHash, V: Stored>(replies: Replies, sent: &Sent<'_>) -> Result<Step<Option<V::Output>>, Fault> {
    value::read::<V>(replies.one()).map(Step::Done).map_err(|fault| in_last_field::<R>(fault, sent))
}

/// The reply is the new number, nil if it would have left the range, an empty list if there is no record, or another list if
/// the field is not a number.
fn counted<R: RedisHash, V: Integer>(replies: Replies, sent: &Sent<'_>) -> Result<Step<Option<V>>, Fault> {
    match replies.one() {
        Value::Array(list) if list.is_empty() => Ok(Step::Done(None)),
        Value::Array(_) => {
            let stored = StoredError::new("not a number that Redis can increment");
            Err(in_last_field::<R>(Fault::new(Cause::Decode { stored, bytes: None }), sent))
        }
        Value::Nil => Err(Fault::new(out_of_range::<V>())),
        reply => value::read::<V>(reply).map(Step::Done).map_err(|fault| in_last_field::<R>(fault, sent)),
    }
}

/// Adds the field that the last argument of the command names.
#[cold]
fn in_last_field<R: RedisHash>(fault: Fault, sent: &Sent<'_>) -> Fault {
    let Some(Arg::Simple(name)) = sent.command(0).and_then(|cmd| cmd.args_iter().last()) else { return fault };
    match R::FIELDS.iter().find(|field| field.name.as_bytes() == name) {
        Some(field) => field.decode_fault(fault),
        None => fault,
    }
}

fn field_changed(replies: Replies, _sent: &Sent<'_>) -> Result<Step<bool>, Fault> {
    reply_of_one_field(replies).map(|reply| Step::Done(reply == 1))
}

fn field_time_left(replies: Replies, _sent: &Sent<'_>) -> Result<Step<TimeLeft>, Fault> {
    reply_of_one_field(replies).map(|ms| Step::Done(TimeLeft::from_pttl(ms)))
}

/// The reply is a list with one number, or nil from some servers if the key does not exist.
fn reply_of_one_field(replies: Replies) -> Result<i64, Fault> {
    match replies.one() {
        Value::Nil => Ok(-2),
        Value::Array(values) => match values.as_slice() {
            [Value::Int(reply)] => Ok(*reply),
            _ => Err(Fault::unexpected()),
        },
        _ => Err(Fault::unexpected()),
    }
}

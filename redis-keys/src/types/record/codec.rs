//! Records: writes them into commands, and reads them from replies.

use std::marker::PhantomData;
use std::time::Duration;
use std::{fmt, iter, slice, vec};

use redis::{Cmd, RedisWrite as _, Value};

use crate::command::value::Place;
use crate::command::{ReplyContext, ReplyError, value};
use crate::error::{Cause, FieldError};
use crate::schema::Schema;
use crate::stored::{Integer, Stored};

/// A record, declared by `#[derive(RedisHash)]`: a struct whose fields are stored one by one.
///
/// An `Option` that is `None` is not stored. A field with `#[redis_hash(default)]` may be missing, for example because
/// an older version of your program wrote the record; it then has its type's `Default`. All other fields are mandatory:
/// if one is missing, reading the record is an error that names it.
///
/// ```
/// use redis_keys::{prelude::*, types::record::Presence};
///
/// #[derive(RedisHash)]
/// struct Profile {
///     name: String,
///     email: Option<String>,
/// }
///
/// let presence: Vec<_> = Profile::FIELDS.iter().map(|field| field.presence).collect();
/// assert_eq!(presence, [Presence::Mandatory, Presence::Optional]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a record",
    label = "missing `#[derive(RedisHash)]`",
    note = "add `#[derive(RedisHash)]` to `{Self}` if it is a struct with named fields",
    note = "for a hash with any field names, write `field = String, value = u64`, for example"
)]
pub trait RedisHash: Sized {
    /// The declarations of the fields, in the order of the struct.
    const FIELDS: &'static [RecordField];

    /// Writes each field, in the order of [`FIELDS`](Self::FIELDS).
    #[doc(hidden)]
    fn write_record(&self, fields: &mut RecordWriter<'_>);

    /// Reads each field, in the same order.
    #[doc(hidden)]
    fn read_record(fields: &mut RecordReader<'_>) -> RecordResult<Self>;

    /// Returns the forms of the fields, and notes what is not known of them.
    #[cfg(feature = "values")]
    #[doc(hidden)]
    fn form(notes: &mut Vec<String>) -> crate::values::forms::Form {
        crate::values::forms::own::<Self>(notes)
    }
}

/// The declaration of a record's field, as in [`RedisHash::FIELDS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RecordField {
    /// The name under which the field is stored.
    pub name: &'static str,
    /// The stored form, as written in the declaration.
    pub form: &'static str,
    /// The value of the field if nothing is stored.
    pub presence: Presence,
    /// The field's own expiry, if it has one.
    pub ttl: Option<Duration>,
}

/// The value of a field if nothing is stored under its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Presence {
    /// The field has no such value: reading the record fails.
    Mandatory,
    /// `None`.
    Optional,
    /// The type's `Default`.
    Default,
}

#[doc(hidden)]
impl RecordField {
    pub const fn mandatory(name: &'static str, form: &'static str) -> Self {
        Self { name, form, presence: Presence::Mandatory, ttl: None }
    }

    pub const fn optional(name: &'static str, form: &'static str) -> Self {
        Self { name, form, presence: Presence::Optional, ttl: None }
    }

    pub const fn defaulted(name: &'static str, form: &'static str) -> Self {
        Self { name, form, presence: Presence::Default, ttl: None }
    }

    pub const fn expiring(self, ttl_ms: u64) -> Self {
        Self { ttl: Some(Duration::from_millis(ttl_ms)), ..self }
    }
}

/// Receives the fields of a record in their order: [`RedisHash::write_record`].
///
/// Its calls do not fail; it keeps the first error.
pub struct RecordWriter<'c> {
    fields: slice::Iter<'static, RecordField>,
    schema: &'static Schema,
    target: Target<'c>,
}

enum Target<'c> {
    /// Adds up the sizes, so that the command can reserve its buffer.
    Measure(RecordSize),
    Command {
        cmd: &'c mut Cmd,
        absent: Vec<&'static str>,
        error: Option<Box<Cause>>,
    },
}

/// The approximate size of a record's names and values in a command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct RecordSize {
    pub(crate) arguments: usize,
    pub(crate) bytes: usize,
    /// The number of absent fields.
    pub(crate) absent: usize,
}

impl<'c> RecordWriter<'c> {
    /// Measures a record.
    pub(crate) fn measure<R: RedisHash>(record: &R, schema: &'static Schema) -> RecordSize {
        let target = Target::Measure(RecordSize::default());
        let mut writer = RecordWriter { fields: R::FIELDS.iter(), schema, target };
        record.write_record(&mut writer);
        match writer.target {
            Target::Measure(size) => size,
            Target::Command { .. } => RecordSize::default(),
        }
    }

    /// Adds the name and value of each present field, and returns the absent fields' names.
    pub(crate) fn write<R: RedisHash>(
        record: &R,
        cmd: &'c mut Cmd,
        schema: &'static Schema,
    ) -> Result<Vec<&'static str>, Cause> {
        let target = Target::Command { cmd, absent: Vec::new(), error: None };
        let mut writer = Self { fields: R::FIELDS.iter(), schema, target };
        record.write_record(&mut writer);
        match writer.target {
            Target::Command { error: Some(cause), .. } => Err(*cause),
            Target::Command { absent, .. } => Ok(absent),
            Target::Measure(_) => Ok(Vec::new()),
        }
    }

    /// Adds the next field, which may be absent.
    #[allow(clippy::arithmetic_side_effects, reason = "what is in memory has fewer bytes than `usize::MAX`")]
    #[inline]
    pub(crate) fn field<V: Stored>(&mut self, value: Option<&V::Input>) {
        let Some(field) = self.fields.next() else { return };
        match (&mut self.target, value) {
            (Target::Measure(size), Some(value)) => {
                size.arguments += 2;
                size.bytes += field.name.len() + value::capacity::<V>(value, self.schema);
            }
            (Target::Measure(size), None) => size.absent += 1,
            (Target::Command { absent, .. }, None) => absent.push(field.name),
            (Target::Command { cmd, error, .. }, Some(value)) => {
                cmd.write_arg(field.name.as_bytes());
                if let Err(cause) = value::push_of_field::<V>(cmd, value, self.schema) {
                    error.get_or_insert_with(|| Box::new(field.encode_cause(cause)));
                }
            }
        }
    }
}

/// Returns the fields of a record in their order: [`RedisHash::read_record`].
pub struct RecordReader<'s> {
    fields: slice::Iter<'static, RecordField>,
    values: vec::IntoIter<Value>,
    sent: &'s ReplyContext<'s>,
}

/// The error of reading a record.
pub struct RecordError(ReplyError);

/// The result of reading a record, or a field of it.
pub type RecordResult<T> = Result<T, RecordError>;

impl<'s> RecordReader<'s> {
    /// Reads a record from a value for each field, in order; `None` if all values are nil.
    pub(crate) fn read<R: RedisHash>(values: Vec<Value>, sent: &'s ReplyContext<'s>) -> Result<Option<R>, ReplyError> {
        if values.len() != R::FIELDS.len() {
            return Err(ReplyError::unexpected());
        }
        if values.iter().all(|value| *value == Value::Nil) {
            return Ok(None);
        }
        Self::read_values(values, sent).map(Some)
    }

    /// Reads a record from names and values in any order. Unknown names are ignored.
    pub(crate) fn read_pairs<R: RedisHash>(
        pairs: impl Iterator<Item = (Value, Value)>,
        sent: &'s ReplyContext<'s>,
    ) -> Result<R, ReplyError> {
        let mut values: Vec<_> = iter::repeat_n(Value::Nil, R::FIELDS.len()).collect();
        for (name, value) in pairs {
            let index = R::FIELDS.iter().position(|field| is_name(&name, field.name));
            if let Some(slot) = index.and_then(|index| values.get_mut(index)) {
                *slot = value;
            }
        }
        Self::read_values(values, sent)
    }

    fn read_values<R: RedisHash>(values: Vec<Value>, sent: &'s ReplyContext<'s>) -> Result<R, ReplyError> {
        let mut reader = Self { fields: R::FIELDS.iter(), values: values.into_iter(), sent };
        R::read_record(&mut reader).map_err(|RecordError(fault)| fault)
    }

    /// Reads the next field, which may be missing.
    pub(crate) fn optional<V: Stored>(&mut self) -> RecordResult<Option<V::Output>> {
        let (field, value) = self.next()?;
        self.value::<V>(field, value).map_err(|fault| RecordError(field.decode_fault(fault)))
    }

    /// Reads the next field, which must exist.
    pub(crate) fn mandatory<V: Stored>(&mut self) -> RecordResult<V::Output> {
        let (field, value) = self.next()?;
        match self.value::<V>(field, value) {
            Ok(Some(value)) => Ok(value),
            Ok(None) => Err(RecordError(ReplyError::new(field.cause(FieldError::Missing)))),
            Err(fault) => Err(RecordError(field.decode_fault(fault))),
        }
    }

    fn value<V: Stored>(&self, field: &RecordField, value: Value) -> Result<Option<V::Output>, ReplyError> {
        value::read_at::<V>(value, Place::new(self.sent).of_field(field.name.as_bytes()))
    }

    fn next(&mut self) -> RecordResult<(&'static RecordField, Value)> {
        self.fields.next().zip(self.values.next()).ok_or_else(|| RecordError(ReplyError::unexpected()))
    }

    /// Fails, for a record that did not compile.
    ///
    /// # Errors
    ///
    /// Always.
    pub fn invalid<T>(&self) -> RecordResult<T> {
        Err(RecordError(ReplyError::unexpected()))
    }
}

/// Servers and protocol versions send text in different forms.
fn is_name(value: &Value, name: &str) -> bool {
    match value {
        Value::BulkString(bytes) => bytes == name.as_bytes(),
        Value::SimpleString(text) | Value::VerbatimString { text, .. } => text == name,
        _ => false,
    }
}

impl RecordField {
    fn cause(&self, error: FieldError) -> Cause {
        Cause::Field { name: self.name, form: self.form, error }
    }

    /// Adds the field to the cause of a value that cannot be encoded or is too large.
    #[cold]
    pub(super) fn encode_cause(&self, cause: Cause) -> Cause {
        match cause {
            Cause::Encode(stored) => self.cause(FieldError::Encode(stored)),
            Cause::ValueSize { bytes } => self.cause(FieldError::Size { bytes }),
            cause => cause,
        }
    }

    /// Adds the field to the fault of a value that cannot be decoded.
    #[cold]
    pub(super) fn decode_fault(&self, fault: ReplyError) -> ReplyError {
        fault.map(|cause| match cause {
            Cause::Decode { stored, bytes } => self.cause(FieldError::Decode { stored, bytes }),
            cause => cause,
        })
    }
}

/// The typed name of a record's field, such as the constant `Profile::EMAIL`.
/// `#[derive(RedisHash)]` adds a constant for each field. `R` is the record and `V` the field's stored form. `P` is
/// [`Mandatory`], [`Optional`] (for an `Option` and a field with a default) or [`Expiring`] (for a field with a `ttl`).
///
/// ```
/// use redis_keys::{prelude::*, types::record::{Field, Optional}};
///
/// #[derive(RedisHash)]
/// struct Profile {
///     name: String,
///     email: Option<String>,
/// }
///
/// let name: Field<Profile, String> = Profile::NAME;
/// let email: Field<Profile, String, Optional> = Profile::EMAIL;
/// assert_eq!((name.name(), email.name()), ("name", "email"));
/// ```
pub struct Field<R, V, P = Mandatory> {
    index: usize,
    types: Types<R, V, P>,
}

/// A field of the record `R`: one of its constants, such as `Profile::EMAIL`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a field of the record `{R}`",
    label = "expected a constant of `{R}`",
    note = "the fields of a record are its constants, in upper case: the field `name` is `{R}::NAME`"
)]
pub trait FieldOf<R> {
    /// Its stored form.
    type Form;

    /// Whether it can be missing: [`Mandatory`], [`Optional`] or [`Expiring`].
    type Presence;

    #[doc(hidden)]
    fn field(self) -> Field<R, Self::Form, Self::Presence>;
}

#[diagnostic::do_not_recommend]
impl<R, V, P> FieldOf<R> for Field<R, V, P> {
    type Form = V;
    type Presence = P;

    fn field(self) -> Self {
        self
    }
}

type Types<R, V, P> = PhantomData<fn() -> (R, V, P)>;

/// Marks a [`Field`] that every record has.
#[derive(Clone, Copy, Debug)]
pub struct Mandatory;

/// Marks a [`Field`] that can be missing.
#[derive(Clone, Copy, Debug)]
pub struct Optional;

/// Marks a [`Field`] that expires by itself, after its `ttl`.
#[derive(Clone, Copy, Debug)]
pub struct Expiring;

/// A marker of a [`Field`] that can be missing, and therefore removed.
#[diagnostic::on_unimplemented(
    message = "this field is mandatory: a record without it cannot be loaded",
    label = "mandatory field",
    note = "only fields that are an `Option` or have a `default` can be missing"
)]
pub trait MayBeMissing {}

/// The marker of a [`Field`] that expires by itself.
#[diagnostic::on_unimplemented(
    message = "this field declares no expiry",
    label = "missing `ttl`",
    note = "add `#[redis_hash(ttl = 10m)]` to the field"
)]
pub trait Expires: MayBeMissing {}

#[diagnostic::do_not_recommend]
impl MayBeMissing for Optional {}
#[diagnostic::do_not_recommend]
impl MayBeMissing for Expiring {}
#[diagnostic::do_not_recommend]
impl Expires for Expiring {}

/// The stored form of a [`Field`] that `HINCRBY` can change.
#[diagnostic::on_unimplemented(
    message = "counting needs an integer field, but this one stores `{Self}`",
    label = "cannot be counted",
    note = "declare the field as `u64` or another integer of up to 64 bits"
)]
pub trait Countable: Integer {
    /// The type itself, like [`Integer::Number`].
    type Step: Into<Self> + From<Self>;
}

#[diagnostic::do_not_recommend]
impl<V: Integer> Countable for V {
    type Step = V::Number;
}

impl<R, V, P> Field<R, V, P> {
    /// Creates the name of the field at an index in [`RedisHash::FIELDS`].
    #[doc(hidden)]
    pub const fn at(index: usize) -> Self {
        Self { index, types: PhantomData }
    }
}

impl<R: RedisHash, V, P> Field<R, V, P> {
    /// Returns the name under which the field is stored.
    pub fn name(self) -> &'static str {
        self.declared().map_or("", |declared| declared.name)
    }

    /// Returns the declaration of the field.
    pub(crate) fn declared(self) -> Option<&'static RecordField> {
        R::FIELDS.get(self.index)
    }
}

// Implemented by hand: a derive would add bounds on the parameters.
impl<R, V, P> Clone for Field<R, V, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R, V, P> Copy for Field<R, V, P> {}

impl<R: RedisHash, V, P> fmt::Debug for Field<R, V, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Field").field(&self.name()).finish()
    }
}

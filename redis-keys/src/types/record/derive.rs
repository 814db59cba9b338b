//! What `#[derive(RedisHash)]` implements and calls.

use std::{borrow::Borrow, time::Duration};

use super::{RecordReader, RecordResult, RecordWriter};
use crate::stored::Stored;

/// A record, declared by `#[derive(RedisHash)]`: a struct whose fields are stored one by one.
///
/// An `Option` that is `None` is not stored. A field with `#[redis_hash(default)]` that is missing, for example because an
/// older version wrote the record, is the `Default` of its type. All other fields are mandatory: reading a record without one
/// of them is an error that names it.
///
/// ```
/// use redis_keys::{prelude::*, record::Presence};
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
    fn read_record(fields: &mut RecordReader) -> RecordResult<Self>;
}

/// The declaration of a record's field: an element of [`RedisHash::FIELDS`].
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
    /// None: reading the record fails.
    Mandatory,
    /// `None`.
    Optional,
    /// The `Default` of its type.
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

/// The implementation of [`RedisHash`] and the constants of the fields, with what the derive fills in.
#[doc(hidden)]
#[macro_export]
macro_rules! __record {
    (
        $(#[$allow:meta])* $name:ident
        $(generics ($($params:tt)*) ($($arguments:tt)*) ($($bounds:tt)*))?
        $(phantom $phantom:ident)*
        $([
            $number:literal $field:ident $read:ident $write:ident
            ($($form:tt)*) $trait:ident $(<($($type:tt)*)>)?
            ($($declared:tt)*)
            ($($visibility:tt)*) $constant:ident $docs:literal ($($constant_type:tt)*)
        ])*
    ) => {
        #[automatically_derived]
        $(#[$allow])*
        impl $($($params)*)? $crate::RedisHash for $name $($($arguments)* $($bounds)*)? {
            const FIELDS: &'static [$crate::record::RecordField] = &[$($crate::record::RecordField::$($declared)*),*];

            fn write_record(&self, __fields: &mut $crate::__private::RecordWriter<'_>) {
                $(<$($form)* as $crate::__private::$trait $(<$($type)*>)?>::$write(&self.$field, __fields);)*
            }

            fn read_record(__fields: &mut $crate::__private::RecordReader) -> $crate::__private::RecordResult<Self> {
                ::core::result::Result::Ok(Self {
                    $($phantom: ::core::marker::PhantomData,)*
                    $($field: <$($form)* as $crate::__private::$trait $(<$($type)*>)?>::$read(__fields)?,)*
                })
            }
        }

        #[allow(dead_code)]
        $(#[$allow])*
        impl $($($params)*)? $name $($($arguments)* $($bounds)*)? {
            $(
                #[doc = $docs]
                $($visibility)* const $constant: $crate::record::Field<Self, $($constant_type)*> =
                    $crate::record::Field::at($number);
            )*
        }
    };
}

// There are two traits, so that each mistake gets its own message: a type without a form needs `#[redis_hash(value = …)]`, and
// the type that `value = …` names must be a form. The traits' own bounds cause these errors: further bounds on their methods
// would report them twice.

/// A stored form that is declared for a field of type `F`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a stored form",
    label = "cannot be stored",
    note = "write `Json<{Self}>` to store it as JSON, or implement `Stored` for a form of your own",
    note = "integers, floats, `bool`, `String`, `Vec<u8>` and `Bytes` are stored verbatim"
)]
#[allow(clippy::missing_errors_doc, reason = "only the derive calls these methods")]
pub trait FormOf<F> {
    /// Writes the next field.
    fn write(value: &F, fields: &mut RecordWriter<'_>);

    /// Writes the next field if it is present.
    fn write_option(value: &Option<F>, fields: &mut RecordWriter<'_>);

    /// Reads the next field.
    fn read(fields: &mut RecordReader) -> RecordResult<F>;

    /// Reads the next field if it exists.
    fn read_option(fields: &mut RecordReader) -> RecordResult<Option<F>>;

    /// Reads the next field, or returns the default if it is missing.
    fn read_or_default(fields: &mut RecordReader) -> RecordResult<F>
    where
        F: HasDefault,
    {
        Ok(Self::read_option(fields)?.unwrap_or_default())
    }
}

// The `Borrow` bound is on the form's output and not on `F`: where the two differ, this yields one error instead of two.
impl<F, V> FormOf<F> for V
where
    V: Stored<Output = F>,
    V::Output: Borrow<V::Input>,
{
    #[inline]
    fn write(value: &F, fields: &mut RecordWriter<'_>) {
        fields.field::<V>(Some(value.borrow()));
    }

    #[inline]
    fn write_option(value: &Option<F>, fields: &mut RecordWriter<'_>) {
        fields.field::<V>(value.as_ref().map(Borrow::borrow));
    }

    #[inline]
    fn read(fields: &mut RecordReader) -> RecordResult<F> {
        fields.mandatory::<V>()
    }

    #[inline]
    fn read_option(fields: &mut RecordReader) -> RecordResult<Option<F>> {
        fields.optional::<V>()
    }
}

/// A field's type that is its own stored form.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a stored form",
    label = "cannot be stored",
    note = "add `#[redis_hash(value = Json<{Self}>)]` to the field to store it as JSON, or implement `Stored` for a form of your own",
    note = "integers, floats, `bool`, `String`, `Vec<u8>` and `Bytes` are stored verbatim"
)]
#[allow(clippy::missing_errors_doc, reason = "only the derive calls these methods")]
pub trait OwnForm: Sized {
    /// Writes the next field.
    fn write(value: &Self, fields: &mut RecordWriter<'_>);

    /// Writes the next field if it is present.
    fn write_option(value: &Option<Self>, fields: &mut RecordWriter<'_>);

    /// Reads the next field.
    fn read(fields: &mut RecordReader) -> RecordResult<Self>;

    /// Reads the next field if it exists.
    fn read_option(fields: &mut RecordReader) -> RecordResult<Option<Self>>;

    /// Reads the next field, or returns the default if it is missing.
    fn read_or_default(fields: &mut RecordReader) -> RecordResult<Self>
    where
        Self: HasDefault,
    {
        Ok(Self::read_option(fields)?.unwrap_or_default())
    }
}

#[diagnostic::do_not_recommend]
impl<V: FormOf<V>> OwnForm for V {
    #[inline]
    fn write(value: &Self, fields: &mut RecordWriter<'_>) {
        <V as FormOf<V>>::write(value, fields);
    }

    #[inline]
    fn write_option(value: &Option<Self>, fields: &mut RecordWriter<'_>) {
        <V as FormOf<V>>::write_option(value, fields);
    }

    #[inline]
    fn read(fields: &mut RecordReader) -> RecordResult<Self> {
        <V as FormOf<V>>::read(fields)
    }

    #[inline]
    fn read_option(fields: &mut RecordReader) -> RecordResult<Option<Self>> {
        <V as FormOf<V>>::read_option(fields)
    }
}

/// The type of a field with `#[redis_hash(default)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not implement `Default`, which `#[redis_hash(default)]` needs",
    label = "no `Default`",
    note = "add `#[derive(Default)]` to `{Self}`, or use `Option<{Self}>` without `default`"
)]
pub trait HasDefault: Default {}

#[diagnostic::do_not_recommend]
impl<T: Default> HasDefault for T {}

//! Items that `#[derive(RedisHash)]` implements and calls.

use std::borrow::Borrow;

use super::codec::{RecordReader, RecordResult, RecordWriter};
use crate::stored::Stored;
#[cfg(feature = "values")]
use crate::values::forms::Form;

/// The implementation of [`RedisHash`] and the constants of the fields. The derive fills in the rest.
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
            const FIELDS: &'static [$crate::types::record::RecordField] = &[$($crate::types::record::RecordField::$($declared)*),*];

            fn write_record(&self, __fields: &mut $crate::__private::RecordWriter<'_>) {
                $(<$($form)* as $crate::__private::$trait $(<$($type)*>)?>::$write(&self.$field, __fields);)*
            }

            fn read_record(__fields: &mut $crate::__private::RecordReader<'_>) -> $crate::__private::RecordResult<Self> {
                ::core::result::Result::Ok(Self {
                    $($phantom: ::core::marker::PhantomData,)*
                    $($field: <$($form)* as $crate::__private::$trait $(<$($type)*>)?>::$read(__fields)?,)*
                })
            }

            $crate::__record_form! { $([($($form)*) $trait $(<($($type)*)>)?])* }
        }

        #[allow(dead_code)]
        $(#[$allow])*
        impl $($($params)*)? $name $($($arguments)* $($bounds)*)? {
            $(
                #[doc = $docs]
                $($visibility)* const $constant: $crate::types::record::Field<Self, $($constant_type)*> =
                    $crate::types::record::Field::at($number);
            )*
        }
    };
}

/// The form of a record. A `cfg` in a macro would be one of the crate that calls it.
#[cfg(feature = "values")]
#[doc(hidden)]
#[macro_export]
macro_rules! __record_form {
    ($([($($form:tt)*) $trait:ident $(<($($type:tt)*)>)?])*) => {
        fn form(__notes: &mut $crate::values::forms::Notes) -> $crate::values::forms::Form {
            let __forms: &[fn(&mut $crate::values::forms::Notes) -> $crate::values::forms::Form] =
                &[$(<$($form)* as $crate::__private::$trait $(<$($type)*>)?>::form),*];
            $crate::types::record::form_of(<Self as $crate::RedisHash>::FIELDS, __forms, __notes)
        }
    };
}

/// Nothing without the feature `values`.
#[cfg(not(feature = "values"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __record_form {
    ($($fields:tt)*) => {};
}

// Two traits give each mistake its own message: a type without a form needs `#[redis_hash(value = …)]`, and the type
// that `value = …` names must be a form. The traits' own bounds cause these errors, because further bounds on their
// methods would report them twice.

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
    fn read(fields: &mut RecordReader<'_>) -> RecordResult<F>;

    /// Reads the next field if it exists.
    fn read_option(fields: &mut RecordReader<'_>) -> RecordResult<Option<F>>;

    /// Returns the form.
    #[cfg(feature = "values")]
    fn form(notes: &mut Vec<String>) -> Form;

    /// Reads the next field, or returns the default if it is missing.
    fn read_or_default(fields: &mut RecordReader<'_>) -> RecordResult<F>
    where
        F: HasDefault,
    {
        Ok(Self::read_option(fields)?.unwrap_or_default())
    }
}

// The `Borrow` bound is on the form's output and not on `F`. If the two differ, this yields one error instead of two.
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
    fn read(fields: &mut RecordReader<'_>) -> RecordResult<F> {
        fields.mandatory::<V>()
    }

    #[inline]
    fn read_option(fields: &mut RecordReader<'_>) -> RecordResult<Option<F>> {
        fields.optional::<V>()
    }

    #[cfg(feature = "values")]
    fn form(notes: &mut Vec<String>) -> Form {
        <V as Stored>::form(notes)
    }
}

/// A field's type that is also its stored form.
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
    fn read(fields: &mut RecordReader<'_>) -> RecordResult<Self>;

    /// Reads the next field if it exists.
    fn read_option(fields: &mut RecordReader<'_>) -> RecordResult<Option<Self>>;

    /// Returns the form.
    #[cfg(feature = "values")]
    fn form(notes: &mut Vec<String>) -> Form;

    /// Reads the next field, or returns the default if it is missing.
    fn read_or_default(fields: &mut RecordReader<'_>) -> RecordResult<Self>
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
    fn read(fields: &mut RecordReader<'_>) -> RecordResult<Self> {
        <V as FormOf<V>>::read(fields)
    }

    #[inline]
    fn read_option(fields: &mut RecordReader<'_>) -> RecordResult<Option<Self>> {
        <V as FormOf<V>>::read_option(fields)
    }

    #[cfg(feature = "values")]
    fn form(notes: &mut Vec<String>) -> Form {
        <V as FormOf<V>>::form(notes)
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

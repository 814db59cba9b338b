//! What connects the type of a field with its stored form.
//!
//! The traits are two, so that each mistake has its words: a type without a form wants one at the field, and what is named as
//! a form has to be one. Errors come from the traits' own bounds: where a call has further ones they would be told twice.

#![allow(clippy::missing_errors_doc, reason = "the derive calls this, and nobody else")]

use std::borrow::Borrow;

use super::{Read, RecordReader, RecordWriter};
use crate::stored::Stored;

/// A stored form that is declared for a field of type `F`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say how it is stored",
    label = "write `Json<{Self}>`",
    note = "`Json<{Self}>` stores it as JSON; whole numbers, floats, `bool`, `String`, `Vec<u8>` and `Bytes` are stored as they are",
    note = "a form of your own implements `Stored`"
)]
pub trait FormOf<F> {
    /// Writes the next field.
    fn write(value: &F, fields: &mut RecordWriter<'_>);

    /// Writes the next field, if there is something to write.
    fn write_option(value: &Option<F>, fields: &mut RecordWriter<'_>);

    /// Reads the next field.
    fn read(fields: &mut RecordReader) -> Read<F>;

    /// Reads the next field, if there is one.
    fn read_option(fields: &mut RecordReader) -> Read<Option<F>>;

    /// Reads the next field, or takes the default where there is none.
    fn read_or_default(fields: &mut RecordReader) -> Read<F>
    where
        F: HasDefault,
    {
        Ok(Self::read_option(fields)?.unwrap_or_default())
    }
}

// That the form's output can be borrowed as its input is asked of the output, not of the field: where the two differ there is
// one error, not two.
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
    fn read(fields: &mut RecordReader) -> Read<F> {
        fields.mandatory::<V>()
    }

    #[inline]
    fn read_option(fields: &mut RecordReader) -> Read<Option<F>> {
        fields.optional::<V>()
    }
}

/// A field's type that is its own stored form.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say how it is stored",
    label = "add `#[redis_hash(value = Json<{Self}>)]` to the field",
    note = "`Json<{Self}>` stores it as JSON; whole numbers, floats, `bool`, `String`, `Vec<u8>` and `Bytes` are stored as they are",
    note = "a form of your own implements `Stored`"
)]
pub trait OwnForm: Sized {
    /// Writes the next field.
    fn write(value: &Self, fields: &mut RecordWriter<'_>);

    /// Writes the next field, if there is something to write.
    fn write_option(value: &Option<Self>, fields: &mut RecordWriter<'_>);

    /// Reads the next field.
    fn read(fields: &mut RecordReader) -> Read<Self>;

    /// Reads the next field, if there is one.
    fn read_option(fields: &mut RecordReader) -> Read<Option<Self>>;

    /// Reads the next field, or takes the default where there is none.
    fn read_or_default(fields: &mut RecordReader) -> Read<Self>
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
    fn read(fields: &mut RecordReader) -> Read<Self> {
        <V as FormOf<V>>::read(fields)
    }

    #[inline]
    fn read_option(fields: &mut RecordReader) -> Read<Option<Self>> {
        <V as FormOf<V>>::read_option(fields)
    }
}

/// The type of a field with `#[redis_hash(default)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no `Default`, which the field would be where it is missing",
    label = "no `Default`",
    note = "add `#[derive(Default)]` to `{Self}`, or write `Option<{Self}>` without `default`"
)]
pub trait HasDefault: Default {}

#[diagnostic::do_not_recommend]
impl<T: Default> HasDefault for T {}

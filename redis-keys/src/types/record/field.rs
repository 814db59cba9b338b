//! Typed names of a record's fields.

use std::{fmt, marker::PhantomData};

use super::{RecordField, RedisHash};
use crate::stored::Integer;

/// The typed name of a record's field, such as the constant `Profile::EMAIL`.
///
/// `#[derive(RedisHash)]` adds a constant for each field. `R` is the record and `V` the stored form of the field. `P` is
/// [`Mandatory`], [`Optional`] for an `Option` and a field with a default, or [`Expiring`] for a field with a `ttl`.
///
/// ```
/// use redis_keys::{prelude::*, record::{Field, Optional}};
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
    types: PhantomData<fn() -> (R, V, P)>,
}

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
pub trait Counted: Integer {
    /// The type itself, as [`Integer::Number`].
    type Step: Into<Self> + From<Self>;
}

#[diagnostic::do_not_recommend]
impl<V: Integer> Counted for V {
    type Step = V::Number;
}

impl<R, V, P> Field<R, V, P> {
    /// Creates the name of the field at this index of [`RedisHash::FIELDS`].
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

// Without the bounds on the parameters that a derive would add.
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

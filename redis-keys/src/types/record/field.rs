//! The constants that name a record's fields.

use std::{fmt, marker::PhantomData};

use super::{RecordField, RedisHash};
use crate::stored::Integer;

/// A field of a record: a constant such as `Profile::EMAIL`, which `#[derive(RedisHash)]` adds to the struct.
///
/// `R` is the record and `V` the stored form of the field. `P` tells whether the field may be missing: [`Mandatory`],
/// [`Optional`] for an `Option` and for what has a default, [`Expiring`] for what goes away by itself.
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
    number: usize,
    of: Named<R, V, P>,
}

/// It holds none of them.
type Named<R, V, P> = PhantomData<fn() -> (R, V, P)>;

/// Of a [`Field`]: each record has it.
#[derive(Clone, Copy, Debug)]
pub struct Mandatory;

/// Of a [`Field`]: it may be missing.
#[derive(Clone, Copy, Debug)]
pub struct Optional;

/// Of a [`Field`]: it goes away by itself, after the `ttl` that it declares.
#[derive(Clone, Copy, Debug)]
pub struct Expiring;

/// That a [`Field`] may be missing, so that it can be removed.
#[diagnostic::on_unimplemented(
    message = "this field is mandatory: a record without it could not be loaded",
    label = "always there",
    note = "only a field that is an `Option`, or has a `default`, can be missing"
)]
pub trait MayBeMissing {}

/// That a [`Field`] goes away by itself.
#[diagnostic::on_unimplemented(
    message = "this field declares no expiry",
    label = "stays as long as the record",
    note = "add `#[redis_hash(ttl = 10m)]` to the field"
)]
pub trait Expires: MayBeMissing {}

#[diagnostic::do_not_recommend]
impl MayBeMissing for Optional {}
#[diagnostic::do_not_recommend]
impl MayBeMissing for Expiring {}
#[diagnostic::do_not_recommend]
impl Expires for Expiring {}

/// That a [`Field`] holds a whole number, which Redis can count.
#[diagnostic::on_unimplemented(
    message = "this field holds `{Self}`, and only a whole number can be counted",
    label = "cannot be counted",
    note = "whole numbers of up to 64 bits can, such as `u64`"
)]
pub trait Counted: Integer {
    /// The type itself, as [`Integer::Number`] is.
    type Step: Into<Self> + From<Self>;
}

#[diagnostic::do_not_recommend]
impl<V: Integer> Counted for V {
    type Step = V::Number;
}

impl<R, V, P> Field<R, V, P> {
    /// The field of that number.
    #[doc(hidden)]
    pub const fn at(number: usize) -> Self {
        Self { number, of: PhantomData }
    }
}

impl<R: RedisHash, V, P> Field<R, V, P> {
    /// The name under which it is stored.
    pub fn name(self) -> &'static str {
        self.declared().map_or("", |declared| declared.name)
    }

    /// What is declared of it.
    pub(crate) fn declared(self) -> Option<&'static RecordField> {
        R::FIELDS.get(self.number)
    }
}

// Whatever the parameters are: they are names here.
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

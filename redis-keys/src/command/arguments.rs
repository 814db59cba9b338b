//! The arguments of a redis command after its key.
//!
//! An accessor passes them as a tuple, such as `(MaxLen, value::<V>(member))`. Each argument reports its count and
//! size, so that the buffers are allocated once: growing them costs more than all other work of building the command.

#![allow(clippy::arithmetic_side_effects, reason = "what is in memory has fewer bytes than `usize::MAX`")]

use std::borrow::Borrow;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Add;

use redis::{Cmd, RedisWrite as _};

use super::value;
use crate::error::Cause;
use crate::schema::{Draw as _, Expiry, Renew, Schema};
use crate::stored::Stored;

/// The maximum number of elements in a call. A command with more would hold up other clients.
pub(crate) const MAX_ELEMENTS: usize = 500;

/// The cap of a collection that declares none: more elements than it can have.
pub(crate) const UNLIMITED: u64 = u32::MAX as u64;

/// Arguments that can be added to a command.
pub(crate) trait Arguments: Sized {
    /// The space that the arguments are expected to need.
    fn capacity(&self, schema: &'static Schema) -> Capacity;

    /// Adds the arguments, and returns whether there is anything to read or write.
    fn push(self, cmd: &mut Cmd, schema: &'static Schema) -> Result<Amount, Cause>;
}

/// The space that arguments need in a command.
#[derive(Clone, Copy, Default)]
pub(crate) struct Capacity {
    pub(crate) arguments: usize,
    pub(crate) bytes: usize,
}

impl Capacity {
    #[inline]
    pub(crate) const fn new(arguments: usize, bytes: usize) -> Self {
        Self { arguments, bytes }
    }
}

impl Add for Capacity {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        Self { arguments: self.arguments + other.arguments, bytes: self.bytes + other.bytes }
    }
}

/// Whether a command has anything to read or write. An empty command is not sent.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Amount {
    Some,
    Nothing,
}

impl Amount {
    #[inline]
    fn and(self, other: Self) -> Self {
        if self == Self::Nothing { self } else { other }
    }
}

macro_rules! tuples {
    ($($($name:ident)*;)*) => {$(
        #[allow(non_snake_case, unused_variables, reason = "the values are named after their types")]
        impl<$($name: Arguments),*> Arguments for ($($name,)*) {
            #[inline]
            fn capacity(&self, schema: &'static Schema) -> Capacity {
                let ($($name,)*) = self;
                Capacity::default() $(+ $name.capacity(schema))*
            }

            #[inline]
            fn push(self, cmd: &mut Cmd, schema: &'static Schema) -> Result<Amount, Cause> {
                let ($($name,)*) = self;
                let amount = Amount::Some;
                $(let amount = amount.and($name.push(cmd, schema)?);)*
                Ok(amount)
            }
        }
    )*};
}

tuples! {
    ;
    A B;
    A B C;
    A B C D;
    A B C D E;
    A B C D E F;
}

/// Implements [`Arguments`] for one argument of a fixed size.
macro_rules! argument {
    ($type:ty, $bytes:literal, |$value:pat_param, $cmd:ident $(, $schema:ident)?| $push:expr) => {
        impl Arguments for $type {
            #[inline]
            fn capacity(&self, _schema: &'static Schema) -> Capacity {
                Capacity::new(1, $bytes)
            }

            #[inline]
            fn push(self, $cmd: &mut Cmd, _schema: &'static Schema) -> Result<Amount, Cause> {
                let $value = self;
                $(let $schema = _schema;)?
                $push;
                Ok(Amount::Some)
            }
        }
    };
}

argument!(u32, 10, |number, cmd| cmd.arg(number));
argument!(i32, 11, |number, cmd| cmd.arg(number));
argument!(u64, 20, |number, cmd| cmd.arg(number));
argument!(i64, 20, |number, cmd| cmd.arg(number));
argument!(&str, 12, |word, cmd| cmd.write_arg(word.as_bytes()));
argument!(fmt::Arguments<'_>, 20, |text, cmd| cmd.write_arg_fmt(text));

impl Arguments for &[u8] {
    #[inline]
    fn capacity(&self, _schema: &'static Schema) -> Capacity {
        Capacity::new(1, self.len())
    }

    #[inline]
    fn push(self, cmd: &mut Cmd, _schema: &'static Schema) -> Result<Amount, Cause> {
        cmd.write_arg(self);
        Ok(Amount::Some)
    }
}

impl<A: Arguments> Arguments for Option<A> {
    #[inline]
    fn capacity(&self, schema: &'static Schema) -> Capacity {
        self.as_ref().map_or(Capacity::default(), |arguments| arguments.capacity(schema))
    }

    #[inline]
    fn push(self, cmd: &mut Cmd, schema: &'static Schema) -> Result<Amount, Cause> {
        self.map_or(Ok(Amount::Some), |arguments| arguments.push(cmd, schema))
    }
}

/// The cap of the collection.
pub(crate) struct MaxLen;

argument!(MaxLen, 5, |Self, cmd, schema| cmd.arg(schema.max_len.unwrap_or(UNLIMITED)));

// The expiry in the format of scripts: the milliseconds or an empty text, with a minus if each write restarts it.
argument!(Expiry, 14, |expiry, cmd, schema| {
    let restarts = matches!(schema.renew, Some(Renew::Write | Renew::Read));
    match expiry.draw() {
        Some(ms) if restarts => cmd.write_arg_fmt(format_args!("-{ms}")),
        Some(ms) => _ = cmd.arg(ms),
        None => cmd.write_arg(b""),
    }
});

/// A value, or an element of a collection.
#[inline]
pub(crate) fn value<V: Stored>(value: &V::Input) -> Value<'_, V> {
    Value { value, form: PhantomData }
}

pub(crate) struct Value<'v, V: Stored> {
    value: &'v V::Input,
    form: PhantomData<fn() -> V>,
}

impl<V: Stored> Arguments for Value<'_, V> {
    #[inline]
    fn capacity(&self, schema: &'static Schema) -> Capacity {
        Capacity::new(1, value::capacity::<V>(self.value, schema))
    }

    #[inline]
    fn push(self, cmd: &mut Cmd, schema: &'static Schema) -> Result<Amount, Cause> {
        value::push::<V>(cmd, self.value, schema).map(|()| Amount::Some)
    }
}

/// Up to 500 values.
pub(crate) fn values<V, I>(values: I) -> impl Arguments
where
    V: Stored,
    I: IntoIterator,
    I::Item: Borrow<V::Input>,
{
    each(1, values, |cmd, schema, element| value::push::<V>(cmd, element.borrow(), schema))
}

/// Up to 500 elements, each with `width` arguments.
pub(crate) fn each<I, F>(width: usize, elements: I, push: F) -> Each<I::IntoIter, F>
where
    I: IntoIterator,
    F: FnMut(&mut Cmd, &'static Schema, I::Item) -> Result<(), Cause>,
{
    Each { width, elements: elements.into_iter(), push }
}

pub(crate) struct Each<I, F> {
    width: usize,
    elements: I,
    push: F,
}

impl<I, F> Arguments for Each<I, F>
where
    I: Iterator,
    F: FnMut(&mut Cmd, &'static Schema, I::Item) -> Result<(), Cause>,
{
    fn capacity(&self, _schema: &'static Schema) -> Capacity {
        // Some iterators promise any number.
        let arguments = self.width * self.elements.size_hint().0.min(MAX_ELEMENTS);
        Capacity::new(arguments, 16 * arguments)
    }

    fn push(mut self, cmd: &mut Cmd, schema: &'static Schema) -> Result<Amount, Cause> {
        let mut amount = Amount::Nothing;
        for (index, element) in self.elements.enumerate() {
            if index == MAX_ELEMENTS {
                return Err(Cause::TooMany { most: MAX_ELEMENTS as u64 });
            }
            (self.push)(cmd, schema, element)?;
            amount = Amount::Some;
        }
        Ok(amount)
    }
}

/// The number of requested elements, 500 at most. With 0 there is nothing to do.
pub(crate) struct Count(pub(crate) u32);

impl Arguments for Count {
    #[inline]
    fn capacity(&self, _schema: &'static Schema) -> Capacity {
        Capacity::new(1, 3)
    }

    fn push(self, cmd: &mut Cmd, _schema: &'static Schema) -> Result<Amount, Cause> {
        let Self(count) = self;
        cmd.arg(checked_count(count)?);
        Ok(if count == 0 { Amount::Nothing } else { Amount::Some })
    }
}

/// Checks a number of elements against the maximum for a call.
pub(crate) fn checked_count(count: u32) -> Result<u32, Cause> {
    if count as usize > MAX_ELEMENTS { Err(Cause::TooMany { most: MAX_ELEMENTS as u64 }) } else { Ok(count) }
}

/// A float with the shortest text that reads as the same number.
pub(crate) struct Float(pub(crate) f64);

argument!(Float, 24, |number, cmd| cmd.write_arg_fmt(number));

impl fmt::Display for Float {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(number) = *self;
        // A very large or very small number has many plain digits.
        let plain = number == 0.0 || (1e-5..1e16).contains(&number.abs());
        match number {
            f64::INFINITY => f.write_str("+inf"),
            f64::NEG_INFINITY => f.write_str("-inf"),
            _ if plain => write!(f, "{number}"),
            _ => write!(f, "{number:e}"),
        }
    }
}

/// Arguments that a function adds.
pub(crate) fn with<F>(capacity: Capacity, push: F) -> With<F>
where
    F: FnOnce(&mut Cmd, &'static Schema) -> Result<Amount, Cause>,
{
    With { capacity, push }
}

pub(crate) struct With<F> {
    capacity: Capacity,
    push: F,
}

impl<F> Arguments for With<F>
where
    F: FnOnce(&mut Cmd, &'static Schema) -> Result<Amount, Cause>,
{
    #[inline]
    fn capacity(&self, _schema: &'static Schema) -> Capacity {
        self.capacity
    }

    #[inline]
    fn push(self, cmd: &mut Cmd, schema: &'static Schema) -> Result<Amount, Cause> {
        (self.push)(cmd, schema)
    }
}

//! Text as a parameter, and what stands in front of another parameter type.

use std::{borrow::Cow, sync::Arc};

use super::{KeySegment, ParseSegment, SegmentWriter};
use crate::parameter::ValueSet;

#[diagnostic::do_not_recommend]
impl KeySegment for str {
    const LONGEST: Option<usize> = None;

    #[inline]
    fn write(&self, out: &mut SegmentWriter<'_>) {
        out.text(self);
    }
}

#[diagnostic::do_not_recommend]
impl KeySegment for String {
    const LONGEST: Option<usize> = None;

    #[inline]
    fn write(&self, out: &mut SegmentWriter<'_>) {
        out.text(self);
    }
}

macro_rules! pointers {
    ($($pointer:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T: KeySegment + ?Sized> KeySegment for $pointer {
            const LONGEST: Option<usize> = T::LONGEST;
            const DOTTED: bool = T::DOTTED;
            const VALUES: ValueSet = T::VALUES;

            #[inline]
            fn write(&self, out: &mut SegmentWriter<'_>) {
                T::write(self, out);
            }
        }
    )*};
}

pointers!(&T Box<T> Arc<T>);

#[diagnostic::do_not_recommend]
impl<T: KeySegment + ToOwned + ?Sized> KeySegment for Cow<'_, T> {
    const LONGEST: Option<usize> = T::LONGEST;
    const DOTTED: bool = T::DOTTED;
    const VALUES: ValueSet = T::VALUES;

    #[inline]
    fn write(&self, out: &mut SegmentWriter<'_>) {
        T::write(self, out);
    }
}

#[diagnostic::do_not_recommend]
impl<'k: 't, 't> ParseSegment<'k> for &'t str {
    fn parse(text: &'k str) -> Result<Self, &'static str> {
        Ok(text)
    }
}

#[diagnostic::do_not_recommend]
impl<'k: 't, 't> ParseSegment<'k> for Cow<'t, str> {
    fn parse(text: &'k str) -> Result<Self, &'static str> {
        Ok(Cow::Borrowed(text))
    }
}

macro_rules! owned {
    ($($owned:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl ParseSegment<'_> for $owned {
            fn parse(text: &str) -> Result<Self, &'static str> {
                Ok(text.into())
            }
        }
    )*};
}

owned!(String Box<str> Arc<str>);

macro_rules! around_others {
    ($($pointer:ident)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<'k, T: ParseSegment<'k>> ParseSegment<'k> for $pointer<T> {
            fn parse(text: &'k str) -> Result<Self, &'static str> {
                T::parse(text).map($pointer::new)
            }
        }
    )*};
}

around_others!(Box Arc);

//! Text as a parameter, and smart pointers to other parameter types.

use std::borrow::Cow;
use std::sync::Arc;

use super::{KeySegment, ParseSegment, SegmentWriter, ValueSet};

macro_rules! text {
    ($($text:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl KeySegment for $text {
            const LONGEST: Option<usize> = None;

            #[inline]
            fn write(&self, out: &mut SegmentWriter<'_>) {
                out.text(self);
            }
        }
    )*};
}

text!(str String);

macro_rules! pointers {
    ($([$($bound:ident)?] $pointer:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T: KeySegment $(+ $bound)? + ?Sized> KeySegment for $pointer {
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

pointers! {
    [] &T;
    [] Box<T>;
    [] Arc<T>;
    [ToOwned] Cow<'_, T>;
}

macro_rules! parse_text {
    ($($owned:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl ParseSegment<'_> for $owned {
            fn parse(text: &str) -> Result<Self, &'static str> {
                Ok(text.into())
            }
        }
    )*};
}

parse_text!(String Box<str> Arc<str>);

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

macro_rules! parse_pointers {
    ($($pointer:ident)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<'k, T: ParseSegment<'k>> ParseSegment<'k> for $pointer<T> {
            fn parse(text: &'k str) -> Result<Self, &'static str> {
                T::parse(text).map($pointer::new)
            }
        }
    )*};
}

parse_pointers!(Box Arc);

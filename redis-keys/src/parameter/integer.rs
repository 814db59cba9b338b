//! Whole numbers and `bool` as parameters.

use std::num::NonZero;

use super::{KeySegment, ParseSegment, SegmentWriter};
use crate::parameter::ValueSet;

pub(super) const NEGATIVE: &str = "is negative; a key has no sign";

macro_rules! unsigned {
    ($($number:ident)*) => {$(
        #[diagnostic::do_not_recommend]
        impl KeySegment for $number {
            const LONGEST: Option<usize> = Some($number::MAX.ilog10() as usize + 1);
            const VALUES: ValueSet = ValueSet::up_to($number::MAX as u128);

            #[inline]
            fn write(&self, out: &mut SegmentWriter<'_>) {
                out.digits(itoa::Buffer::new().format(*self));
            }
        }

        #[diagnostic::do_not_recommend]
        impl ParseSegment<'_> for $number {
            fn parse(text: &str) -> Result<Self, &'static str> {
                digits(text)?.parse().map_err(|_| concat!("is no whole number that a `", stringify!($number), "` can be"))
            }
        }
    )*};
}

macro_rules! signed {
    ($($number:ident)*) => {$(
        #[diagnostic::do_not_recommend]
        impl KeySegment for $number {
            const LONGEST: Option<usize> = Some($number::MAX.ilog10() as usize + 1);
            const VALUES: ValueSet = ValueSet::up_to($number::MAX as u128);

            #[inline]
            fn write(&self, out: &mut SegmentWriter<'_>) {
                if *self < 0 {
                    return out.refuse(NEGATIVE);
                }
                out.digits(itoa::Buffer::new().format(*self));
            }
        }

        #[diagnostic::do_not_recommend]
        impl ParseSegment<'_> for $number {
            fn parse(text: &str) -> Result<Self, &'static str> {
                digits(text)?.parse().map_err(|_| concat!("is no whole number that a `", stringify!($number), "` can be"))
            }
        }
    )*};
}

macro_rules! non_zero {
    ($($number:ident)*) => {$(
        #[diagnostic::do_not_recommend]
        impl KeySegment for NonZero<$number> {
            const LONGEST: Option<usize> = $number::LONGEST;
            const VALUES: ValueSet = ValueSet::Number { from: 1, to: $number::MAX as u128 };

            #[inline]
            fn write(&self, out: &mut SegmentWriter<'_>) {
                self.get().write(out);
            }
        }

        #[diagnostic::do_not_recommend]
        impl ParseSegment<'_> for NonZero<$number> {
            fn parse(text: &str) -> Result<Self, &'static str> {
                Self::new($number::parse(text)?).ok_or("is 0, which it cannot be")
            }
        }
    )*};
}

/// Digits as a number has them.
fn digits(text: &str) -> Result<&str, &'static str> {
    if text.len() > 1 && text.starts_with('0') {
        return Err("starts with a 0, as no number in a key does");
    }
    Ok(text)
}

unsigned!(u8 u16 u32 u64 u128 usize);
signed!(i8 i16 i32 i64 i128 isize);
non_zero!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

#[diagnostic::do_not_recommend]
impl KeySegment for bool {
    const LONGEST: Option<usize> = Some("false".len());
    const VALUES: ValueSet = ValueSet::OneOf(&["false", "true"]);

    fn write(&self, out: &mut SegmentWriter<'_>) {
        out.digits(if *self { "true" } else { "false" });
    }
}

#[diagnostic::do_not_recommend]
impl ParseSegment<'_> for bool {
    fn parse(text: &str) -> Result<Self, &'static str> {
        text.parse().map_err(|_| "is neither `true` nor `false`")
    }
}

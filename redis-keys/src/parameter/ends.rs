//! Spans of the calendar whose end a ttl counts from: `ttl_from_end_of = month`.

use super::Newtype;
use crate::parameter::bucket::{Day, Hour, Month, Year};

/// What lies in such a span, or is one.
#[diagnostic::on_unimplemented(
    message = "the ttl counts from the end of a `{Span}`, and this is a `{Self}`",
    label = "expected `{Span}`",
    note = "the field that `ttl_from_end_of` names is a `Year`, `Month`, `Day` or `Hour` of `redis_keys::bucket`; where it names the `day`, a date of `chrono`, `jiff` or `time` will do"
)]
pub trait Ends<Span> {
    /// The end in seconds since 1970; `None` of a date that is outside the calendar, which no key can hold.
    fn ends(&self) -> Option<i64>;
}

macro_rules! buckets {
    ($($bucket:ident)*) => {$(
        #[diagnostic::do_not_recommend]
        impl Ends<$bucket> for $bucket {
            fn ends(&self) -> Option<i64> {
                Some(self.end_seconds())
            }
        }

        lent!($bucket as $bucket);
    )*};
}

/// A reference to it, which cannot be had for all types at once beside newtypes.
macro_rules! lent {
    ($type:ty as $span:ident) => {
        #[diagnostic::do_not_recommend]
        impl Ends<$span> for &$type {
            fn ends(&self) -> Option<i64> {
                <$type>::ends(self)
            }
        }
    };
}

buckets!(Year Month Day Hour);

macro_rules! dates {
    ($($feature:literal $date:ty;)*) => {$(
        #[cfg(feature = $feature)]
        #[diagnostic::do_not_recommend]
        impl Ends<Day> for $date {
            fn ends(&self) -> Option<i64> {
                Day::try_from(*self).ok().map(Day::end_seconds)
            }
        }

        #[cfg(feature = $feature)]
        lent!($date as Day);
    )*};
}

dates! {
    "chrono" chrono::NaiveDate;
    "jiff" jiff::civil::Date;
    "time" time::Date;
}

#[diagnostic::do_not_recommend]
impl<Span, T: Newtype<Inner: Ends<Span>> + ?Sized> Ends<Span> for T {
    fn ends(&self) -> Option<i64> {
        self.inner().ends()
    }
}

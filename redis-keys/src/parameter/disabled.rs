//! Traits for parameters of other crates' types whose feature is disabled, so that the compiler can name the missing
//! feature.
//!
//! The derives know only the name of a type. Therefore every parameter type implements these traits, even a user's type
//! that is called `Uuid`. The messages are written out because `#[diagnostic::on_unimplemented]` takes only literals.

#![allow(unused_imports, unused_macros, reason = "nothing is left if all features are enabled")]

use super::{KeySegment, SegmentWriter, ValueSet};
use crate::key::KeyWriter;

macro_rules! disabled {
    ($enabled:ident, $message:literal, $label:literal, $note:literal, $own:literal) => {
        #[doc(hidden)]
        #[diagnostic::on_unimplemented(message = $message, label = $label, note = $note, note = $own)]
        pub trait $enabled {
            const LONGEST: Option<usize>;
            const DOTTED: bool;
            const VALUES: ValueSet;

            fn write(&self, out: &mut SegmentWriter<'_>);
            fn segment(&self, key: &mut KeyWriter, before: &'static str);
            fn word(&self, key: &mut KeyWriter, before: &'static str);
        }

        #[diagnostic::do_not_recommend]
        impl<T: KeySegment + ?Sized> $enabled for T {
            const LONGEST: Option<usize> = T::LONGEST;
            const DOTTED: bool = T::DOTTED;
            const VALUES: ValueSet = T::VALUES;

            #[inline]
            fn write(&self, out: &mut SegmentWriter<'_>) {
                KeySegment::write(self, out);
            }

            #[inline]
            fn segment(&self, key: &mut KeyWriter, before: &'static str) {
                KeySegment::segment(self, key, before);
            }

            #[inline]
            fn word(&self, key: &mut KeyWriter, before: &'static str) {
                KeySegment::word(self, key, before);
            }
        }
    };
}

#[cfg(not(feature = "uuid"))]
disabled! {
    UuidEnabled,
    "a parameter of type `Uuid` needs the feature `uuid` of redis-keys",
    "the feature `uuid` is disabled",
    "run `cargo add redis-keys --features uuid`",
    "if this is a type of your own, implement `KeySegment` for it"
}

#[cfg(not(feature = "chrono"))]
disabled! {
    ChronoEnabled,
    "a parameter of type `NaiveDate` needs the feature `chrono` of redis-keys",
    "the feature `chrono` is disabled",
    "run `cargo add redis-keys --features chrono`",
    "if this is a type of your own, implement `KeySegment` for it"
}

#[cfg(not(feature = "time"))]
disabled! {
    TimeEnabled,
    "a parameter of type `time::Date` needs the feature `time` of redis-keys",
    "the feature `time` is disabled",
    "run `cargo add redis-keys --features time`",
    "if this is a type of your own, implement `KeySegment` for it"
}

#[cfg(not(feature = "jiff"))]
disabled! {
    JiffEnabled,
    "a parameter of type `jiff::civil::Date` needs the feature `jiff` of redis-keys",
    "the feature `jiff` is disabled",
    "run `cargo add redis-keys --features jiff`",
    "if this is a type of your own, implement `KeySegment` for it"
}

#[cfg(not(any(feature = "jiff", feature = "time")))]
disabled! {
    DateEnabled,
    "a parameter of type `Date` needs the feature `time` or `jiff` of redis-keys",
    "the features `time` and `jiff` are disabled",
    "run `cargo add redis-keys --features time` or `cargo add redis-keys --features jiff`",
    "if this is a type of your own, implement `KeySegment` for it"
}

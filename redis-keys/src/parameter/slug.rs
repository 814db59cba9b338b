//! Slugs as parameters: `#[redis_key(slug)]` writes `green-tea` as `green.tea`.
//!
//! A hyphen is the only byte of a slug that keys cannot contain, and a `.` is the only byte of keys that slugs cannot
//! contain, so different slugs write different text.

use std::borrow::Cow;
use std::sync::Arc;

use redis_keys_core::limits::is_word_byte;

use super::{FromInner, KeySegment, Newtype, ParseSegment, SegmentWriter};
use crate::key::KeyWriter;

/// A value that can be a slug.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a slug",
    label = "not text",
    note = "text (`String`, `&str`, …) and newtypes of text with `#[derive(KeySegment)]` can be slugs; integers and `Uuid` need no option"
)]
pub trait Slug {
    /// The length of the longest value: the option may bound it.
    const LONGEST: Option<usize> = None;

    /// Returns the text with hyphens.
    fn as_text(&self) -> &str;

    /// Writes the literal text before the parameter, and the slug.
    #[doc(hidden)]
    fn segment(&self, key: &mut KeyWriter, before: &'static str, max_bytes: u32) {
        key.literal(before);
        write_slug(self.as_text(), &mut key.segment(), max_bytes);
    }
}

fn write_slug(text: &str, out: &mut SegmentWriter<'_>, max_bytes: u32) {
    let is_word = |word: &str| !word.is_empty() && word.bytes().all(is_word_byte);
    if u32::try_from(text.len()).is_ok_and(|bytes| bytes > max_bytes) {
        return out.reject("has more bytes than its option `slug` allows");
    }
    // Empty text is rejected later, as for every parameter.
    if !text.is_empty() && !text.split('-').all(is_word) {
        return out.reject("is not a slug: it can contain `a` to `z`, `0` to `9`, and single `-` between them");
    }
    for (index, word) in text.split('-').enumerate() {
        if index > 0 {
            out.text(".");
        }
        out.digits(word);
    }
}

/// A slug that can be created from its text.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be parsed from a key",
    label = "cannot be created from the text of a slug",
    note = "`String`, `Box<str>`, `Arc<str>` and `Cow<str>` can be parsed, and newtypes of them with `#[derive(KeySegment)]`; a `&str` cannot, since the key contains other text"
)]
pub trait FromText: Slug + Sized {
    /// Creates the value.
    fn from_text(text: String) -> Self;
}

macro_rules! slug {
    ($($borrowed:ty)*; $($owned:ty)*) => {
        $(
            #[diagnostic::do_not_recommend]
            impl Slug for $borrowed {
                fn as_text(&self) -> &str {
                    self
                }
            }
        )*
        $(
            #[diagnostic::do_not_recommend]
            impl Slug for $owned {
                fn as_text(&self) -> &str {
                    self
                }
            }

            #[diagnostic::do_not_recommend]
            impl FromText for $owned {
                fn from_text(text: String) -> Self {
                    text.into()
                }
            }
        )*
    };
}

slug!(str &str &String; String Box<str> Arc<str> Cow<'_, str>);

#[doc(hidden)]
#[diagnostic::do_not_recommend]
impl<T: Newtype<Inner: Slug> + ?Sized> Slug for T {
    fn as_text(&self) -> &str {
        self.inner().as_text()
    }
}

#[diagnostic::do_not_recommend]
impl<T: FromInner<Inner: FromText>> FromText for T {
    fn from_text(text: String) -> Self {
        T::from_inner(T::Inner::from_text(text))
    }
}

/// A slug that was parsed from a key.
pub struct FromSlug<T, const MAX_BYTES: u32>(pub T);

#[diagnostic::do_not_recommend]
impl<T: Slug, const MAX_BYTES: u32> KeySegment for FromSlug<T, MAX_BYTES> {
    const LONGEST: Option<usize> = None;

    fn write(&self, out: &mut SegmentWriter<'_>) {
        write_slug(self.0.as_text(), out, MAX_BYTES);
    }
}

// The error is about `FromText`.
impl<T: FromText, const MAX_BYTES: u32> ParseSegment<'_> for FromSlug<T, MAX_BYTES> {
    fn parse(text: &str) -> Result<Self, &'static str> {
        Ok(Self(T::from_text(text.replace('.', "-"))))
    }
}

//! Types that can be parameters of a key.

pub mod bucket;
#[cfg(any(feature = "base32", feature = "digest"))]
mod bytes;
#[doc(hidden)]
pub mod disabled;
mod encoding;
#[cfg(any(feature = "chrono", feature = "jiff", feature = "time", feature = "uuid"))]
mod external;
mod ip;
pub(crate) mod legacy;
mod number;
pub(crate) mod parse;
mod slug;
#[cfg(test)]
mod tests;
mod text;

pub use bucket::BucketEnd;
#[doc(hidden)]
pub use encoding::FromBase32;
pub use encoding::{Base32, Digest};
#[doc(hidden)]
pub use legacy::{FromLegacy, FromLegacyText};
pub use number::Shardable;
pub(crate) use parse::{write_whole, writes};
pub use redis_keys_core::ValueSet;
#[doc(hidden)]
pub use slug::FromSlug;
pub use slug::Slug;

use crate::key::KeyWriter;
pub use crate::key::writer::SegmentWriter;

/// A type that can be a parameter of a key.
///
/// Integers, `bool`, text, IP addresses and the calendar buckets in [`bucket`] implement it. So do `Uuid` and dates,
/// with the features of their crates. You derive it for enums of names and for newtypes:
///
/// ```
/// use redis_keys::prelude::*;
///
/// #[derive(KeySegment)]
/// struct UserId(u64);
///
/// #[derive(KeySegment)]
/// enum Section {
///     BasicInfo,
///     #[redis_key(rename = "orders")]
///     PastOrders,
/// }
///
/// #[derive(RedisKey)]
/// #[redis_key(user:{section}:{id}:string, value = String, ttl = 1h)]
/// struct Page { section: Section, id: UserId }
///
/// let page = |section| Page { section, id: UserId(42) }.key();
/// assert_eq!(page(Section::BasicInfo)?, "user:basic.info:42:string");
/// assert_eq!(page(Section::PastOrders)?, "user:orders:42:string");
/// # Ok::<(), redis_keys::Error>(())
/// ```
///
/// # Implementing `KeySegment`
///
/// You can implement it by hand for other types:
///
/// ```
/// use redis_keys::{parameter::{SegmentWriter, ValueSet}, prelude::*};
///
/// struct Version { major: u16, minor: u16 }
///
/// impl KeySegment for Version {
///     const LONGEST: Option<usize> = Some("v65535.65535".len());
///     const DOTTED: bool = true;
///
///     fn write(&self, out: &mut SegmentWriter<'_>) {
///         out.text("v");
///         out.number(self.major.into());
///         out.text(".");
///         out.number(self.minor.into());
///     }
/// }
///
/// #[derive(RedisKey)]
/// #[redis_key(app:notes:{version}:string, value = String, ttl = 1d)]
/// struct Notes { version: Version }
///
/// assert_eq!(Notes { version: Version { major: 1, minor: 20 } }.key()?, "app:notes:v1.20:string");
/// # Ok::<(), redis_keys::Error>(())
/// ```
///
/// The crate checks all text that your implementation writes. You must ensure one property yourself: different values
/// must write different text.
///
/// Implement [`ParseSegment`] as well if you parse keys with such a parameter.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a key parameter",
    label = "not a parameter type",
    note = "add `#[derive(KeySegment)]` to `{Self}` if it is an enum of names or a newtype of yours",
    note = "parameters are integers, `bool`, text (`String`, `&str`, …), `IpAddr`, `Uuid`, dates, buckets such as `redis_keys::parameter::bucket::Month`, and enums and newtypes with `#[derive(KeySegment)]`",
    note = "for bytes and arbitrary text, add `#[redis_key(digest)]` to the field, or `#[redis_key(base32)]` to parse them back; for a float, scale it to an integer; for an `Option`, declare two keys; for an instant, use a bucket"
)]
pub trait KeySegment {
    /// The length of the longest value in bytes, or `None` if it is unbounded.
    ///
    /// With it, the derive proves at compile time that no key exceeds 128 bytes.
    const LONGEST: Option<usize>;

    /// Whether values can contain a `.`. A parameter of such a type must be a whole segment of the key.
    const DOTTED: bool = false;

    /// The texts that values can have.
    ///
    /// The compiler rejects two declarations that can produce the same key. The smaller this set, the fewer
    /// declarations overlap.
    ///
    /// ```
    /// use redis_keys::{parameter::{SegmentWriter, ValueSet}, prelude::*};
    ///
    /// struct Level(u8);
    ///
    /// impl KeySegment for Level {
    ///     const LONGEST: Option<usize> = Some("99".len());
    ///     const VALUES: ValueSet = ValueSet::up_to(99);
    ///
    ///     fn write(&self, out: &mut SegmentWriter<'_>) {
    ///         if self.0 > 99 {
    ///             return out.reject("is larger than 99");
    ///         }
    ///         out.number(self.0.into());
    ///     }
    /// }
    ///
    /// #[derive(RedisKey)]
    /// #[redis_key(game:players:{level}:set, value = u64, ttl = 1h)]
    /// struct OfLevel { level: Level }
    ///
    /// // Does not overlap with `OfLevel`: `all` is not a number.
    /// #[derive(RedisKey)]
    /// #[redis_key(game:players:all:set, value = u64, ttl = 1h)]
    /// struct All;
    /// ```
    const VALUES: ValueSet = ValueSet::Any;

    /// Writes the value.
    fn write(&self, out: &mut SegmentWriter<'_>);

    /// Writes the literal text before the parameter, and the value as a whole segment.
    #[doc(hidden)]
    #[inline]
    fn segment(&self, key: &mut KeyWriter, before: &'static str) {
        key.literal(before);
        self.write(&mut key.segment());
    }

    /// Writes the literal text before the parameter, and the value as a word within a segment.
    #[doc(hidden)]
    #[inline]
    fn word(&self, key: &mut KeyWriter, before: &'static str) {
        key.literal(before);
        self.write(&mut key.word());
    }
}

/// A parameter that can be parsed from the text of a key.
///
/// [`ParseKey`](crate::ParseKey) requires it of every parameter. All parameter types of this crate implement it, except
/// for references to types other than `str`. An implementation usually parses the inner value:
///
/// ```
/// use redis_keys::{parameter::{ParseSegment, SegmentWriter}, prelude::*};
///
/// #[derive(Debug, PartialEq)]
/// struct UserId(u64);
///
/// impl KeySegment for UserId {
///     const LONGEST: Option<usize> = u64::LONGEST;
///
///     fn write(&self, out: &mut SegmentWriter<'_>) {
///         self.0.write(out);
///     }
/// }
///
/// impl<'k> ParseSegment<'k> for UserId {
///     fn parse(text: &'k str) -> Result<Self, &'static str> {
///         u64::parse(text).map(Self)
///     }
/// }
///
/// #[derive(RedisKey)]
/// #[redis_key(user:name:{id}:string, value = String, ttl = 1h)]
/// struct Name { id: UserId }
///
/// assert_eq!(Name::parse("user:name:42:string")?.id, UserId(42));
/// # Ok::<(), redis_keys::Error>(())
/// ```
///
/// Your implementation need not check that the text is canonical. For example, `007` is rejected because the parsed
/// value writes `7`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be parsed from a key",
    label = "does not implement `ParseSegment`",
    note = "integers, `bool`, `String`, `&str`, `Cow<str>`, `Box<str>`, `Arc<str>`, IP addresses, `Uuid` and dates can be parsed; implement `ParseSegment` for a type of your own, and `FromStr` for one in a legacy text"
)]
// `KeySegment` is not a supertrait, so that a newtype of an unsupported type is reported once.
pub trait ParseSegment<'k>: Sized {
    /// Parses the value.
    ///
    /// The text consists of `a` to `z` and `0` to `9`, and of single `.` between them if the parameter is a whole
    /// segment.
    ///
    /// # Errors
    ///
    /// Returns the reason if no value writes this text. It follows the name of the parameter in the message, as in "is
    /// not a valid `u64`". It must not contain the text itself: errors are logged.
    fn parse(text: &'k str) -> Result<Self, &'static str>;
}

/// A struct that derives [`KeySegment`]: it inherits further capabilities from its inner value.
#[doc(hidden)]
pub trait Newtype {
    /// The type of the inner value.
    type Inner: ?Sized;

    /// Returns the inner value.
    fn inner(&self) -> &Self::Inner;
}

#[diagnostic::do_not_recommend]
impl<T: Newtype + ?Sized> Newtype for &T {
    type Inner = T::Inner;

    #[inline]
    fn inner(&self) -> &Self::Inner {
        T::inner(self)
    }
}

/// A newtype that can be created from its inner value.
#[doc(hidden)]
pub trait FromInner: Newtype<Inner: Sized> {
    /// Creates the newtype.
    fn from_inner(inner: Self::Inner) -> Self;
}

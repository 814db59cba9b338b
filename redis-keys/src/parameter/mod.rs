//! What can be a parameter of a key.

mod base32;
pub mod bucket;
#[cfg(any(feature = "base32", feature = "digest"))]
mod bytes;
#[cfg(any(feature = "chrono", feature = "jiff", feature = "time"))]
mod date;
mod digest;
mod ends;
mod integer;
mod newtype;
mod parse;
mod shard;
#[cfg(test)]
mod tests;
mod text;
#[cfg(feature = "uuid")]
mod uuid;
mod writer;

pub use base32::{Base32, FromBase32};
pub use digest::Digest;
pub use ends::Ends;
pub use newtype::{FromInner, Newtype};
pub use parse::ParseSegment;
pub use shard::Sharded;
pub use writer::SegmentWriter;

use crate::key::KeyWriter;

pub use redis_keys_core::ValueSet;

/// What can be a parameter of a key.
///
/// Whole numbers, `bool`, text, the spans of the calendar in [`bucket`](crate::parameter::bucket), and with the features of their
/// crates `Uuid` and dates are. Your own types are with `#[derive(KeySegment)]`: enums of names, and structs around one value.
///
/// ```
/// use redis_keys::{KeySegment, prelude::*};
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
/// struct Part { section: Section, id: UserId }
///
/// let part = |section| Part { section, id: UserId(42) }.key();
/// assert_eq!(part(Section::BasicInfo)?, "user:basic.info:42:string");
/// assert_eq!(part(Section::PastOrders)?, "user:orders:42:string");
/// # Ok::<(), redis_keys::Error>(())
/// ```
///
/// What the derive can't do is written by hand:
///
/// ```
/// use redis_keys::{parameter::{SegmentWriter, ValueSet}, prelude::*, KeySegment};
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
/// With [`ParseSegment`] such a key can be read back from its text, too.
///
/// Whatever an implementation writes is checked, so that none can break a rule. Two different values must not write the
/// same text: that is the one thing that an implementation has to see to by itself.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a parameter of a key",
    label = "not a parameter type",
    note = "a parameter is a whole number, `bool`, text (`String`, `&str`, …), a `Uuid`, a date or a bucket such as `redis_keys::bucket::Month`, or an enum or a newtype with `#[derive(KeySegment)]`",
    note = "bytes and long or free text: add `#[redis_key(digest)]` to the field, or `#[redis_key(base32)]` to read them back; a float: scale it to a whole number; an `Option`: declare two keys"
)]
pub trait KeySegment {
    /// How many bytes the longest value writes, or `None` when there is no bound. The compiler adds these up to prove that
    /// a key cannot be longer than 128 bytes.
    const LONGEST: Option<usize>;

    /// Whether values write a `.` by nature. Such a type must be a whole segment of a key.
    const DOTTED: bool = false;

    /// What the values look like. The compiler refuses two declarations whose keys can be the same, and the more it knows of
    /// a type, the fewer it suspects.
    ///
    /// ```
    /// use redis_keys::{parameter::{SegmentWriter, ValueSet}, prelude::*, KeySegment};
    ///
    /// struct Level(u8);
    ///
    /// impl KeySegment for Level {
    ///     const LONGEST: Option<usize> = Some("99".len());
    ///     const VALUES: ValueSet = ValueSet::up_to(99);
    ///
    ///     fn write(&self, out: &mut SegmentWriter<'_>) {
    ///         if self.0 > 99 {
    ///             return out.refuse("is larger than 99");
    ///         }
    ///         out.number(self.0.into());
    ///     }
    /// }
    ///
    /// #[derive(RedisKey)]
    /// #[redis_key(game:players:{level}:set, value = u64, ttl = 1h)]
    /// struct OfLevel { level: Level }
    ///
    /// // No level is this, nor a number of three digits.
    /// #[derive(RedisKey)]
    /// #[redis_key(game:players:all:set, value = u64, ttl = 1h)]
    /// struct All;
    /// ```
    const VALUES: ValueSet = ValueSet::Any;

    /// Writes the value as it stands in the key.
    fn write(&self, out: &mut SegmentWriter<'_>);

    /// Writes the text before it, and the value as a whole segment.
    #[doc(hidden)]
    #[inline]
    fn segment(&self, key: &mut KeyWriter, before: &'static str) {
        key.literal(before);
        self.write(&mut key.segment());
    }

    /// Writes the text before it, and the value as one word beside others.
    #[doc(hidden)]
    #[inline]
    fn word(&self, key: &mut KeyWriter, before: &'static str) {
        key.literal(before);
        self.write(&mut key.word());
    }
}

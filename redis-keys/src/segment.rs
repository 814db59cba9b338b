//! What can be a parameter of a key.

#[cfg(any(feature = "chrono", feature = "jiff", feature = "time"))]
mod date;
mod integer;
#[cfg(test)]
mod tests;
mod text;
#[cfg(feature = "uuid")]
mod uuid;
mod writer;

pub use writer::SegmentWriter;

use crate::KeyWriter;

/// What can be a parameter of a key.
///
/// Whole numbers, `bool`, text, the spans of the calendar in [`bucket`](crate::bucket), and with the features of their
/// crates `Uuid` and dates are. Your own types can be, most simply by writing what is inside of them:
///
/// ```
/// use redis_keys::{KeySegment, SegmentWriter, prelude::*};
///
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
/// #[derive(RedisKey)]
/// #[redis_key(user:name:{id}:string, value = String, ttl = 1h)]
/// struct Name { id: UserId }
///
/// assert_eq!(Name { id: UserId(42) }.key()?, "user:name:42:string");
/// # Ok::<(), redis_keys::Error>(())
/// ```
///
/// Whatever an implementation writes is checked, so that none can break a rule. Two different values must not write the
/// same text: that is the one thing that an implementation has to see to by itself.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a parameter of a key",
    label = "not a parameter type",
    note = "a parameter is a whole number, `bool`, text (`String`, `&str`, …), a `Uuid`, a date or a bucket such as `redis_keys::bucket::Month`, or a type that implements `KeySegment`",
    note = "bytes and long or free text: add `#[redis_key(digest)]` to the field (not in this version yet); a float: scale it to a whole number; an `Option`: declare two keys"
)]
pub trait KeySegment {
    /// How many bytes the longest value writes, or `None` when there is no bound. The compiler adds these up to prove that
    /// a key cannot be longer than 128 bytes.
    const LONGEST: Option<usize>;

    /// Whether values write a `.` by nature. Such a type must be a whole segment of a key.
    const DOTTED: bool = false;

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

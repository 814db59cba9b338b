//! Parameters read back.

/// A parameter that can be read back from a key's text: what [`ParseKey`](crate::ParseKey) asks of each.
///
/// All types that can be parameters are, but for references to something else than text. Your own types can be, most simply by
/// reading what is inside of them:
///
/// ```
/// use redis_keys::{parameter::{ParseSegment, SegmentWriter}, prelude::*, KeySegment};
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
/// What is read has to be written as it was read, `7` and not `007`: an implementation need not look for that, since what is
/// not is refused.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read back from a key",
    label = "it does not implement `ParseSegment`",
    note = "numbers, `bool`, `String`, `&str`, `Cow<str>`, `Box<str>`, `Arc<str>`, `Uuid` and dates can; for a type of your own implement `ParseSegment`"
)]
// `KeySegment` is no supertrait of it, so that of a newtype around what is no parameter that is told once.
pub trait ParseSegment<'k>: Sized {
    /// Reads the value from the parameter's text: `a` to `z`, `0` to `9`, and single `.` between them where it is a whole
    /// segment.
    ///
    /// # Errors
    ///
    /// When no value writes that. What is given follows the name of the parameter in the message, as in "is no whole number";
    /// it must say nothing of the text itself, since errors are logged.
    fn parse(text: &'k str) -> Result<Self, &'static str>;
}

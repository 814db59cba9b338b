//! Stored forms: how values become bytes in Redis, and bytes values.

mod float;
mod integer;
#[cfg(feature = "json")]
mod json;
#[cfg(test)]
mod tests;
mod text;

use std::{error, fmt, io};

pub use float::Float;
pub use integer::Integer;
#[cfg(feature = "json")]
pub use json::{Json, JsonValue};
pub use text::Appendable;

/// The form in which a value is stored: what stands behind `value =`.
///
/// Whole numbers, floats, `bool`, `String`, `Vec<u8>` and, with the feature `bytes`, `Bytes` are stored as they are.
/// `Json<P>` stores any `P` of serde's, and its accessors take and give `P`.
///
/// Your own form says what writes take, what reads give, and how one becomes the other:
///
/// ```
/// use std::io;
///
/// use redis_keys::{prelude::*, stored::{Stored, StoredError}};
///
/// /// A point, as `x,y`.
/// struct Point;
///
/// impl Stored for Point {
///     type Input = (i32, i32);
///     type Output = (i32, i32);
///
///     fn encode((x, y): &(i32, i32), out: &mut impl io::Write) -> Result<(), StoredError> {
///         write!(out, "{x},{y}").map_err(|_| StoredError::new("the point cannot be written"))
///     }
///
///     fn decode(bytes: Vec<u8>) -> Result<(i32, i32), StoredError> {
///         let text = String::decode(bytes)?;
///         let wrong = || StoredError::new("it is not two numbers with a comma between them");
///         let (x, y) = text.split_once(',').ok_or_else(wrong)?;
///         Ok((x.parse().map_err(|_| wrong())?, y.parse().map_err(|_| wrong())?))
///     }
/// }
///
/// #[derive(RedisKey)]
/// #[redis_key(map:pin:{pin}:string, value = Point, ttl = 1h)]
/// struct Pin { pin: u32 }
///
/// let pin = Pin { pin: 7 };
/// let set = pin.set(&(3, -4));
/// let get: Command<Option<(i32, i32)>> = pin.get();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say how it is stored",
    label = "write `Json<{Self}>`",
    note = "`Json<{Self}>` stores it as JSON; whole numbers, floats, `bool`, `String`, `Vec<u8>` and `Bytes` are stored as they are",
    note = "a form of your own implements `Stored`"
)]
pub trait Stored {
    /// What writes take a reference to.
    type Input: ?Sized;

    /// What reads give.
    type Output;

    /// Writes the value's bytes.
    ///
    /// # Errors
    ///
    /// When the value has no such form.
    fn encode(value: &Self::Input, out: &mut impl io::Write) -> Result<(), StoredError>;

    /// Reads a value from its bytes, which can be anything: other programs write to Redis too.
    ///
    /// # Errors
    ///
    /// When the bytes are no such value.
    fn decode(bytes: Vec<u8>) -> Result<Self::Output, StoredError>;

    /// About how many bytes [`encode`](Self::encode) will write, so that there is room for them.
    fn size_hint(_value: &Self::Input) -> usize {
        32
    }
}

/// Why a value could not be written or read. It says nothing of what the value holds, since errors are logged.
///
/// ```
/// use redis_keys::stored::StoredError;
///
/// let error = StoredError::new("it is JSON of another shape").at(1, 9);
/// assert_eq!(error.to_string(), "it is JSON of another shape, at line 1, column 9");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredError {
    why: &'static str,
    place: Option<(usize, usize)>,
}

impl StoredError {
    /// An error with its reason.
    pub const fn new(why: &'static str) -> Self {
        Self { why, place: None }
    }

    /// Adds where in the value it is, both numbers counted from 1.
    pub const fn at(mut self, line: usize, column: usize) -> Self {
        self.place = Some((line, column));
        self
    }

    /// What `io::Write` can say of a buffer in memory.
    pub(crate) fn from_io(_error: io::Error) -> Self {
        Self::new("it cannot be written")
    }
}

impl fmt::Display for StoredError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.why)?;
        match self.place {
            Some((line, column)) => write!(f, ", at line {line}, column {column}"),
            None => Ok(()),
        }
    }
}

impl error::Error for StoredError {}

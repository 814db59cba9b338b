//! Stored forms: how values become bytes in Redis, and bytes values.
//!
//! A form is what stands behind `value =`, and behind `field =` of a hash. These names mean the forms here, whatever is in
//! scope.
//!
//! | form | feature | for |
//! |---|---|---|
//! | whole numbers, floats, `bool` | | what Redis can count, and whatever is a number anyhow |
//! | `String`, `Vec<u8>`, `bytes::Bytes` (feature `bytes`) | | text and bytes as they are |
//! | [`Json<P>`](Json) | `json` (default) | what people read in `redis-cli`, and other programs |
//! | [`MessagePack<P>`](MessagePack) | `messagepack` | the same values in fewer bytes; fields can come and go as in JSON |
//! | [`Protobuf<P>`](Protobuf) | `protobuf` | messages with a `.proto` file, which several programs share |
//! | [`Postcard<P>`](Postcard) | `postcard` | the fewest bytes, for types that stay as they are |
//! | [`Zstd<F>`](Zstd) | `zstd` | the form `F` compressed, for whatever is larger than some hundred bytes |
//! | [`Gzip<F>`](Gzip) | `gzip` | the same, where other programs read it with nothing but gzip |
//! | [`Lz4<F>`](Lz4), [`Snappy<F>`](Snappy) | `lz4`, `snappy` | the same, where time counts more than bytes |
//! | your own | | whatever implements [`Stored`] |
//!
//! What one version of this crate writes, every later one reads. The forms of serde's types, `Json`, `MessagePack` and
//! `Postcard`, write what the type says: when it changes, what is stored already has to be readable as the new one.
//!
//! # Compression
//!
//! `Zstd`, `Gzip`, `Snappy` and `Lz4` go around any other form: `Zstd<Json<Profile>>`, `Gzip<String>`, `Lz4<Mine>`.
//!
//! - Each value is led by a byte, its mark: it says how the rest is compressed, or that it is the inner form as it is. The
//!   latter is what values under 500 bytes become ([`MIN_COMPRESSED_BYTES`]), and such that would not get smaller.
//! - What was written without compression before is not readable any more, and gives a decode error: the mark is missing.
//!   So do the compressed values of another codec.
//! - Values of more than 16MB before compression ([`MAX_DECOMPRESSED_BYTES`]) are refused when they are written and when they
//!   are read, so that a few bytes cannot fill the memory of whoever reads them.
//! - `max_bytes` counts what is stored: the compressed bytes, and the mark.
//! - The same value may be compressed to other bytes by another version. So what is found by its bytes, the fields of a
//!   hash and the members of a set, a sorted set or a geo index, should not be compressed.

#[cfg(any(feature = "messagepack", feature = "postcard"))]
mod bounded;
#[cfg(any(feature = "gzip", feature = "lz4", feature = "snappy", feature = "zstd"))]
mod compressed;
mod float;
mod integer;
#[cfg(feature = "json")]
mod json;
#[cfg(feature = "messagepack")]
mod message_pack;
#[cfg(not(all(
    feature = "gzip",
    feature = "json",
    feature = "lz4",
    feature = "messagepack",
    feature = "postcard",
    feature = "protobuf",
    feature = "snappy",
    feature = "zstd"
)))]
mod off;
#[cfg(feature = "postcard")]
mod postcard;
#[cfg(feature = "protobuf")]
mod protobuf;
#[cfg(test)]
mod tests;
mod text;

use std::{error, fmt, io};

#[cfg(any(feature = "gzip", feature = "lz4", feature = "snappy", feature = "zstd"))]
pub use compressed::*;
pub use float::Float;
pub use integer::Integer;
#[cfg(feature = "json")]
pub use json::{Json, JsonValue};
#[cfg(feature = "messagepack")]
pub use message_pack::{MessagePack, MessagePackValue};
#[cfg(not(all(
    feature = "gzip",
    feature = "json",
    feature = "lz4",
    feature = "messagepack",
    feature = "postcard",
    feature = "protobuf",
    feature = "snappy",
    feature = "zstd"
)))]
pub use off::*;
#[cfg(feature = "postcard")]
pub use postcard::{Postcard, PostcardValue};
#[cfg(feature = "protobuf")]
pub use protobuf::{Protobuf, ProtobufValue};
pub use text::Appendable;

/// From how many bytes on a compressing form compresses, counted in the form inside it.
pub const MIN_COMPRESSED_BYTES: usize = 500;

/// The most bytes that a value in a compressing form may have before it is compressed.
pub const MAX_DECOMPRESSED_BYTES: usize = 16 * 1024 * 1024;

/// The form in which a value is stored: what stands behind `value =`.
///
/// Which forms there are and what each is for is a table in [this module](self).
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
    place: Place,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Unknown,
    LineAndColumn(usize, usize),
    Byte(usize),
}

impl StoredError {
    /// An error with its reason.
    pub const fn new(why: &'static str) -> Self {
        Self { why, place: Place::Unknown }
    }

    /// Adds where in the value's text it is, both numbers counted from 1.
    pub const fn at(mut self, line: usize, column: usize) -> Self {
        self.place = Place::LineAndColumn(line, column);
        self
    }

    /// Adds at which byte of the value it is, counted from 1.
    pub const fn at_byte(mut self, number: usize) -> Self {
        self.place = Place::Byte(number);
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
            Place::LineAndColumn(line, column) => write!(f, ", at line {line}, column {column}"),
            Place::Byte(number) => write!(f, ", at byte {number}"),
            Place::Unknown => Ok(()),
        }
    }
}

impl error::Error for StoredError {}

//! Stored forms: how values are encoded as bytes in Redis, and decoded.
//!
//! A form is written as `value = …`, and as `field = …` of a hash. The names below always refer to these forms,
//! whatever is in scope.
//!
//! | form | feature | use it for |
//! |---|---|---|
//! | integers, floats, `bool` | | numbers that Redis can count, and any other number |
//! | `String`, `Vec<u8>`, `bytes::Bytes` (feature `bytes`) | | text and bytes, stored verbatim |
//! | IP addresses, `Uuid`, dates, [buckets](crate::parameter::bucket), enums with [`KeySegment`](derive@crate::KeySegment) | as for parameters | the text that they have as parameters |
//! | [`Json<P>`](Json) | `json` (default) | values that people read in `redis-cli`, and other programs |
//! | [`MessagePack<P>`](MessagePack) | `messagepack` | the same values in fewer bytes; fields can be added and removed as in JSON |
//! | [`Protobuf<P>`](Protobuf) | `protobuf` | messages with a `.proto` file that several programs share |
//! | [`Postcard<P>`](Postcard) | `postcard` | the fewest bytes, for types that do not change |
//! | [`Zstd<F>`](Zstd) | `zstd` | the form `F`, compressed, for values larger than some hundred bytes |
//! | [`Gzip<F>`](Gzip) | `gzip` | the same, where other programs support only gzip |
//! | [`Lz4<F>`](Lz4), [`Snappy<F>`](Snappy) | `lz4`, `snappy` | the same, where speed matters more than size |
//! | [`Secret<F>`](Secret) | `secret` | the form `F`, encrypted, for what must not be readable in Redis |
//! | your own | | any type that implements [`Stored`] |
//!
//! Every later version of this crate reads what an earlier one has written. `Json`, `MessagePack` and `Postcard` write
//! what the serde type defines: when the type changes, it must still be able to read the stored values.
//!
//! # Compression
//!
//! `Zstd`, `Gzip`, `Snappy` and `Lz4` wrap any other form: `Zstd<Json<Profile>>`, `Gzip<String>`, `Lz4<Mine>`.
//!
//! - Each value starts with a marker byte, which names the compression format or says that the rest is the uncompressed
//!   inner form. Values of less than 500 bytes ([`MIN_COMPRESSED_BYTES`]) and values that would not get smaller stay
//!   uncompressed.
//! - Values that were written without a compressing form lack the marker and fail to decode, as do values of another
//!   compression format.
//! - Values of more than 16MB before compression ([`MAX_DECOMPRESSED_BYTES`]) are rejected when written and when read,
//!   so that a few bytes cannot exhaust the reader's memory.
//! - `max_bytes` limits what is stored: the marker and the compressed bytes.
//! - Another version may compress the same value to other bytes. So do not compress values that are looked up by their
//!   bytes: the fields of a hash, and the members of a set, a sorted set or a geo index.
//!
//! # Memory
//!
//! A few bytes can decode to a large value: an empty object takes two bytes of JSON, and the struct that it is read as
//! may have hundreds. So the elements of one value may take 64MB when it is read ([`MAX_DECODED_BYTES`], 64 times the
//! largest `max_bytes`), and a value that takes more is rejected when written and when read.
//!
//! - With `Json`, `MessagePack` and `Postcard`, an element of a list and a key or value of a map counts as the size of
//!   its type, and so does the content of a `Box`. The first element of a list counts four times, and the pairs of a
//!   map count 11 at a time, since collections start with room for more than one. Text counts as nothing, since it is
//!   no longer than its bytes. A `Vec`, while it grows, and a small `BTreeSet` can take three times what they count as.
//! - The types of some elements are not known when they are counted. Each message, text and byte string of a Protobuf
//!   message counts as 128 bytes; so do values within `#[serde(flatten)]`, `untagged` and `tag`, which serde buffers.
//!
//! The values of one reply, or of the replies to one batch, may take 64MB together or, if that is more, 256 times the
//! bytes that were received. What a value is decompressed to counts as well. A value that exceeds this in `get_many`,
//! in a range or in a page of a scan can be read alone.
//!
//! # Reading back
//!
//! `Json`, `MessagePack`, `Postcard` and `Protobuf` reject a value that they can write but not read back:
//!
//! - NaN and infinities in `Json`, which has no representation for them;
//! - `Some(None)` and `Some(())` in `Json` and `MessagePack`, which would be read as `None`;
//! - values that are nested too deeply: about 100 levels are possible, where each list, map, struct and enum counts;
//! - fields that `skip_serializing_if` skips, in `Postcard`;
//! - `u128` and `i128` where serde buffers them, which is with `flatten`, `untagged` and `tag`;
//! - values that take too much memory when they are read.
//!
//! A value that has one of these, but whose type reads it nevertheless, is written: a type of your own can read `null`
//! as NaN.
//!
//! The rest is up to the type. It cannot be read back, or is read as another value, if what its `Serialize` writes
//! is not what its `Deserialize` expects, if two variants of an `untagged` enum look the same, if a map with numbers as
//! keys is within `flatten`, `untagged` or `tag` in `Json`, if two `flatten` in one struct claim the same fields, or if
//! `Postcard` is used with a type that needs a self-describing format, such as one with `untagged` or `tag`.

mod binding;
pub(crate) mod cached;
#[cfg(any(feature = "gzip", feature = "lz4", feature = "snappy", feature = "zstd"))]
mod compressed;
mod disabled;
#[cfg(feature = "json")]
mod json;
#[cfg(any(feature = "json", feature = "messagepack", feature = "postcard"))]
mod limits;
#[allow(dead_code, reason = "not every form needs all of it")]
pub(crate) mod memory;
#[cfg(feature = "messagepack")]
mod message_pack;
mod number;
#[cfg(feature = "postcard")]
mod postcard;
#[cfg(feature = "protobuf")]
mod protobuf;
#[cfg(any(feature = "json", feature = "messagepack", feature = "postcard"))]
mod read_back;
#[cfg(feature = "secret")]
mod secret;
#[cfg(test)]
mod tests;
mod text;

use std::{error, fmt, io};

pub use binding::Binding;
#[cfg(any(feature = "gzip", feature = "lz4", feature = "snappy", feature = "zstd"))]
pub use compressed::*;
#[allow(unused_imports, unreachable_pub, reason = "empty if all features are enabled")]
pub use disabled::*;
#[cfg(feature = "json")]
pub use json::{Json, JsonValue};
#[cfg(feature = "messagepack")]
pub use message_pack::{MessagePack, MessagePackValue};
pub use number::{Float, Integer};
#[cfg(feature = "postcard")]
pub use postcard::{Postcard, PostcardValue};
#[cfg(feature = "protobuf")]
pub use protobuf::{Protobuf, ProtobufValue};
#[cfg(feature = "secret")]
pub use secret::Secret;
pub use text::Appendable;
#[doc(hidden)]
pub use text::{decode_parameter, encode_parameter};

/// The size of the inner form from which on a compressing form compresses.
pub const MIN_COMPRESSED_BYTES: usize = 500;

/// The maximum size of the inner form of a compressing form.
pub const MAX_DECOMPRESSED_BYTES: usize = 16 * 1024 * 1024;

/// The most memory that the elements of one value may take when it is read: 64 times the largest `max_bytes`.
///
/// [The module](self#memory) says what counts.
pub const MAX_DECODED_BYTES: usize = 64 * 1024 * 1024;

/// A stored form: the type that `value = …` names.
///
/// [The module](self) lists the available forms and their use.
///
/// A form of your own defines what writes take, what reads return, and how both are encoded:
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
///         write!(out, "{x},{y}").map_err(|_| StoredError::new("write failed"))
///     }
///
///     fn decode(bytes: Vec<u8>) -> Result<(i32, i32), StoredError> {
///         let text = String::decode(bytes)?;
///         let wrong = || StoredError::new("not two integers with a comma between them");
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
    message = "`{Self}` is not a stored form",
    label = "cannot be stored",
    note = "write `Json<{Self}>` to store it as JSON, or implement `Stored` for a form of your own",
    note = "integers, floats, `bool`, `String`, `Vec<u8>` and `Bytes` are stored verbatim, and types of parameters such as `Uuid`, `IpAddr`, dates and enums with `#[derive(KeySegment)]` in their text"
)]
pub trait Stored {
    /// The type that writes take a reference to.
    type Input: ?Sized;

    /// The type that reads return.
    type Output;

    /// Encodes a value.
    ///
    /// # Errors
    ///
    /// Returns an error if the value has no representation in this form.
    fn encode(value: &Self::Input, out: &mut impl io::Write) -> Result<(), StoredError>;

    /// Decodes a value. The bytes are untrusted, since other programs write to Redis too.
    ///
    /// # Errors
    ///
    /// Returns an error if the bytes do not encode a value of this form.
    fn decode(bytes: Vec<u8>) -> Result<Self::Output, StoredError>;

    /// Returns roughly how many bytes [`encode`](Self::encode) will write, to reserve the buffer.
    fn size_hint(_value: &Self::Input) -> usize {
        32
    }

    /// Whether values are encrypted, and so bound to their key.
    #[doc(hidden)]
    const IS_SECRET: bool = false;

    /// Whether it is the content of a cached key.
    #[doc(hidden)]
    const IS_CACHED: bool = false;

    /// Encodes an encrypted value.
    #[doc(hidden)]
    #[inline]
    fn encode_bound(value: &Self::Input, _place: &Binding, out: &mut impl io::Write) -> Result<(), StoredError> {
        Self::encode(value, out)
    }

    /// Decodes an encrypted value.
    #[doc(hidden)]
    #[inline]
    fn decode_bound(bytes: Vec<u8>, _place: &Binding) -> Result<Self::Output, StoredError> {
        Self::decode(bytes)
    }
}

/// The reason why a value could not be encoded or decoded.
///
/// It never contains the value, since errors are logged.
///
/// ```
/// use redis_keys::stored::StoredError;
///
/// let error = StoredError::new("JSON does not match the type").at(1, 9);
/// assert_eq!(error.to_string(), "JSON does not match the type at line 1, column 9");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredError {
    why: &'static str,
    position: Position,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Position {
    Unknown,
    LineAndColumn(usize, usize),
    Byte(usize),
}

impl StoredError {
    /// Creates an error with its reason: a phrase in lower case without a full stop.
    pub const fn new(why: &'static str) -> Self {
        Self { why, position: Position::Unknown }
    }

    /// Adds the line and the column in the value's text, both counted from 1.
    pub const fn at(mut self, line: usize, column: usize) -> Self {
        self.position = Position::LineAndColumn(line, column);
        self
    }

    /// Adds the number of the byte in the value, counted from 1.
    pub const fn at_byte(mut self, number: usize) -> Self {
        self.position = Position::Byte(number);
        self
    }

    /// Drops the error of a buffer in memory, which has no details.
    pub(crate) fn from_io(_error: io::Error) -> Self {
        Self::new("write failed")
    }
}

impl fmt::Display for StoredError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.why)?;
        match self.position {
            Position::LineAndColumn(line, column) => write!(f, " at line {line}, column {column}"),
            Position::Byte(number) => write!(f, " at byte {number}"),
            Position::Unknown => Ok(()),
        }
    }
}

impl error::Error for StoredError {}

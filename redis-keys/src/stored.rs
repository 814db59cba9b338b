//! Stored forms: how values are encoded as bytes in Redis, and decoded.
//!
//! You write a form as `value = …`, and as `field = …` of a hash. There, the names below always refer to these forms,
//! whatever is in scope.
//!
//! | form | feature | use it for |
//! |---|---|---|
//! | integers, floats, `bool` | | numbers that Redis can count, and any other number |
//! | `String`, `Vec<u8>`, `bytes::Bytes` (feature `bytes`) | | text and bytes, stored verbatim |
//! | IP addresses, `Uuid`, dates, [buckets](crate::parameter::bucket), enums with [`KeySegment`](derive@crate::KeySegment) | as for parameters | their text as parameters |
//! | [`Json<P>`](Json) | `json` (default) | values that people read, for example in `redis-cli`, and other programs |
//! | [`MessagePack<P>`](MessagePack) | `messagepack` | the same values in fewer bytes; fields can be added and removed as in JSON |
//! | [`Protobuf<P>`](Protobuf) | `protobuf` | messages with a `.proto` file that several programs share |
//! | [`Postcard<P>`](Postcard) | `postcard` | the fewest bytes, for types that seldom change: then you write `Postcard<P, 2>` |
//! | [`Zstd<F>`](Zstd) | `zstd` | the form `F`, compressed, for values larger than some hundred bytes |
//! | [`Gzip<F>`](Gzip) | `gzip` | the same, where other programs support only gzip |
//! | [`Lz4<F>`](Lz4), [`Snappy<F>`](Snappy) | `lz4`, `snappy` | the same, where speed matters more than size |
//! | [`Secret<F>`](Secret) | `secret` | the form `F`, encrypted, for values that must not be readable in Redis |
//! | your own | | any type that implements [`Stored`] |
//!
//! Later versions of this crate read all values that earlier versions wrote. `Json`, `MessagePack` and `Postcard` write
//! the data that your serde type defines, so when you change the type, it must still be able to read the stored values.
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
//! - `max_bytes` limits the stored bytes: the marker and the compressed value.
//! - Do not compress values that are looked up by their bytes: the fields of a hash, and the members of a set, a sorted
//!   set or a geo index. Another version may compress the same value to other bytes.
//!
//! # Memory
//!
//! A few bytes can decode to a large value: an empty object takes two bytes of JSON, but the struct that is read from
//! it may take hundreds. Therefore the elements of one value may take 64MB when it is read ([`MAX_DECODED_BYTES`], 64
//! times the largest `max_bytes`). A value that takes more is rejected when written and when read.
//!
//! - With `Json`, `MessagePack` and `Postcard`, each element of a list, each key and value of a map and the content of
//!   a `Box` counts as the size of its type. The first element of a list counts four times, and the pairs of a map
//!   count 11 at a time, because collections start with space for several elements. Text does not count, because it is
//!   no longer than its bytes. A growing `Vec` and a small `BTreeSet` can take three times their count.
//! - Some elements have a type that is not known when they are counted. Each counts as 128 bytes: the messages, texts
//!   and byte strings of a Protobuf message, and values within `#[serde(flatten)]`, `untagged` and `tag`, which serde
//!   buffers.
//!
//! The values of one reply, or of all replies to a batch, may together take 64MB or 256 times the received bytes,
//! whichever is more. The decompressed bytes of a value count as well. If a value in `get_many`, in a range or in a
//! page of a scan exceeds this, you can read it alone.
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
//! Such a value is written nevertheless if its type can read it back. For example, your type can read `null` as NaN.
//!
//! The rest depends on your type. A value cannot be read back, or is read as another value, in these cases:
//!
//! - the type's `Deserialize` does not expect the output of its `Serialize`;
//! - two variants of an `untagged` enum look the same;
//! - in `Json`, a map with numbers as keys is within `flatten`, `untagged` or `tag`;
//! - two `flatten` in one struct claim the same fields;
//! - the type needs a self-describing format, for example because of `untagged` or `tag`, and is stored as `Postcard`.

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

/// The minimum size of the inner form for compression: smaller values stay uncompressed.
pub const MIN_COMPRESSED_BYTES: usize = 500;

/// The maximum size of the inner form of a compressing form.
pub const MAX_DECOMPRESSED_BYTES: usize = 16 * 1024 * 1024;

/// The most memory that one value's elements may take when it is read: 64 times the largest `max_bytes`.
///
/// [The module](self#memory) explains how memory is counted.
pub const MAX_DECODED_BYTES: usize = 64 * 1024 * 1024;

/// A stored form: the type that `value = …` names.
///
/// [The module](self) lists the available forms and their use.
///
/// Your own form defines the type that writes take, the type that reads return, and the encoding of both:
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

    /// Decodes a value. The bytes are untrusted: other programs write to Redis too.
    ///
    /// # Errors
    ///
    /// Returns an error if the bytes do not encode a value of this form.
    fn decode(bytes: Vec<u8>) -> Result<Self::Output, StoredError>;

    /// Returns roughly how many bytes [`encode`](Self::encode) will write, to reserve the buffer.
    fn size_hint(_value: &Self::Input) -> usize {
        32
    }

    /// Returns the form's name and the shape of its values, and notes what is not known of them.
    #[cfg(feature = "values")]
    #[doc(hidden)]
    fn form(notes: &mut Vec<String>) -> crate::values::forms::Form {
        crate::values::forms::own::<Self>(notes)
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
/// It never contains the value: errors are logged.
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

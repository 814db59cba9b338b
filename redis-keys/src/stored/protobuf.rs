//! Protobuf.

use std::io;
use std::marker::PhantomData;

use prost::Message;

use super::memory::{self, BUFFERED_ELEMENT_BYTES, DECODED_TOO_LARGE, REPLY_TOO_LARGE};
use super::{MAX_DECODED_BYTES, Stored, StoredError};

/// The number of nested messages up to which prost decodes.
const MAX_DEPTH: usize = 100;

/// The number of nested messages, texts and byte strings that are read.
///
/// prost does not expose how much memory a message takes, and an empty one takes two bytes.
const MAX_PAYLOADS: usize = MAX_DECODED_BYTES / BUFFERED_ELEMENT_BYTES;

/// The fewest bytes of a nested message: its tag and its length.
const MIN_PAYLOAD_BYTES: usize = 2;

/// A stored form for messages of [prost](https://docs.rs/prost/0.14): Protobuf.
///
/// It is a marker type without values: accessors take `&P` and return `P`.
///
/// Fields are numbered, so you can add, remove, rename and reorder them as long as no number changes its meaning, and
/// programs in other languages can read the same values. A missing field gets its default, and an unknown field is
/// dropped. Most bytes decode as some message, so another message's bytes can go unnoticed.
///
/// A message that cannot be read back is rejected when it is written: one that is nested more than 100 levels deep, or
/// has more than half a million nested messages, texts and byte strings.
///
/// ```
/// use redis_keys::prelude::*;
///
/// #[derive(prost::Message)]
/// struct Profile {
///     #[prost(string, tag = "1")]
///     name: String,
/// }
///
/// #[derive(RedisKey)]
/// #[redis_key(user:basic.info:{user_id}:string, value = Protobuf<Profile>, ttl = 1h)]
/// struct BasicInfo { user_id: u64 }
///
/// let set = BasicInfo { user_id: 42 }.set(&Profile { name: "Ada".to_owned() });
/// let get: Command<Option<Profile>> = BasicInfo { user_id: 42 }.get();
/// ```
#[cfg_attr(docsrs, doc(cfg(feature = "protobuf")))]
#[derive(Debug)]
pub struct Protobuf<P> {
    form: PhantomData<fn() -> P>,
}

/// A type that [`Protobuf`] can store: the messages of prost 0.14. It is implemented automatically.
#[cfg_attr(docsrs, doc(cfg(feature = "protobuf")))]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be stored as Protobuf",
    label = "not a `prost::Message`",
    note = "add `#[derive(prost::Message)]` of prost 0.14 to `{Self}`, or generate it with prost-build"
)]
pub trait ProtobufValue: Message + Default + Shown {}

#[diagnostic::do_not_recommend]
impl<P: Message + Default + Shown> ProtobufValue for P {}

/// A message that can be shown, as those that prost derives. Only a build for `cargo redis-keys values` requires it.
#[cfg(feature = "values")]
use std::fmt::Debug as Shown;
/// Any message.
#[cfg(not(feature = "values"))]
use std::marker::Sized as Shown;

impl<P: ProtobufValue> Stored for Protobuf<P> {
    type Input = P;
    type Output = P;

    fn encode(value: &P, out: &mut impl io::Write) -> Result<(), StoredError> {
        // prost writes to `BufMut`, not to `io::Write`.
        let bytes = value.encode_to_vec();
        check_size(&bytes)?;
        if may_nest(&bytes, MAX_DEPTH) && P::decode(bytes.as_slice()).is_err() {
            return Err(StoredError::new("nested too deeply to be read back: at most 100 levels are possible"));
        }
        out.write_all(&bytes).map_err(StoredError::from_io)
    }

    fn decode(bytes: Vec<u8>) -> Result<P, StoredError> {
        check_size(&bytes)?;
        check_reply(&bytes)?;
        P::decode(bytes.as_slice()).map_err(|_| StoredError::new("not a valid Protobuf encoding of this message"))
    }

    fn size_hint(value: &P) -> usize {
        value.encoded_len()
    }

    #[cfg(feature = "values")]
    fn form(notes: &mut Vec<String>) -> crate::values::forms::Form {
        crate::values::forms::protobuf::<P>(notes)
    }
}

fn check_size(bytes: &[u8]) -> Result<(), StoredError> {
    // A value of up to 1MB cannot have more.
    let exceeds = bytes.len() > MAX_PAYLOADS * MIN_PAYLOAD_BYTES && count_payloads(bytes, MAX_DEPTH) > MAX_PAYLOADS;
    if exceeds { Err(StoredError::new(DECODED_TOO_LARGE)) } else { Ok(()) }
}

/// Checks only decompressed bytes: received bytes never exceed the memory for a reply, even with the most payloads.
fn check_reply(bytes: &[u8]) -> Result<(), StoredError> {
    if !memory::is_inner() {
        return Ok(());
    }
    let memory = count_payloads(bytes, MAX_DEPTH).saturating_mul(BUFFERED_ELEMENT_BYTES);
    if memory > memory::left(bytes.len()) {
        return Err(StoredError::new(REPLY_TOO_LARGE));
    }
    memory::take(memory);
    Ok(())
}

/// Returns how many messages, texts and byte strings the bytes can have at most. A text that looks like a message is
/// counted as one, but each byte is read only once.
fn count_payloads(bytes: &[u8], levels: usize) -> usize {
    let deeper = levels.checked_sub(1);
    let count = |payload| deeper.map_or(0, |levels| count_payloads(payload, levels));
    Fields(bytes).map(|field| field.payload.map_or(0, |payload| 1 + count(payload))).sum()
}

/// Returns whether the bytes can have messages that are nested this many levels deep.
fn may_nest(bytes: &[u8], levels: usize) -> bool {
    let Some(deeper) = levels.checked_sub(1) else { return true };
    let is_long_enough = bytes.len() >= levels * MIN_PAYLOAD_BYTES;
    is_long_enough && Fields(bytes).any(|field| field.payload.is_some_and(|payload| may_nest(payload, deeper)))
}

/// The fields of a message, up to where it is malformed.
struct Fields<'b>(&'b [u8]);

struct Field<'b> {
    /// A message, text or byte string, or a list of numbers. The start of a group, which prost reads too, has an empty
    /// payload.
    payload: Option<&'b [u8]>,
}

impl<'b> Iterator for Fields<'b> {
    type Item = Field<'b>;

    fn next(&mut self) -> Option<Field<'b>> {
        let tag = self.varint()?;
        let payload = match tag & 7 {
            0 => self.varint().map(|_| None),
            1 => self.take(8).map(|_| None),
            2 => {
                let len = self.varint()?;
                self.take(usize::try_from(len).ok()?).map(Some)
            }
            3 => Some(Some(&[][..])),
            4 => Some(None),
            5 => self.take(4).map(|_| None),
            _ => None,
        };
        payload.filter(|_| tag > 7).map(|payload| Field { payload })
    }
}

impl<'b> Fields<'b> {
    fn take(&mut self, len: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Some(taken)
    }

    fn varint(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let [byte, rest @ ..] = self.0 else { return None };
            self.0 = rest;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }
}

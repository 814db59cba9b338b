//! Messages as Protobuf.

use std::{io, marker::PhantomData};

use prost::Message;

use super::{Stored, StoredError};

/// The stored form of a message of [prost](https://docs.rs/prost/0.14): Protobuf. Accessors take `&P` and give `P`.
///
/// Fields have numbers, so they may be added, removed, renamed and reordered as long as no number gets another meaning, and
/// programs in other languages read the same values. A field that is missing gets its default, and one that is not known is
/// dropped: a message always reads as some message, so bytes of another message can go unnoticed.
///
/// It is a name for a form, not a wrapper: there are no values of this type.
///
/// A message that is nested more than a hundred deep can be written and is refused when it is read.
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

/// What [`Protobuf`] can hold: the messages of prost 0.14. Nothing has to be implemented for it.
#[cfg_attr(docsrs, doc(cfg(feature = "protobuf")))]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be written as Protobuf and read back",
    label = "not a `prost::Message`",
    note = "add `#[derive(prost::Message)]` of prost 0.14 to `{Self}`, or let prost-build write it"
)]
pub trait ProtobufValue: Message + Default {}

#[diagnostic::do_not_recommend]
impl<P: Message + Default> ProtobufValue for P {}

impl<P: ProtobufValue> Stored for Protobuf<P> {
    type Input = P;
    type Output = P;

    fn encode(value: &P, out: &mut impl io::Write) -> Result<(), StoredError> {
        // Messages are written to buffers in memory only.
        out.write_all(&value.encode_to_vec()).map_err(StoredError::from_io)
    }

    fn decode(bytes: Vec<u8>) -> Result<P, StoredError> {
        P::decode(bytes.as_slice()).map_err(|_| StoredError::new("it is not this message in Protobuf"))
    }

    fn size_hint(value: &P) -> usize {
        value.encoded_len()
    }
}

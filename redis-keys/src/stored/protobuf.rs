//! Protobuf.

use std::{io, marker::PhantomData};

use prost::Message;

use super::{Stored, StoredError};

/// A stored form for messages of [prost](https://docs.rs/prost/0.14): Protobuf.
///
/// It is a marker type without values: accessors take `&P` and return `P`.
///
/// Fields are numbered, so they can be added, removed, renamed and reordered as long as no number changes its meaning, and
/// programs in other languages can read the same values. A missing field gets its default and an unknown one is dropped:
/// most bytes decode as some message, so the bytes of another message can go unnoticed.
///
/// Messages nested more than 100 levels deep can be written but are rejected when read.
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
pub trait ProtobufValue: Message + Default {}

#[diagnostic::do_not_recommend]
impl<P: Message + Default> ProtobufValue for P {}

impl<P: ProtobufValue> Stored for Protobuf<P> {
    type Input = P;
    type Output = P;

    fn encode(value: &P, out: &mut impl io::Write) -> Result<(), StoredError> {
        // prost writes to `BufMut`, not to `io::Write`.
        out.write_all(&value.encode_to_vec()).map_err(StoredError::from_io)
    }

    fn decode(bytes: Vec<u8>) -> Result<P, StoredError> {
        P::decode(bytes.as_slice()).map_err(|_| StoredError::new("not a valid Protobuf encoding of this message"))
    }

    fn size_hint(value: &P) -> usize {
        value.encoded_len()
    }
}

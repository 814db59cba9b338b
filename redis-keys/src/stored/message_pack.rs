//! Values as MessagePack.

use std::{io, marker::PhantomData};

use rmp_serde::{Deserializer, decode::Error};
use serde::{
    Deserialize, Serialize,
    de::{DeserializeOwned, IgnoredAny},
};

use super::{Stored, StoredError, bounded::Bounds};

/// The stored form of a value that serde can write and read: MessagePack. Accessors take `&P` and give `P`.
///
/// It holds what JSON holds in fewer bytes, and is read faster. A struct is a map with the names of its fields, so fields may
/// change places, and one that has a default (`#[serde(default)]`) may come later: what was written without it can still
/// be read.
///
/// It is a name for a form, not a wrapper: there are no values of this type.
///
/// Two things can be written and not be read back. `Some(None)` is read as `None`. And a value that is nested more than
/// about a hundred deep, where each list, struct and `Some` counts, is refused.
///
/// ```
/// use redis_keys::prelude::*;
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize, Deserialize)]
/// struct Profile { name: String }
///
/// #[derive(RedisKey)]
/// #[redis_key(user:basic.info:{user_id}:string, value = MessagePack<Profile>, ttl = 1h)]
/// struct BasicInfo { user_id: u64 }
///
/// let set = BasicInfo { user_id: 42 }.set(&Profile { name: "Ada".to_owned() });
/// let get: Command<Option<Profile>> = BasicInfo { user_id: 42 }.get();
/// ```
#[cfg_attr(docsrs, doc(cfg(feature = "messagepack")))]
#[derive(Debug)]
pub struct MessagePack<P> {
    form: PhantomData<fn() -> P>,
}

/// What [`MessagePack`] can hold: all that serde can write and read. Nothing has to be implemented for it.
#[cfg_attr(docsrs, doc(cfg(feature = "messagepack")))]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be written as MessagePack and read back",
    label = "not both `Serialize` and `Deserialize`",
    note = "add `#[derive(serde::Serialize, serde::Deserialize)]` to `{Self}`; it must own what it holds"
)]
pub trait MessagePackValue: Serialize + DeserializeOwned {}

#[diagnostic::do_not_recommend]
impl<P: Serialize + DeserializeOwned> MessagePackValue for P {}

impl<P: MessagePackValue> Stored for MessagePack<P> {
    type Input = P;
    type Output = P;

    fn encode(value: &P, out: &mut impl io::Write) -> Result<(), StoredError> {
        rmp_serde::encode::write_named(out, value).map_err(|_| StoredError::new("it has no form in MessagePack"))
    }

    fn decode(bytes: Vec<u8>) -> Result<P, StoredError> {
        let bounds = Bounds::new(&bytes);
        let mut reader = Deserializer::from_read_ref(&bytes);
        let value = bounds.read(&mut reader).map_err(|error| bounds.crossed().unwrap_or(explain(&error)))?;
        // The reader does not tell how far it has come, so it is asked for more.
        match IgnoredAny::deserialize(&mut reader) {
            Err(Error::InvalidMarkerRead(_)) => Ok(value),
            _ => Err(StoredError::new("there is more behind the MessagePack")),
        }
    }

    fn size_hint(_value: &P) -> usize {
        128
    }
}

/// How the MessagePack is wrong. The text of serde's own error can quote the value.
fn explain(error: &Error) -> StoredError {
    StoredError::new(match error {
        Error::InvalidMarkerRead(_) | Error::InvalidDataRead(_) => "it is MessagePack that ends too early",
        _ => "it is not MessagePack of this shape",
    })
}

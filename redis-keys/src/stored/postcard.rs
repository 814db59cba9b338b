//! Values as Postcard.

use std::{io, marker::PhantomData};

use ::postcard::{Deserializer, Error};
use serde::{Serialize, de::DeserializeOwned};

use super::{Stored, StoredError, bounded::Bounds};

/// The stored form of a value that serde can write and read: Postcard, the smallest of all. Accessors take `&P` and give `P`.
///
/// The bytes hold the fields one after the other and nothing else: no names, no types, no lengths where the type says them.
/// **So the type must stay as it is while values of it are stored**: fields and variants cannot be reordered, added or
/// removed, nor get another type. Some such changes are not even noticed, and give wrong values. For a type that changes,
/// declare another key, or another form. What says how it is written only by what is in it does not fit at all:
/// `#[serde(flatten)]`, `#[serde(untagged)]`, `#[serde(skip_serializing_if = …)]`.
///
/// It is a name for a form, not a wrapper: there are no values of this type.
///
/// A value that is nested more than about a hundred deep, where each list, struct and `Some` counts, can be written and is
/// refused when it is read. So is a list of more than a million elements that take no bytes.
///
/// ```
/// use redis_keys::prelude::*;
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize, Deserialize)]
/// struct Position { x: i32, y: i32 }
///
/// #[derive(RedisKey)]
/// #[redis_key(game:position:{player_id}:string, value = Postcard<Position>, ttl = 1h)]
/// struct PlayerPosition { player_id: u64 }
///
/// let set = PlayerPosition { player_id: 42 }.set(&Position { x: 3, y: -4 });
/// let get: Command<Option<Position>> = PlayerPosition { player_id: 42 }.get();
/// ```
#[cfg_attr(docsrs, doc(cfg(feature = "postcard")))]
#[derive(Debug)]
pub struct Postcard<P> {
    form: PhantomData<fn() -> P>,
}

/// What [`Postcard`] can hold: what serde can write and read. Nothing has to be implemented for it.
#[cfg_attr(docsrs, doc(cfg(feature = "postcard")))]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be written as Postcard and read back",
    label = "not both `Serialize` and `Deserialize`",
    note = "add `#[derive(serde::Serialize, serde::Deserialize)]` to `{Self}`; it must own what it holds"
)]
pub trait PostcardValue: Serialize + DeserializeOwned {}

#[diagnostic::do_not_recommend]
impl<P: Serialize + DeserializeOwned> PostcardValue for P {}

impl<P: PostcardValue> Stored for Postcard<P> {
    type Input = P;
    type Output = P;

    fn encode(value: &P, out: &mut impl io::Write) -> Result<(), StoredError> {
        match ::postcard::to_io(value, out) {
            Ok(_) => Ok(()),
            Err(_) => Err(StoredError::new("it has no form in Postcard")),
        }
    }

    fn decode(bytes: Vec<u8>) -> Result<P, StoredError> {
        let bounds = Bounds::new(&bytes);
        let mut reader = Deserializer::from_bytes(&bytes);
        let read = bounds.read(&mut reader);
        let place = bytes.len() - reader.finalize().map_or(0, <[u8]>::len);
        match read {
            Ok(value) if place == bytes.len() => Ok(value),
            Ok(_) => Err(StoredError::new("there is more behind the Postcard").at_byte(place + 1)),
            Err(error) => Err(bounds.crossed().unwrap_or(explain(&error)).at_byte(place)),
        }
    }

    fn size_hint(_value: &P) -> usize {
        64
    }
}

/// How the Postcard is wrong.
fn explain(error: &Error) -> StoredError {
    StoredError::new(match error {
        Error::DeserializeUnexpectedEnd => "it is Postcard that ends too early",
        Error::WontImplement => "Postcard cannot read a type of which the bytes have to say what they are",
        _ => "it is not Postcard of this shape",
    })
}

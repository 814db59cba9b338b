//! Postcard.

use ::postcard::{Deserializer, Error};
use serde::de::DeserializeOwned;

use super::limits::Limits;
use super::read_back::{Losses, serde_form, serde_items};
use super::{Stored, StoredError};

serde_form! {
    /// A stored form for serde types: Postcard, the most compact form.
    ///
    /// It is a marker type without values: accessors take `&P` and return `P`.
    ///
    /// The bytes contain a version and the fields in order: no names, no types, no lengths that the type implies.
    /// **So if your type changes, write the next version**, for example `Postcard<Position, 2>`: without it, stored
    /// values could be read as wrong ones after fields or variants were reordered, added, removed or given another
    /// type. A value of another version is an error that says so, and a miss for cached keys, which load it again.
    /// Members and field names are found by their bytes, so declare another key for those, and let a queue's jobs end
    /// before you change their version.
    /// `#[serde(flatten)]`, `#[serde(untagged)]` and `#[serde(skip_serializing_if = …)]` are not supported, because the
    /// format is not self-describing.
    ///
    /// A value that cannot be read back is rejected when it is written, except for types with `untagged` or `tag`,
    /// which serde writes like any other: see [the module](crate::stored#reading-back).
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
    pub struct Postcard<P, const VERSION: u8 = 1>;

    /// A type that [`Postcard`] can store: any serde type that owns its data. It is implemented automatically.
    #[cfg_attr(docsrs, doc(cfg(feature = "postcard")))]
    #[diagnostic::on_unimplemented(
        message = "`{Self}` cannot be stored as Postcard",
        label = "not both `Serialize` and `Deserialize`",
        note = "add `#[derive(serde::Serialize, serde::Deserialize)]` to `{Self}`; it must own its data"
    )]
    pub trait PostcardValue;

    not_representable: "not representable as Postcard",
    losses: Losses { non_finite: false, empty_some: false, skipped_field: true },
    write: |value, out| std::io::Write::write_all(out, &[VERSION]).is_ok() && ::postcard::to_io(value, out).is_ok(),
}

impl<P: PostcardValue, const VERSION: u8> Stored for Postcard<P, VERSION> {
    serde_items!(P, Codec::Postcard(VERSION), size_hint: 64, decode: decode::<P, VERSION>);
}

/// Reads a value of this version.
fn decode<P: DeserializeOwned, const VERSION: u8>(stored: &[u8]) -> Result<P, StoredError> {
    let bytes = match stored {
        [version, bytes @ ..] if *version == VERSION => bytes,
        [] => return Err(StoredError::new("Postcard is incomplete").at_byte(0)),
        _ => return Err(StoredError::new("stored in another version of `Postcard<_, VERSION>`")),
    };
    let limits = Limits::new(bytes);
    let mut deserializer = Deserializer::from_bytes(bytes);
    let value = limits.deserialize(&mut deserializer);
    let position = stored.len() - deserializer.finalize().map_or(0, <[u8]>::len);
    match value {
        Ok(value) if position == stored.len() => Ok(value),
        Ok(_) => Err(StoredError::new("trailing bytes after the Postcard value").at_byte(position + 1)),
        Err(error) => Err(limits.exceeded().map_or_else(|| explain(&error), StoredError::new).at_byte(position)),
    }
}

fn explain(error: &Error) -> StoredError {
    StoredError::new(match error {
        Error::DeserializeUnexpectedEnd => "Postcard is incomplete",
        Error::WontImplement => "Postcard cannot read types that need a self-describing format",
        _ => "Postcard does not match the type",
    })
}

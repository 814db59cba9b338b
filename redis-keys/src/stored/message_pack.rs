//! MessagePack.

use rmp_serde::Deserializer;
use rmp_serde::decode::Error;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::limits::Limits;
use super::read_back::{Losses, serde_form, serde_items};
use super::{Stored, StoredError};

serde_form! {
    /// A stored form for serde types: MessagePack.
    ///
    /// It is a marker type without values: accessors take `&P` and return `P`.
    ///
    /// It stores the same data as JSON in fewer bytes, and is faster to read. A struct is a map with field names, so
    /// you can reorder fields, and add fields with `#[serde(default)]`: values that were written without them are still
    /// readable.
    ///
    /// A value that cannot be read back is rejected when it is written: see [the module](crate::stored#reading-back).
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
    pub struct MessagePack<P>;

    /// A type that [`MessagePack`] can store: any serde type that owns its data. It is implemented automatically.
    #[cfg_attr(docsrs, doc(cfg(feature = "messagepack")))]
    #[diagnostic::on_unimplemented(
        message = "`{Self}` cannot be stored as MessagePack",
        label = "not both `Serialize` and `Deserialize`",
        note = "add `#[derive(serde::Serialize, serde::Deserialize)]` to `{Self}`; it must own its data"
    )]
    pub trait MessagePackValue;

    not_representable: "not representable as MessagePack",
    losses: Losses { non_finite: false, empty_some: true, skipped_field: false },
    write: |value, out| rmp_serde::encode::write_named(out, value).is_ok(),
}

impl<P: MessagePackValue> Stored for MessagePack<P> {
    serde_items!(P, Codec::MessagePack, size_hint: 128);
}

/// Reads a value.
fn decode<P: DeserializeOwned>(bytes: &[u8]) -> Result<P, StoredError> {
    let limits = Limits::new(bytes);
    let mut deserializer = Deserializer::from_read_ref(bytes);
    let value = limits.deserialize(&mut deserializer);
    let value = value.map_err(|error| limits.exceeded().map_or_else(|| explain(&error), StoredError::new))?;
    // The deserializer does not expose its position, so try to read another value. Its type cannot nest, because there
    // are no limits here.
    match <()>::deserialize(&mut deserializer) {
        Err(Error::InvalidMarkerRead(_)) => Ok(value),
        _ => Err(StoredError::new("trailing bytes after the MessagePack value")),
    }
}

/// Replaces serde's message, which can quote the value.
fn explain(error: &Error) -> StoredError {
    StoredError::new(match error {
        Error::InvalidMarkerRead(_) | Error::InvalidDataRead(_) => "MessagePack is incomplete",
        _ => "MessagePack does not match the type",
    })
}

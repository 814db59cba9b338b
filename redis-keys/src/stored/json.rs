//! JSON.

use serde::de::DeserializeOwned;
use serde_json::Deserializer;
use serde_json::error::Category;

use super::limits::Limits;
use super::read_back::{Losses, serde_form, serde_items};
use super::{Stored, StoredError};

serde_form! {
    /// A stored form for serde types: JSON.
    ///
    /// It is a marker type without values: accessors take `&P` and return `P`.
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
    /// #[redis_key(user:basic.info:{user_id}:string, value = Json<Profile>, ttl = 1h)]
    /// struct BasicInfo { user_id: u64 }
    ///
    /// let set = BasicInfo { user_id: 42 }.set(&Profile { name: "Ada".to_owned() });
    /// let get: Command<Option<Profile>> = BasicInfo { user_id: 42 }.get();
    /// ```
    pub struct Json<P>;

    /// A type that [`Json`] can store: any serde type that owns its data. It is implemented automatically.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` cannot be stored as JSON",
        label = "not both `Serialize` and `Deserialize`",
        note = "add `#[derive(serde::Serialize, serde::Deserialize)]` to `{Self}`; it must own its data"
    )]
    pub trait JsonValue;

    not_representable: "not representable as JSON",
    losses: Losses { non_finite: true, empty_some: true, skipped_field: false },
    write: |value, out| serde_json::to_writer(out, value).is_ok(),
}

impl<P: JsonValue> Stored for Json<P> {
    serde_items!(P, Codec::Json, size_hint: 128);
}

/// Reads a value.
fn decode<P: DeserializeOwned>(bytes: &[u8]) -> Result<P, StoredError> {
    // Checked once, rather than by the deserializer for each string.
    let text = str::from_utf8(bytes).map_err(|_| StoredError::new("not UTF-8"))?;
    let limits = Limits::new(bytes);
    let mut deserializer = Deserializer::from_str(text);
    let value = limits.deserialize(&mut deserializer).and_then(|value| deserializer.end().map(|()| value));
    value.map_err(|error| explain(&error, limits.exceeded()))
}

/// Replaces serde's message, which can quote the value.
fn explain(error: &serde_json::Error, exceeded: Option<&'static str>) -> StoredError {
    let why = match error.classify() {
        _ if exceeded.is_some() => exceeded.unwrap_or_default(),
        Category::Syntax if error.to_string().starts_with("recursion limit exceeded") => "nested too deeply",
        Category::Eof => "JSON is incomplete",
        Category::Data => "JSON does not match the type",
        Category::Syntax | Category::Io => "not JSON",
    };
    StoredError::new(why).at(error.line(), error.column())
}

//! The choice of keys that a command changes, and the bytes of such keys in JSON.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::render::{base64, from_base64};

/// The choice of keys that a command changes. A plan contains it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Choice {
    /// Those of a declaration, whatever they contain.
    Schema(String),
    /// Those that no declaration can produce.
    Unknown,
    /// These.
    Keys(NamedKeys),
    /// Those without an expiry: of a declaration, or of all.
    WithoutExpiry(Option<String>),
    /// Those under the name that is not in use: of a declaration, or of all.
    OtherName(Option<String>),
}

/// Keys that the user has named.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct NamedKeys(pub(super) Vec<KeyBytes>);

impl Choice {
    /// The choice of these keys.
    pub(crate) fn keys(keys: impl IntoIterator<Item = Vec<u8>>) -> Self {
        Self::Keys(NamedKeys(keys.into_iter().map(KeyBytes).collect()))
    }
}

/// The bytes of a key. In JSON it is text, or `{"base64":"…"}` if it is not UTF-8.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct KeyBytes(pub(super) Vec<u8>);

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Form {
    Text(String),
    Bytes { base64: String },
}

impl Serialize for KeyBytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match str::from_utf8(&self.0) {
            Ok(text) => serializer.serialize_str(text),
            Err(_) => Form::Bytes { base64: base64(&self.0) }.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for KeyBytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Form::deserialize(deserializer)? {
            Form::Text(text) => Ok(Self(text.into_bytes())),
            Form::Bytes { base64 } => from_base64(&base64).map(Self).ok_or_else(|| D::Error::custom("not Base64")),
        }
    }
}

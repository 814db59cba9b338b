//! The bytes of values: stored forms, and the fields of records.

use serde::{Deserialize, Serialize};

/// The way in which a value becomes bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredForm {
    /// The names of the stored forms in lower case, outermost first, such as `zstd` and `json`. Empty for text, numbers,
    /// bytes and records, and `None` if the sources do not show it.
    pub forms: Option<Vec<String>>,
    /// The type in the forms, behind aliases.
    #[serde(rename = "type")]
    pub type_name: String,
}

/// A field of a record: of a hash, or of an entry of a stream.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordField {
    /// The name under which it is stored.
    pub name: String,
    /// Its stored form.
    pub stored: StoredForm,
    /// Its time to live, if it differs from the key's.
    pub ttl_ms: Option<u64>,
    /// Whether it can be missing: an `Option`, or a field with a default.
    pub optional: bool,
}

//! Records: structs whose fields are the fields of a hash, or of a stream's entry.
//!
//! ```
//! use redis_keys::{prelude::*};
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Serialize, Deserialize)]
//! struct Address { street: String, city: String }
//!
//! #[derive(RedisHash)]
//! struct Profile {
//!     name: String,
//!     #[redis_hash(rename = "mail")]
//!     email: Option<String>,
//!     #[redis_hash(value = Json<Address>)]
//!     address: Address,
//!     #[redis_hash(default)]
//!     visits: u32,
//!     #[redis_hash(ttl = 10m)]
//!     code: Option<u32>,
//! }
//!
//! let names: Vec<_> = Profile::FIELDS.iter().map(|field| field.name).collect();
//! assert_eq!(names, ["name", "mail", "address", "visits", "code"]);
//! assert_eq!(Profile::EMAIL.name(), "mail");
//! ```

mod expansion;
pub(crate) mod expiry;
mod field;
pub(crate) mod fields;
mod form;
pub(crate) mod key;
pub(crate) mod load;
mod reader;
pub(crate) mod store;
#[cfg(all(test, feature = "aio"))]
mod tests;
mod writer;

use std::time::Duration;

pub use field::{Counted, Expires, Expiring, Field, Mandatory, MayBeMissing, Optional};
#[doc(hidden)]
pub use form::{FormOf, HasDefault, OwnForm};
pub use key::RecordKey;
#[doc(hidden)]
pub use reader::{Read, RecordFault, RecordReader};
#[doc(hidden)]
pub use writer::RecordWriter;

/// A record, declared by `#[derive(RedisHash)]`: a struct whose fields are stored one by one.
///
/// An `Option` that is `None` is not stored at all. A field with `#[redis_hash(default)]` is its type's `Default` where it is
/// missing, such as in what an older version has stored. Any other field is mandatory: where it is missing, reading the
/// record is an error that names it.
///
/// ```
/// use redis_keys::{prelude::*, record::Presence};
///
/// #[derive(RedisHash)]
/// struct Profile {
///     name: String,
///     email: Option<String>,
/// }
///
/// let presence: Vec<_> = Profile::FIELDS.iter().map(|field| field.presence).collect();
/// assert_eq!(presence, [Presence::Mandatory, Presence::Optional]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a record",
    label = "no `#[derive(RedisHash)]` here",
    note = "add `#[derive(RedisHash)]` to `{Self}`, a struct with named fields"
)]
pub trait RedisHash: Sized {
    /// What is declared of each field, in the order of the struct.
    const FIELDS: &'static [RecordField];

    /// Writes each field, in the order of [`FIELDS`](Self::FIELDS).
    #[doc(hidden)]
    fn write_record(&self, fields: &mut RecordWriter<'_>);

    /// Reads each field, in the same order.
    #[doc(hidden)]
    fn read_record(fields: &mut RecordReader) -> Read<Self>;
}

/// What is declared of a record's field: an element of [`RedisHash::FIELDS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RecordField {
    /// The name under which it is stored.
    pub name: &'static str,
    /// Its stored form, as the declaration writes it.
    pub form: &'static str,
    /// What it is where nothing is stored.
    pub presence: Presence,
    /// How long it lives by itself, if it does not stay as long as the key.
    pub ttl: Option<Duration>,
}

/// What a field is where nothing is stored under its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Presence {
    /// The record cannot be read then.
    Mandatory,
    /// `None`.
    Optional,
    /// The `Default` of its type.
    Default,
}

#[doc(hidden)]
impl RecordField {
    pub const fn mandatory(name: &'static str, form: &'static str) -> Self {
        Self { name, form, presence: Presence::Mandatory, ttl: None }
    }

    pub const fn optional(name: &'static str, form: &'static str) -> Self {
        Self { name, form, presence: Presence::Optional, ttl: None }
    }

    pub const fn defaulted(name: &'static str, form: &'static str) -> Self {
        Self { name, form, presence: Presence::Default, ttl: None }
    }

    pub const fn expiring(self, ttl_ms: u64) -> Self {
        Self { ttl: Some(Duration::from_millis(ttl_ms)), ..self }
    }
}

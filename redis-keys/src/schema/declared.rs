//! A declaration as the derive writes it.

use redis_keys_schema::{Kind, limits};

use super::{Expiry, Parameters, Schema};

/// What every declaration of a `string` says: name, template, parameters, value, file, docs, the milliseconds of expiry and
/// of jitter, and the line of the source.
///
/// A constant of plain literals is what the compiler checks quickest, and a project has many keys. The schema is made of it
/// at compile time too, but only for the keys that are used.
pub type Declared = (&'static str, &'static str, &'static str, &'static str, &'static str, &'static str, u64, u64, u32);

#[doc(hidden)]
impl Schema {
    pub const fn declared(declared: Declared) -> Self {
        let (name, template, parameters, value, file, docs, ttl_ms, jitter_ms, line) = declared;
        Self {
            name,
            template,
            kind: Kind::String,
            parameters: Parameters { lines: parameters },
            expiry: Expiry { ttl_ms, jitter_ms },
            renew: None,
            value: Some(value),
            max_bytes: Some(limits::DEFAULT_MAX_BYTES),
            reason: None,
            owner: None,
            docs: if docs.is_empty() { None } else { Some(docs) },
            file,
            line,
        }
    }
}

//! A declaration as the derive writes it.

use std::time::Duration;

use redis_keys_schema::{Kind, limits};

use super::{Expiry, Parameters, Renew, Schema};

/// What every declaration of a `string` says: name, template, parameters, value, file, docs, the milliseconds of expiry and
/// of jitter, and the line of the source.
///
/// A constant of plain literals is what the compiler checks quickest, and a project has many keys. The schema is made of it
/// at compile time too, but only for the keys that are used.
pub type Declared = (&'static str, &'static str, &'static str, &'static str, &'static str, &'static str, u64, u64, u32);

/// What only some declarations say: reason, owner, the most bytes, when the expiry starts anew (1 at writes, 2 at reads too,
/// 3 below a threshold), and the milliseconds of that threshold. Nothing is an empty text or 0.
pub type Rare = (&'static str, &'static str, u64, u8, u64);

/// What a declaration says that says nothing of all that.
pub(crate) const NOTHING_RARE: Rare = ("", "", 0, 0, 0);

#[doc(hidden)]
impl Schema {
    pub const fn declared(declared: Declared, rare: Rare) -> Self {
        let (name, template, parameters, value, file, docs, ttl_ms, jitter_ms, line) = declared;
        let (reason, owner, bytes, renew, below) = rare;
        Self {
            name,
            template,
            kind: Kind::String,
            parameters: Parameters { lines: parameters },
            expiry: Expiry { ttl_ms, jitter_ms },
            renew: renewal(renew, below),
            value: Some(value),
            max_bytes: Some(if bytes == 0 { limits::DEFAULT_MAX_BYTES } else { bytes }),
            reason: said(reason),
            owner: said(owner),
            docs: said(docs),
            file,
            line,
        }
    }
}

const fn said(text: &'static str) -> Option<&'static str> {
    if text.is_empty() { None } else { Some(text) }
}

const fn renewal(number: u8, below_ms: u64) -> Option<Renew> {
    match number {
        1 => Some(Renew::Write),
        2 => Some(Renew::Read),
        3 => Some(Renew::Below(Duration::from_millis(below_ms))),
        _ => None,
    }
}

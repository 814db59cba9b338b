//! A declaration as the derive writes it.

use std::time::Duration;

use redis_keys_core::{Kind, limits};

use super::{Allowances, Expiry, Keep, Parameters, Renew, Schema};

/// What every declaration says: name, template, the number of the type, parameters, value, file, docs, the milliseconds of
/// expiry and of jitter, and the line of the source.
///
/// A constant of plain literals is what the compiler checks quickest, and a project has many keys. The schema is made of it
/// at compile time too, but only for the keys that are used.
pub type Declared =
    (&'static str, &'static str, u8, &'static str, &'static str, &'static str, &'static str, u64, u64, u32);

/// What only some declarations say: reason, owner, the type of the fields, the most bytes, when the expiry starts anew (1 at
/// writes, 2 at reads too, 3 below a threshold), the milliseconds of that threshold, and the caps. Nothing is an empty text
/// or 0.
pub type Rare = (&'static str, &'static str, &'static str, u64, u8, u64, Caps);

/// The most elements, the most bytes of each, how many are kept, whether it is about so many, and the most bytes of the key.
pub type Caps = (u64, u64, u64, bool, usize);

/// What a declaration says that says nothing of all that.
pub(crate) const NOTHING_RARE: Rare = ("", "", "", 0, 0, 0, (0, 0, 0, false, 0));

#[doc(hidden)]
impl Schema {
    pub const fn declared(declared: Declared, rare: Rare) -> Self {
        let (name, template, kind, parameters, value, file, docs, ttl_ms, jitter_ms, line) = declared;
        let (reason, owner, field, bytes, renew, below, (elements, member_bytes, kept, about, key_bytes)) = rare;
        let kind = match Kind::from_number(kind) {
            Some(kind) => kind,
            None => Kind::String,
        };
        let collection = kind.is_collection();
        Self {
            name,
            template,
            kind,
            parameters: Parameters { lines: parameters },
            expiry: Expiry { ttl_ms, jitter_ms },
            ttl_from_end_of: None,
            renew: renewal(renew, below),
            value: said(value),
            field: said(field),
            max_bytes: most(bytes, limits::DEFAULT_MAX_BYTES, matches!(kind, Kind::String | Kind::Bitmap)),
            max_len: most(elements, limits::MAX_MAX_LEN, collection && kept == 0),
            max_member_bytes: most(member_bytes, limits::DEFAULT_MAX_MEMBER_BYTES, collection),
            keep: keep(kept, about, kind),
            max_key_bytes: if key_bytes == 0 { limits::MAX_KEY_BYTES } else { key_bytes },
            reason: said(reason),
            owner: said(owner),
            docs: said(docs),
            allowed: Allowances { lines: "" },
            file,
            line,
        }
    }
}

#[doc(hidden)]
impl Schema {
    /// With the parameter from whose end the expiry counts, where there is one.
    #[must_use]
    pub const fn ending(self, span: &'static str) -> Self {
        Self { ttl_from_end_of: said(span), ..self }
    }

    /// With the lints that it opts out of, `lint: reason` on a line of its own.
    #[must_use]
    pub const fn allowing(self, lines: &'static str) -> Self {
        Self { allowed: Allowances { lines }, ..self }
    }
}

const fn said(text: &'static str) -> Option<&'static str> {
    if text.is_empty() { None } else { Some(text) }
}

/// What is declared, or what holds where nothing is; nothing at all for keys that have no such limit.
const fn most(declared: u64, otherwise: u64, applies: bool) -> Option<u64> {
    match declared {
        _ if !applies => None,
        0 => Some(otherwise),
        declared => Some(declared),
    }
}

const fn keep(count: u64, about: bool, kind: Kind) -> Option<Keep> {
    match kind {
        _ if count == 0 => None,
        Kind::ZSet => Some(Keep::Top(count)),
        _ if about => Some(Keep::AboutLast(count)),
        _ => Some(Keep::Last(count)),
    }
}

const fn renewal(number: u8, below_ms: u64) -> Option<Renew> {
    match number {
        1 => Some(Renew::Write),
        2 => Some(Renew::Read),
        3 => Some(Renew::Below(Duration::from_millis(below_ms))),
        _ => None,
    }
}

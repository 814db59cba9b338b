//! A segment in front of every key, for environments that share a server.
//!
//! ```standalone_crate
//! use redis_keys::{namespace, prelude::*};
//!
//! #[derive(RedisKey)]
//! #[redis_key(user:name:{user_id}:string, value = String, ttl = 1h)]
//! struct Name { user_id: u64 }
//!
//! // At the start of the program, before any key is built, read or scanned for.
//! namespace::set("shop.staging")?;
//!
//! assert_eq!(Name { user_id: 42 }.key()?, "shop.staging:user:name:42:string");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A process has one or none, for as long as it runs: there is no moment at which some of its keys have it and others have
//! not. Scripts, scans and [`ParseKey`](crate::ParseKey) know it too, and a `{hash tag}` chooses the same slot with it as
//! without. It counts among a key's 128 bytes.
//!
//! A library sets none. In tests each test can have keys of its own instead, also within one process: see `own_keys` of the
//! module `testing`, whose prefix stands before the namespace.

use std::{
    error, fmt,
    sync::{
        OnceLock,
        atomic::{AtomicBool, Ordering},
    },
};

use redis_keys_core::limits::MAX_KEY_BYTES;

use crate::key::{KeyFaultKind, words_fault};

/// What was set, or that nothing was before it was asked for.
static NAMESPACE: OnceLock<Option<Box<str>>> = OnceLock::new();

/// Whether it is known that there is none. Says nothing that `NAMESPACE` does not, but costs less to ask.
static IS_NONE: AtomicBool = AtomicBool::new(false);

/// The longest namespace: half a key.
const MOST_BYTES: usize = MAX_KEY_BYTES / 2;

/// Puts a segment in front of every key that this process builds: words of `a` to `z` and `0` to `9`, joined by `.`, of which
/// the first starts with a letter.
///
/// # Errors
///
/// When it is no such segment, or longer than 64 bytes; when there is one already, be it the same; and when a key was built,
/// read back or scanned for before, which has none.
pub fn set(namespace: &str) -> Result<(), NamespaceError> {
    check(namespace)?;
    NAMESPACE.set(Some(namespace.into())).map_err(|_| match get() {
        Some(before) => NamespaceError(Fault::Set { before }),
        None => NamespaceError(Fault::TooLate),
    })
}

/// The namespace, without the `:` behind it.
///
/// ```
/// // In a process that has set none.
/// assert_eq!(redis_keys::namespace::get(), None);
/// ```
pub fn get() -> Option<&'static str> {
    NAMESPACE.get()?.as_deref()
}

/// The namespace as a key that is built or read has to have it: where nothing was set by now, nothing will be.
#[inline]
pub(crate) fn of_keys() -> Option<&'static str> {
    // No order with anything else is needed: whoever does not see it yet asks further.
    if IS_NONE.load(Ordering::Relaxed) { None } else { asked() }
}

#[cold]
fn asked() -> Option<&'static str> {
    let namespace = NAMESPACE.get_or_init(|| None).as_deref();
    if namespace.is_none() {
        IS_NONE.store(true, Ordering::Relaxed);
    }
    namespace
}

fn check(namespace: &str) -> Result<(), NamespaceError> {
    match fault(namespace) {
        None => Ok(()),
        Some(fault) => Err(NamespaceError(Fault::Text { fault, rewritten: rewritten(namespace) })),
    }
}

fn fault(namespace: &str) -> Option<KeyFaultKind> {
    if let Some(fault) = words_fault(namespace.as_bytes()) {
        return Some(fault);
    }
    if namespace.starts_with(|first: char| first.is_ascii_digit()) {
        return Some(KeyFaultKind::Refused("starts with a digit; a key starts with a letter"));
    }
    (namespace.len() > MOST_BYTES).then_some(KeyFaultKind::Refused("has more than 64 bytes, half a key"))
}

/// The same with the words that a namespace can have, if there are any.
fn rewritten(namespace: &str) -> Option<Box<str>> {
    let lower = namespace.to_ascii_lowercase();
    let words = lower.split(|sign: char| !sign.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let from_letter = words.skip_while(|word| !word.starts_with(|first: char| first.is_ascii_lowercase()));
    let rewritten = from_letter.collect::<Vec<_>>().join(".");
    (!rewritten.is_empty() && rewritten.len() <= MOST_BYTES).then(|| rewritten.into())
}

/// Why [`set`] has not set a namespace.
///
/// ```
/// use redis_keys::namespace;
///
/// assert_eq!(
///     namespace::set("Shop_Staging").unwrap_err().to_string(),
///     "the namespace has an upper-case letter at byte 1; keys are lower case; write `shop.staging`",
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamespaceError(Fault);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Fault {
    Text { fault: KeyFaultKind, rewritten: Option<Box<str>> },
    Set { before: &'static str },
    TooLate,
}

impl fmt::Display for NamespaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Fault::Text { fault, rewritten } => {
                f.write_str("the namespace ")?;
                fault.describe(f)?;
                write!(
                    f,
                    "; write {}`{}`",
                    if rewritten.is_some() { "" } else { "one such as " },
                    rewritten.as_deref().unwrap_or("shop.staging")
                )
            }
            Fault::Set { before } => {
                write!(f, "this process has the namespace `{before}` already; set it once, where the program starts")
            }
            Fault::TooLate => f.write_str(
                "keys were built, read or scanned for before, without a namespace; set it where the program starts",
            ),
        }
    }
}

impl error::Error for NamespaceError {}

#[cfg(test)]
mod tests {
    use super::{MOST_BYTES, check};

    /// That it is set, and what that does, needs processes of its own: `tests/namespace.rs`.
    #[test]
    fn a_namespace_is_a_segment() {
        for right in ["shop", "shop.staging", "a", "a1.2", &"x".repeat(MOST_BYTES)] {
            assert_eq!(check(right), Ok(()), "{right}");
        }
        for (wrong, told) in [
            ("", "is empty; each part of a key has at least one letter or digit; write one such as `shop.staging`"),
            ("7up.shop", "starts with a digit; a key starts with a letter; write `shop`"),
            (".shop", "has a `.` at byte 1 that does not stand between two words; write `shop`"),
            ("shop.", "has a `.` at byte 5 that does not stand between two words; write `shop`"),
            ("a..b", "has a `.` at byte 3 that does not stand between two words; write `a.b`"),
            ("shop:", "has a `:` at byte 5; it separates the segments of a key; write `shop`"),
            ("shop:eu", "has a `:` at byte 5; it separates the segments of a key; write `shop.eu`"),
            ("shop-eu", "has a `-` at byte 5; a key holds `a` to `z`, `0` to `9`, `.` and `:`; write `shop.eu`"),
            (
                "\u{e9}",
                "has a letter beyond ASCII at byte 1; a key holds `a` to `z`, `0` to `9`, `.` and `:`; write one such as \
                 `shop.staging`",
            ),
            (&"x".repeat(MOST_BYTES + 1), "has more than 64 bytes, half a key; write one such as `shop.staging`"),
        ] {
            assert_eq!(check(wrong).unwrap_err().to_string(), format!("the namespace {told}"), "{wrong}");
        }
    }
}

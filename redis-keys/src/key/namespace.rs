//! A segment in front of all keys of a process, for environments that share a server.
//!
//! ```standalone_crate
//! use redis_keys::{key::namespace, prelude::*};
//!
//! #[derive(RedisKey)]
//! #[redis_key(user:name:{user_id}:string, value = String, ttl = 1h)]
//! struct Name { user_id: u64 }
//!
//! // At program start, before any key is built, parsed or scanned.
//! namespace::set("shop.staging")?;
//!
//! assert_eq!(Name { user_id: 42 }.key()?, "shop.staging:user:name:42:string");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A process has at most one namespace, for its whole lifetime, so that all its keys have the same. Scripts, scans and
//! [`ParseKey`](crate::ParseKey) respect it, and it does not change the slot of a key with a `{hash tag}`. It counts
//! towards the 128 bytes of a key.
//!
//! Do not set it in a library. In tests, you can use `testing::own_keys` instead, which gives each test separate keys
//! within one process; its prefix precedes the namespace.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::{error, fmt};

use redis_keys_core::limits::MAX_KEY_BYTES;

use super::KeyProblem;
use super::error::segment_problem;
#[cfg(any(test, feature = "testing"))]
use super::test_prefix::{self, PREFIX};

/// The namespace, or `None` once a key was used without one.
static NAMESPACE: OnceLock<Option<Box<str>>> = OnceLock::new();

/// Whether `NAMESPACE` is known to be `None`. It is cheaper to read.
static IS_NONE: AtomicBool = AtomicBool::new(false);

/// The longest namespace: half a key.
const MAX_BYTES: usize = MAX_KEY_BYTES / 2;

/// Sets the namespace of this process.
///
/// A namespace is one segment: words of `a` to `z` and `0` to `9`, joined by `.`, that starts with a letter.
///
/// # Errors
///
/// Returns an error if `namespace` is not such a segment or is longer than 64 bytes, if a namespace is already set,
/// even the same, or if a key was already built, parsed or scanned without a namespace.
pub fn set(namespace: &str) -> Result<(), NamespaceError> {
    check(namespace)?;
    NAMESPACE.set(Some(namespace.into())).map_err(|_| {
        NamespaceError(match get() {
            Some(current) => NamespaceErrorKind::AlreadySet { current },
            None => NamespaceErrorKind::TooLate,
        })
    })
}

/// The prefix of all legacy texts, empty once a key was used without one.
static LEGACY_PREFIX: OnceLock<Box<str>> = OnceLock::new();

/// Sets the prefix of all keys under a legacy text (`legacy`, `formerly`) in this process.
///
/// Use it for a prefix that your program reads from its configuration. It is written unchanged, without a separator.
///
/// ```standalone_crate
/// use redis_keys::{key::namespace, prelude::*};
///
/// #[derive(RedisKey)]
/// #[redis_key(user:profile:{user_id}:string, value = String, ttl = 1d, legacy = "User:{user_id}:Profile")]
/// struct Profile { user_id: u64 }
///
/// // At program start, before any key is built, parsed or scanned.
/// namespace::set_legacy_prefix("eu/")?;
///
/// assert_eq!(Profile { user_id: 42 }.key()?, "eu/User:42:Profile");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// No declaration knows the prefix. Therefore a key is rejected when it is built if, with the prefix, it reads as the
/// key of a template. For example, the prefix `user:` and the text `name:{id}:string` make `user:name:7:string`, which
/// can be the key of another declaration.
///
/// # Errors
///
/// Returns an error if `prefix` is longer than 64 bytes or contains a control character, if a prefix is already set,
/// or if a key was already built, parsed or scanned under a legacy text.
pub fn set_legacy_prefix(prefix: &str) -> Result<(), NamespaceError> {
    if prefix.len() > MAX_BYTES {
        return Err(NamespaceError(NamespaceErrorKind::Prefix("exceeds 64 bytes")));
    }
    if prefix.contains(char::is_control) {
        return Err(NamespaceError(NamespaceErrorKind::Prefix("contains a control character")));
    }
    LEGACY_PREFIX.set(prefix.into()).map_err(|_| {
        NamespaceError(NamespaceErrorKind::Prefix(
            "was set already, or keys were already built, parsed or scanned without it: set it once, at program start",
        ))
    })
}

/// Returns the prefix of legacy texts. If there is none, no prefix can be set from now on.
pub(crate) fn legacy_prefix() -> &'static str {
    LEGACY_PREFIX.get_or_init(Box::default)
}

/// Returns the namespace of this process, without the `:` after it.
///
/// ```
/// // In a process without a namespace.
/// assert_eq!(redis_keys::key::namespace::get(), None);
/// ```
pub fn get() -> Option<&'static str> {
    NAMESPACE.get()?.as_deref()
}

/// Returns the namespace for a key that is built or parsed. If there is none, no namespace can be set from now on.
#[inline]
pub(crate) fn of_keys() -> Option<&'static str> {
    // Relaxed is enough: a thread that does not see the store yet reads `NAMESPACE`.
    if IS_NONE.load(Ordering::Relaxed) { None } else { get_or_fix() }
}

#[cold]
fn get_or_fix() -> Option<&'static str> {
    let namespace = NAMESPACE.get_or_init(|| None).as_deref();
    if namespace.is_none() {
        IS_NONE.store(true, Ordering::Relaxed);
    }
    namespace
}

fn check(namespace: &str) -> Result<(), NamespaceError> {
    let problem = segment_problem(namespace.as_bytes()).or_else(|| {
        if namespace.starts_with(|first: char| first.is_ascii_digit()) {
            return Some(KeyProblem::Rejected("starts with a digit: keys start with a letter"));
        }
        (namespace.len() > MAX_BYTES).then_some(KeyProblem::Rejected("exceeds 64 bytes, half a key"))
    });
    match problem {
        None => Ok(()),
        Some(problem) => {
            Err(NamespaceError(NamespaceErrorKind::Invalid { problem, suggestion: suggestion(namespace) }))
        }
    }
}

/// Returns a valid namespace with the same words, if there is one.
fn suggestion(namespace: &str) -> Option<Box<str>> {
    let lower = namespace.to_ascii_lowercase();
    let words = lower.split(|char: char| !char.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let from_letter = words.skip_while(|word| !word.starts_with(|first: char| first.is_ascii_lowercase()));
    let suggestion = from_letter.collect::<Vec<_>>().join(".");
    (!suggestion.is_empty() && suggestion.len() <= MAX_BYTES).then(|| suggestion.into())
}

/// The error of [`set`] and of [`set_legacy_prefix`].
///
/// ```
/// use redis_keys::key::namespace;
///
/// assert_eq!(
///     namespace::set("Shop_Staging").unwrap_err().to_string(),
///     "the namespace contains an upper-case letter at byte 1: keys are lower case; write `shop.staging`",
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamespaceError(NamespaceErrorKind);

#[derive(Clone, Debug, PartialEq, Eq)]
enum NamespaceErrorKind {
    Invalid { problem: KeyProblem, suggestion: Option<Box<str>> },
    AlreadySet { current: &'static str },
    TooLate,
    Prefix(&'static str),
}

impl fmt::Display for NamespaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            NamespaceErrorKind::Invalid { problem, suggestion } => {
                f.write_str("the namespace ")?;
                problem.describe(f)?;
                match suggestion {
                    Some(suggestion) => write!(f, "; write `{suggestion}`"),
                    None => f.write_str("; write for example `shop.staging`"),
                }
            }
            NamespaceErrorKind::AlreadySet { current } => {
                write!(f, "this process already has the namespace `{current}`: set it once, at program start")
            }
            NamespaceErrorKind::TooLate => {
                f.write_str("keys were already built, parsed or scanned without a namespace: set it at program start")
            }
            NamespaceErrorKind::Prefix(problem) => write!(f, "the prefix of legacy texts {problem}"),
        }
    }
}

impl error::Error for NamespaceError {}

/// The text in front of all keys: the prefix of a test's own keys, and the namespace.
#[derive(Clone, Copy)]
pub(crate) struct KeyPrefix {
    #[cfg(any(test, feature = "testing"))]
    test: Option<[u8; test_prefix::BYTES]>,
    pub(crate) namespace: Option<&'static str>,
}

impl KeyPrefix {
    /// Returns the prefix of keys that are built now, on this thread.
    pub(crate) fn current() -> Self {
        Self {
            #[cfg(any(test, feature = "testing"))]
            test: PREFIX.get(),
            namespace: of_keys(),
        }
    }

    /// Returns the prefix of keys under their legacy texts.
    pub(crate) fn of_legacy(mut self) -> Self {
        self.namespace = None;
        self
    }

    /// Returns the whole prefix as text.
    pub(crate) fn text(self) -> String {
        let mut text = String::new();
        #[cfg(any(test, feature = "testing"))]
        if let Some(prefix) = self.test {
            text.push_str(str::from_utf8(&prefix).unwrap_or_default());
        }
        if let Some(namespace) = self.namespace {
            text.push_str(namespace);
            text.push(':');
        }
        text
    }

    /// Returns the key without the prefix of the test, or `None` if it has another one.
    #[cfg_attr(not(any(test, feature = "testing")), allow(clippy::unused_self, clippy::unnecessary_wraps))]
    pub(crate) fn strip_test_prefix(self, key: &[u8]) -> Option<&[u8]> {
        #[cfg(any(test, feature = "testing"))]
        if let Some(prefix) = self.test {
            return key.strip_prefix(&prefix);
        }
        Some(key)
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_BYTES, check};

    /// `tests/namespace.rs` sets namespaces, each in a process of its own.
    #[test]
    fn a_namespace_is_a_segment() {
        for valid in ["shop", "shop.staging", "a", "a1.2", &"x".repeat(MAX_BYTES)] {
            assert_eq!(check(valid), Ok(()), "{valid}");
        }
        let stray = |at| format!("contains a `.` at byte {at} that is not between two words");
        let separator = "contains a `:` at byte 5: it separates the segments of a key";
        let alphabet = "keys contain only `a` to `z`, `0` to `9`, `.` and `:`";
        for (invalid, problem, suggestion) in [
            ("", "is empty: it needs at least one letter or digit", None),
            ("7up.shop", "starts with a digit: keys start with a letter", Some("shop")),
            (".shop", &stray(1), Some("shop")),
            ("shop.", &stray(5), Some("shop")),
            ("a..b", &stray(3), Some("a.b")),
            ("shop:", separator, Some("shop")),
            ("shop:eu", separator, Some("shop.eu")),
            ("shop-eu", &format!("contains a `-` at byte 5: {alphabet}"), Some("shop.eu")),
            ("\u{e9}", &format!("contains a non-ASCII character at byte 1: {alphabet}"), None),
            (&"x".repeat(MAX_BYTES + 1), "exceeds 64 bytes, half a key", None),
        ] {
            let help = suggestion.map_or("for example `shop.staging`".to_owned(), |text| format!("`{text}`"));
            assert_eq!(
                check(invalid).unwrap_err().to_string(),
                format!("the namespace {problem}; write {help}"),
                "{invalid}"
            );
        }
    }
}

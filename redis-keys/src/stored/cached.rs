//! The content of a cached key: a value, or a marker. [`cache`](crate::cache#what-a-key-holds) lists their bytes.

// Replies are read here: arithmetic on them must not overflow, and nothing is indexed by them.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing))]

use std::io;
use std::marker::PhantomData;
use std::time::Duration;

use super::{Binding, Stored, StoredError};
use crate::schema::{Role, Schema};
use crate::time_left::TimeLeft;
use crate::token::{TOKEN_BYTES, Token};

/// The first byte of markers.
const MARK: u8 = 0xC1;

const ESCAPED: &[u8] = b"\xC1v";
const ABSENT: &[u8] = b"\xC1n";
const LOADING: &[u8] = b"\xC1l";
const ABANDONED: &[u8] = b"\xC1a";
const REFRESHING: &[u8] = b"\xC1r";
const STALE: &[u8] = b"\xC1s";

/// The bytes before a content that is being refreshed: the marker, the token and the deadline.
const REFRESH_BYTES: usize = REFRESHING.len() + TOKEN_BYTES + 13;

/// The bytes before a value of a key with `stale`: the marker and the two times.
const STALE_BYTES: usize = STALE.len() + 26;

/// The content of a cached key.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Content<T> {
    Value(T),
    /// A value that has expired, or may have: see [`Content::after`]. It is boxed because few keys have such a value,
    /// and a larger content would take longer to move.
    Stale(Box<StaleValue<T>>),
    Absent,
    Loading(Token),
    /// Callers have given up loading it: there is nothing to wait for.
    Abandoned,
}

/// A value of a key with `stale`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct StaleValue<T> {
    pub(crate) value: T,
    pub(crate) times: StaleTimes,
    /// The token of the call that loads or refreshes it.
    pub(crate) token: Option<Token>,
}

/// The times of a value that its key outlives, each as the milliseconds that the key has left at that time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StaleTimes {
    /// The time at which the value expires.
    expired_at: u64,
    /// The time at which a call tries again to load it. Until then the value is returned, since a load has failed.
    retry_at: u64,
}

impl StaleTimes {
    /// Reads the times of a content. Its first bytes suffice.
    pub(crate) fn of(content: &[u8]) -> Option<Self> {
        let content = if content.starts_with(REFRESHING) { content.get(REFRESH_BYTES..)? } else { content };
        let (expired_at, retry_at) = content.strip_prefix(STALE)?.get(..26)?.split_at(13);
        let number = |digits: &[u8]| std::str::from_utf8(digits).ok()?.parse().ok();
        Some(Self { expired_at: number(expired_at)?, retry_at: number(retry_at)? })
    }

    /// The time until the value expires, or for which an expired value is kept.
    pub(crate) fn left(self, left: TimeLeft) -> TimeLeft {
        match left {
            TimeLeft::Left(left) => match left.checked_sub(Duration::from_millis(self.expired_at)) {
                Some(fresh) if !fresh.is_zero() => TimeLeft::Left(fresh),
                _ => TimeLeft::Stale(left),
            },
            other => other,
        }
    }
}

impl<T> Content<T> {
    /// The content of a key that has this time left, and the time until it expires.
    pub(crate) fn after(self, left: TimeLeft) -> (Self, TimeLeft) {
        let Self::Stale(stale) = self else { return (self, left) };
        let times = stale.times;
        let left = times.left(left);
        let content = match left {
            TimeLeft::Stale(kept) if kept > Duration::from_millis(times.retry_at) => Self::Stale(stale),
            // After a failed load, the call that is to try again does not wait for the call before.
            TimeLeft::Stale(_) => match stale.token.filter(|_| times.retry_at == times.expired_at) {
                Some(token) => Self::Loading(token),
                None => Self::Abandoned,
            },
            _ => Self::Value(stale.value),
        };
        (content, left)
    }

    #[cfg(feature = "cache")]
    pub(crate) fn map<U>(self, map: impl FnOnce(T) -> U) -> Content<U> {
        match self {
            Self::Value(value) => Content::Value(map(value)),
            Self::Stale(stale) => {
                let StaleValue { value, times, token } = *stale;
                Content::Stale(Box::new(StaleValue { value: map(value), times, token }))
            }
            Self::Absent => Content::Absent,
            Self::Loading(token) => Content::Loading(token),
            Self::Abandoned => Content::Abandoned,
        }
    }

    /// The value that has not expired, as far as is known.
    pub(crate) fn into_value(self) -> Option<T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Stale(_) | Self::Absent | Self::Loading(_) | Self::Abandoned => None,
        }
    }

    /// The value, even if it has expired.
    pub(crate) fn into_any_value(self) -> Option<T> {
        match self {
            Self::Stale(stale) => Some(stale.value),
            other => other.into_value(),
        }
    }
}

/// The stored form of a cached key whose values have the form `V`.
pub(crate) struct MarkedValue<V> {
    form: PhantomData<fn() -> V>,
}

impl<V: Stored> Stored for MarkedValue<V> {
    type Input = V::Input;
    type Output = Content<V::Output>;

    const IS_SECRET: bool = V::IS_SECRET;
    const IS_CACHED: bool = true;

    fn encode(value: &V::Input, out: &mut impl io::Write) -> Result<(), StoredError> {
        V::encode(value, &mut EscapingWriter::new(out))
    }

    fn encode_bound(value: &V::Input, place: &Binding, out: &mut impl io::Write) -> Result<(), StoredError> {
        V::encode_bound(value, place, &mut EscapingWriter::new(out))
    }

    #[inline]
    fn decode(bytes: Vec<u8>) -> Result<Content<V::Output>, StoredError> {
        if bytes.first() != Some(&MARK) {
            return V::decode(bytes).map(Content::Value);
        }
        decode_marked::<V>(bytes, V::decode)
    }

    #[inline]
    fn decode_bound(bytes: Vec<u8>, place: &Binding) -> Result<Content<V::Output>, StoredError> {
        decode_marked::<V>(bytes, |bytes| V::decode_bound(bytes, place))
    }

    #[inline]
    fn size_hint(value: &V::Input) -> usize {
        V::size_hint(value)
    }

    #[cfg(feature = "values")]
    fn form(notes: &mut Vec<String>) -> crate::values::forms::Form {
        V::form(notes)
    }
}

#[cold]
fn decode_marked<V: Stored>(
    mut bytes: Vec<u8>,
    decode: impl FnOnce(Vec<u8>) -> Result<V::Output, StoredError>,
) -> Result<Content<V::Output>, StoredError> {
    let is_refreshed = bytes.starts_with(REFRESHING);
    // A deadline of 0 means that the caller has given up.
    let claim =
        bytes.get(REFRESHING.len()..REFRESH_BYTES).filter(|claim| is_refreshed && !claim.ends_with(&[b'0'; 13]));
    let token = claim.and_then(|claim| Token::from_bytes(claim.get(..TOKEN_BYTES)?));
    let times = StaleTimes::of(&bytes);
    let head = if is_refreshed { REFRESH_BYTES } else { 0_usize };
    let head = head.saturating_add(if times.is_some() { STALE_BYTES } else { 0 });
    if bytes.len() < head {
        return Err(unknown());
    }
    bytes.drain(..head);
    if let Some(times) = times {
        let is_value = bytes.first() != Some(&MARK) || bytes.starts_with(ESCAPED);
        let value = if is_value { decode(unescaped(bytes))? } else { return Err(unknown()) };
        return Ok(Content::Stale(Box::new(StaleValue { value, times, token })));
    }
    if bytes.first() != Some(&MARK) || bytes.starts_with(ESCAPED) {
        return decode(unescaped(bytes)).map(Content::Value);
    }
    if bytes == ABSENT {
        return Ok(Content::Absent);
    }
    if bytes.starts_with(ABANDONED) && !is_refreshed {
        return Ok(Content::Abandoned);
    }
    let token = bytes.strip_prefix(LOADING).filter(|_| !is_refreshed).and_then(Token::from_bytes);
    token.map(Content::Loading).ok_or_else(unknown)
}

fn unescaped(mut bytes: Vec<u8>) -> Vec<u8> {
    if bytes.starts_with(ESCAPED) {
        bytes.drain(..ESCAPED.len());
    }
    bytes
}

fn unknown() -> StoredError {
    StoredError::new("unknown marker of a cached key")
}

/// Whether the bytes of a cached key contain a value, and not only a marker.
#[cfg(feature = "metrics")]
pub(crate) fn has_value(bytes: &[u8]) -> bool {
    let content = if bytes.starts_with(REFRESHING) { bytes.get(REFRESH_BYTES..).unwrap_or_default() } else { bytes };
    content.first() != Some(&MARK) || content.starts_with(ESCAPED) || content.starts_with(STALE)
}

/// The time for which a key keeps a value that has expired, in milliseconds.
pub(crate) fn stale_ms(schema: &Schema) -> u64 {
    let Some(Role::Cache(options)) = schema.role else { return 0 };
    options.stale.map_or(0, |stale| u64::try_from(stale.as_millis()).unwrap_or(u64::MAX))
}

/// Writes the bytes before a value of a key with `stale`.
pub(crate) fn write_stale_times(schema: &Schema, out: &mut impl io::Write) -> io::Result<()> {
    match stale_ms(schema) {
        0 => Ok(()),
        ms => {
            out.write_all(STALE)?;
            write!(out, "{ms:013}{ms:013}")
        }
    }
}

/// The bytes of a stored value without its times.
#[cfg(feature = "cache")]
pub(crate) fn size_of_value(content: &[u8]) -> usize {
    content.len().saturating_sub(if content.starts_with(STALE) { STALE_BYTES } else { 0 })
}

/// The marker that there is no value.
pub(crate) fn absent() -> &'static [u8] {
    ABSENT
}

/// Writes `C1 'v'` before bytes that begin with `C1`.
pub(crate) struct EscapingWriter<'w, W> {
    out: &'w mut W,
    has_begun: bool,
}

impl<'w, W> EscapingWriter<'w, W> {
    pub(crate) fn new(out: &'w mut W) -> Self {
        Self { out, has_begun: false }
    }
}

impl<W: io::Write> io::Write for EscapingWriter<'_, W> {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        self.write_all(buf)?;
        Ok(buf.len())
    }

    #[inline]
    fn write_all(&mut self, buf: &[u8]) -> io::Result<()> {
        if !self.has_begun && buf.first() == Some(&MARK) {
            self.out.write_all(ESCAPED)?;
        }
        self.has_begun |= !buf.is_empty();
        self.out.write_all(buf)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

//! The content of a cached key: a value, or a marker. [`cache`](crate::cache#what-a-key-holds) lists their bytes.

// Replies are read here: arithmetic on them must not overflow, and nothing is indexed by them.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing))]

use std::io;
use std::marker::PhantomData;

use super::{Binding, Stored, StoredError};
use crate::token::{TOKEN_BYTES, Token};

/// The first byte of markers.
const MARK: u8 = 0xC1;

const ESCAPED: &[u8] = b"\xC1v";
const ABSENT: &[u8] = b"\xC1n";
const LOADING: &[u8] = b"\xC1l";
const ABANDONED: &[u8] = b"\xC1a";
const REFRESHING: &[u8] = b"\xC1r";

/// The bytes before a content that is being refreshed: the marker, the token and the deadline.
const REFRESH_BYTES: usize = REFRESHING.len() + TOKEN_BYTES + 13;

/// The content of a cached key.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Content<T> {
    Value(T),
    Absent,
    Loading(Token),
    /// Callers have given up loading it: there is nothing to wait for.
    Abandoned,
}

impl<T> Content<T> {
    #[cfg(feature = "cache")]
    pub(crate) fn map<U>(self, map: impl FnOnce(T) -> U) -> Content<U> {
        match self {
            Self::Value(value) => Content::Value(map(value)),
            Self::Absent => Content::Absent,
            Self::Loading(token) => Content::Loading(token),
            Self::Abandoned => Content::Abandoned,
        }
    }

    pub(crate) fn into_value(self) -> Option<T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Absent | Self::Loading(_) | Self::Abandoned => None,
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
}

#[cold]
fn decode_marked<V: Stored>(
    mut bytes: Vec<u8>,
    decode: impl FnOnce(Vec<u8>) -> Result<V::Output, StoredError>,
) -> Result<Content<V::Output>, StoredError> {
    let is_refreshed = bytes.starts_with(REFRESHING);
    if is_refreshed {
        if bytes.len() < REFRESH_BYTES {
            return Err(unknown());
        }
        bytes.drain(..REFRESH_BYTES);
    }
    if bytes.first() != Some(&MARK) {
        return decode(bytes).map(Content::Value);
    }
    if bytes.starts_with(ESCAPED) {
        bytes.drain(..ESCAPED.len());
        return decode(bytes).map(Content::Value);
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

fn unknown() -> StoredError {
    StoredError::new("unknown marker of a cached key")
}

/// Whether the bytes of a cached key contain a value, and not only a marker.
#[cfg(feature = "metrics")]
pub(crate) fn has_value(bytes: &[u8]) -> bool {
    let content = if bytes.starts_with(REFRESHING) { bytes.get(REFRESH_BYTES..).unwrap_or_default() } else { bytes };
    content.first() != Some(&MARK) || content.starts_with(ESCAPED)
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

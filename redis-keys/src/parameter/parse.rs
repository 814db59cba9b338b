//! Parsing keys into their parameters.

#[cfg(test)]
mod tests;

use std::{str, vec};

use redis_keys_core::legacy::LegacyText;
use redis_keys_core::limits::MAX_LEGACY_KEY_BYTES;

use super::{KeySegment, ParseSegment};
use crate::key::{InvalidKey, KeyPrefix, KeyProblem, KeyText, KeyWriter, ParseError, namespace, segment_problem};
use crate::schema::Schema;

/// Parses a key that starts with `prefix`, given a function that reads its parameters.
pub(crate) fn parse<'k, K: KeyText>(
    key: &'k [u8],
    prefix: KeyPrefix,
    read: impl Fn(&mut KeyReader<'k>) -> Option<K>,
) -> Result<K, ParseError> {
    if let Some(legacy) = K::SCHEMA.legacy {
        return parse_legacy(key, prefix, &LegacyText::read(legacy), read);
    }
    let mut reader = KeyReader::new(key, prefix, K::SCHEMA)?;
    let text = reader.rest;
    let parsed = read(&mut reader).and_then(|key| reader.end().map(|()| key));
    let key = parsed.ok_or_else(|| reader.error())?;
    // Only now can shards be compared with their fields. A `%` in the template always belongs to a shard.
    if K::SCHEMA.template.contains('%')
        && let Some(parameter) = wrong_shard(&key, text)
    {
        let problem = KeyProblem::Rejected("is not the shard of the value beside it");
        return Err(ParseError::Parameter(InvalidKey { parameter, problem }));
    }
    Ok(key)
}

/// Parses a key under its legacy text. Only the parameters' types know which parameter may contain any text, so each is
/// tried in turn, until the parsed key writes this text.
fn parse_legacy<'k, K: KeyText>(
    key: &'k [u8],
    prefix: KeyPrefix,
    legacy: &LegacyText<'_>,
    read: impl Fn(&mut KeyReader<'k>) -> Option<K>,
) -> Result<K, ParseError> {
    let rest = prefix.strip_test_prefix(key).ok_or(ParseError::TestPrefix)?;
    if rest.len() > MAX_LEGACY_KEY_BYTES {
        return Err(ParseError::TooLong { bytes: rest.len(), limit: MAX_LEGACY_KEY_BYTES });
    }
    let before = namespace::legacy_prefix();
    let text = rest.strip_prefix(before.as_bytes()).ok_or(ParseError::LegacyPrefix(before))?;
    let text = str::from_utf8(text).map_err(|_| ParseError::Other)?;
    let mut error = ParseError::Other;
    for open in 0..legacy.fields.len().max(1) {
        let Some(values) = legacy.divide(text, open) else { continue };
        let mut reader = KeyReader { values: Some(values.into_iter()), ..KeyReader::after_prefix(b"", "") };
        match read(&mut reader) {
            Some(parsed) if writes_key(&parsed, key) => return Ok(parsed),
            Some(_) => {}
            None => error = reader.error(),
        }
    }
    Err(error)
}

/// Whether a key has this text, including everything before the legacy text.
fn writes_key<K: KeyText>(key: &K, text: &[u8]) -> bool {
    let mut writer = KeyWriter::new();
    writer.write(key);
    writer.bytes().is_ok_and(|bytes| bytes == text)
}

/// Returns the index of the first parameter that differs between the key and the text it was parsed from.
fn wrong_shard<K: KeyText>(key: &K, text: &[u8]) -> Option<usize> {
    let mut writer = KeyWriter::new();
    key.write_text(&mut writer);
    let written = writer.bytes().unwrap_or_default();
    if written == text {
        return None;
    }
    let [mut actual, mut expected] = [text, written].map(|text| KeyReader::after_prefix(text, K::SCHEMA.template));
    (0..K::SCHEMA.parameters.len()).find(|_| actual.parameter() != expected.parameter()).or(Some(0))
}

/// Writes a value as a whole segment.
pub(crate) fn write_whole(value: &impl KeySegment) -> KeyWriter {
    let mut key = KeyWriter::new();
    value.write(&mut key.segment());
    key
}

/// Returns whether the value writes `text`, as a whole segment or as a word within a segment.
pub(crate) fn writes(value: &impl KeySegment, text: &str, whole: bool) -> bool {
    let mut key = KeyWriter::new();
    value.write(&mut if whole { key.segment() } else { key.word() });
    key.bytes().is_ok_and(|bytes| bytes == text.as_bytes())
}

/// The remaining text of a key that is being parsed.
///
/// Methods return `None` at the first error, which the reader keeps.
pub struct KeyReader<'k> {
    rest: &'k [u8],
    /// The part of the template that corresponds to `rest`.
    template: &'static str,
    /// The texts of the remaining parameters, if the key is under a legacy text.
    values: Option<vec::IntoIter<&'k str>>,
    /// The number of parameters that were read.
    parameters: usize,
    error: Option<ParseError>,
}

impl<'k> KeyReader<'k> {
    /// Reads the prefix of a key.
    fn new(key: &'k [u8], prefix: KeyPrefix, schema: &'static Schema) -> Result<Self, ParseError> {
        let rest = prefix.strip_test_prefix(key).ok_or(ParseError::TestPrefix)?;
        if rest.len() > schema.max_key_bytes {
            return Err(ParseError::TooLong { bytes: rest.len(), limit: schema.max_key_bytes });
        }
        let rest = match prefix.namespace {
            Some(namespace) => {
                let rest = rest.strip_prefix(namespace.as_bytes()).and_then(|rest| rest.strip_prefix(b":"));
                rest.ok_or(ParseError::Namespace(namespace))?
            }
            None => rest,
        };
        Ok(Self::after_prefix(rest, schema.template))
    }

    fn after_prefix(rest: &'k [u8], template: &'static str) -> Self {
        Self { rest, template, values: None, parameters: 0, error: None }
    }

    /// Reads all parameters and creates the key from them.
    #[inline]
    pub fn fields<F: ReadFields<'k>, K>(&mut self, create: impl FnOnce(F) -> K) -> Option<K> {
        F::read_fields(self).map(create)
    }

    /// Reads the literal text before a parameter, and the parameter.
    #[inline]
    fn read<T: KeySegment + ParseSegment<'k>>(&mut self) -> Option<T> {
        let is_legacy = self.values.is_some();
        let (text, whole) = match &mut self.values {
            None => self.parameter()?,
            Some(values) => (values.next()?, true),
        };
        match T::parse(text) {
            Ok(value) if is_legacy || writes(&value, text, whole) => {
                self.parameters += 1;
                Some(value)
            }
            Ok(_) => self.reject(KeyProblem::Rejected("is not in canonical form")),
            Err(reason) => self.reject(KeyProblem::Rejected(reason)),
        }
    }

    /// Reads the literal text before a parameter. Returns the text of the parameter, and whether it is a whole segment.
    fn parameter(&mut self) -> Option<(&'k str, bool)> {
        let (before, rest) = self.template.split_at_checked(self.template.find('{')?)?;
        let (placeholder, from_brace) = rest.split_at_checked(rest.find('}')?)?;
        let after = from_brace.get(1..)?;
        let whole = before.ends_with(':') && after.starts_with(':');
        let tagged = placeholder.starts_with("{#");
        if tagged {
            // The braces of a hash tag are literal text of the key.
            self.literal(self.template.get(..=before.len())?, false)?;
            self.template = from_brace;
        } else {
            self.literal(before, false)?;
            self.template = after;
        }
        let is_end = |byte: &u8| *byte == b':' || (*byte == b'}' && tagged) || (*byte == b'.' && !whole);
        let (text, rest) = self.rest.split_at(self.rest.iter().position(is_end).unwrap_or(self.rest.len()));
        if let Some(problem) = segment_problem(text) {
            return self.reject(problem);
        }
        self.rest = rest;
        Some((str::from_utf8(text).ok()?, whole))
    }

    /// Reads literal text of the template; if it is the `last`, the key has to end with it.
    fn literal(&mut self, text: &'static str, last: bool) -> Option<()> {
        match self.rest.strip_prefix(text.as_bytes()) {
            Some(rest) if rest.is_empty() || !last => {
                self.rest = rest;
                Some(())
            }
            _ => {
                self.error = Some(ParseError::Literal { parameters: self.parameters, text, last });
                None
            }
        }
    }

    /// Reads the literal text after the last parameter, and the end of the key.
    fn end(&mut self) -> Option<()> {
        self.literal(self.template, true)
    }

    #[cold]
    fn reject<T>(&mut self, problem: KeyProblem) -> Option<T> {
        self.error = Some(ParseError::Parameter(InvalidKey { parameter: self.parameters, problem }));
        None
    }

    #[cold]
    fn error(self) -> ParseError {
        // Without an error, a hand-written implementation has failed.
        self.error.unwrap_or(ParseError::Other)
    }
}

/// The parameters of a key, in the order of its template.
#[diagnostic::on_unimplemented(
    message = "this key cannot be parsed from its text",
    label = "not all parameters can be parsed",
    note = "a key of up to 26 parameters can be parsed if each of them implements `ParseSegment`"
)]
pub trait ReadFields<'k>: Sized {
    /// Reads all parameters.
    fn read_fields(key: &mut KeyReader<'k>) -> Option<Self>;
}

macro_rules! fields {
    ($($first:ident $($rest:ident)*)?) => {
        impl<'k, $($first: KeySegment + ParseSegment<'k>, $($rest: KeySegment + ParseSegment<'k>),*)?> ReadFields<'k> for ($($first, $($rest,)*)?) {
            #[inline]
            fn read_fields(_key: &mut KeyReader<'k>) -> Option<Self> {
                Some(($(_key.read::<$first>()?, $(_key.read::<$rest>()?,)*)?))
            }
        }
        $(fields!($($rest)*);)?
    };
}

// More parameters hardly fit into 128 bytes.
fields!(A B C D E F G H I J K L M N O P Q R S T U V W X Y Z);

/// The parameters of a key that cannot be parsed.
pub enum Unparsable {}

impl<'k> ReadFields<'k> for Unparsable
where
    Self: Parsable<'k>,
{
    fn read_fields(_key: &mut KeyReader<'k>) -> Option<Self> {
        None
    }
}

/// A condition that no type fulfills, with the reason why a key cannot be parsed.
#[diagnostic::on_unimplemented(
    message = "this key cannot be parsed from its text",
    label = "a parameter cannot be recovered from the key",
    note = "a digest and the number of a copy cannot be parsed; a shard can if its field is beside it, as in `{{id % 100}}:{{id}}`; a legacy text can if it writes all fields by `Display` and is not ambiguous"
)]
pub trait Parsable<'k> {}

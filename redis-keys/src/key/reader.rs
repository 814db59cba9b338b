//! A key while it is being read.

use std::str;

use super::{Front, KeyFault, KeyFaultKind, KeyWriter, ParseFault, fault::words_fault};
use crate::{KeySegment, key::parse::ReadFields, parameter::ParseSegment, schema::Schema};

/// What [`ParseKey::read_key`](crate::ParseKey::read_key) reads from.
///
/// Its calls fail at the first fault, which it keeps.
pub struct KeyReader<'k> {
    /// What is not read yet.
    rest: &'k [u8],
    /// The part of the template that belongs to it.
    template: &'static str,
    parameters: usize,
    fault: Option<ParseFault>,
}

impl<'k> KeyReader<'k> {
    /// Reads what stands in front of every key.
    pub(crate) fn new(key: &'k [u8], front: Front, schema: &'static Schema) -> Result<Self, ParseFault> {
        let rest = front.strip(key).ok_or(ParseFault::Prefix)?;
        if rest.len() > schema.max_key_bytes {
            return Err(ParseFault::TooLong { bytes: rest.len(), most: schema.max_key_bytes });
        }
        let rest = match front.namespace {
            Some(namespace) => {
                let rest = rest.strip_prefix(namespace.as_bytes()).and_then(|rest| rest.strip_prefix(b":"));
                rest.ok_or(ParseFault::Namespace(namespace))?
            }
            None => rest,
        };
        Ok(Self::of(rest, schema.template))
    }

    /// Reads what stands behind that.
    pub(crate) fn of(rest: &'k [u8], template: &'static str) -> Self {
        Self { rest, template, parameters: 0, fault: None }
    }

    /// What is not read yet.
    pub(crate) fn rest(&self) -> &'k [u8] {
        self.rest
    }

    /// Reads all parameters.
    #[inline]
    pub fn fields<F: ReadFields<'k>, K>(&mut self, made_of: impl FnOnce(F) -> K) -> Option<K> {
        F::read_fields(self).map(made_of)
    }

    /// Reads the text before a parameter, and the parameter.
    #[inline]
    pub(crate) fn read<T: KeySegment + ParseSegment<'k>>(&mut self) -> Option<T> {
        let (text, whole) = self.parameter()?;
        match T::parse(text) {
            Ok(value) if KeyWriter::writes(&value, text, whole) => {
                self.parameters += 1;
                Some(value)
            }
            Ok(_) => self.refuse("is read as a value that is written otherwise"),
            Err(why) => self.refuse(why),
        }
    }

    /// The text of the next parameter, and whether it is a whole segment: letters and digits, and then words of them.
    pub(crate) fn parameter(&mut self) -> Option<(&'k str, bool)> {
        let (before, rest) = self.template.split_at_checked(self.template.find('{')?)?;
        let (placeholder, behind) = rest.split_at_checked(rest.find('}')?)?;
        let behind_it = behind.get(1..)?;
        let whole = before.ends_with(':') && behind_it.starts_with(':');
        let tagged = placeholder.starts_with("{#");
        if tagged {
            // The braces of a hash tag stand in the key.
            self.literal(self.template.get(..=before.len())?, false)?;
            self.template = behind;
        } else {
            self.literal(before, false)?;
            self.template = behind_it;
        }
        let ends = |byte: &u8| *byte == b':' || (*byte == b'}' && tagged) || (*byte == b'.' && !whole);
        let (text, rest) = self.rest.split_at(self.rest.iter().position(ends).unwrap_or(self.rest.len()));
        if let Some(kind) = words_fault(text) {
            self.fault = Some(ParseFault::Parameter(KeyFault { parameter: self.parameters, kind }));
            return None;
        }
        self.rest = rest;
        Some((str::from_utf8(text).ok()?, whole))
    }

    /// Reads text of the template, perhaps to the end.
    fn literal(&mut self, text: &'static str, last: bool) -> Option<()> {
        match self.rest.strip_prefix(text.as_bytes()) {
            Some(rest) if rest.is_empty() || !last => {
                self.rest = rest;
                Some(())
            }
            _ => {
                self.fault = Some(ParseFault::Literal { parameter: self.parameters, text, last });
                None
            }
        }
    }

    /// Reads the text behind the last parameter, to the end.
    pub(crate) fn end(&mut self) -> Option<()> {
        self.literal(self.template, true)
    }

    #[cold]
    fn refuse<T>(&mut self, why: &'static str) -> Option<T> {
        let kind = KeyFaultKind::Refused(why);
        self.fault = Some(ParseFault::Parameter(KeyFault { parameter: self.parameters, kind }));
        None
    }

    /// What was wrong, once a call has failed.
    #[cold]
    pub(crate) fn fault(self) -> ParseFault {
        // Without one it was no call of ours that failed.
        self.fault.unwrap_or(ParseFault::Other)
    }
}

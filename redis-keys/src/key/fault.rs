//! Why a key was refused.

use std::fmt;

use redis_keys_core::{Rule, alphabet};

use crate::schema::{ParameterForm, Parameters};

/// What is wrong with a key. It never holds the text of a parameter, which may be a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct KeyFault {
    /// The number of the parameter, counted from 0.
    pub(crate) parameter: usize,
    pub(crate) kind: KeyFaultKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeyFaultKind {
    /// The whole key, of which so many bytes are the namespace's. `parameter` is the longest one, and has so many bytes; `most`
    /// is what a key may have.
    TooLong { key: usize, namespace: usize, parameter: usize, most: usize },
    /// The parameter prints nothing.
    Empty,
    /// A byte that may not stand in a key, and its place in the parameter.
    Byte { byte: u8, at: usize },
    /// A `.` in a parameter that is one word beside others, or at the edge of a word.
    Dot { at: usize, lone: bool },
    /// The number of a copy of which there are only so many.
    Copy { copies: u32 },
    /// The parameter's type refuses the value.
    Refused(&'static str),
}

impl KeyFaultKind {
    pub(crate) const fn rule(self) -> Rule {
        match self {
            Self::TooLong { .. } => Rule::KeyLength,
            Self::Empty | Self::Dot { lone: true, .. } => Rule::EmptyWord,
            Self::Byte { byte: b'A'..=b'Z', .. } => Rule::LowerCase,
            Self::Byte { byte: b':', .. } => Rule::Separators,
            Self::Byte { byte: b'{' | b'}', .. } => Rule::HashTag,
            Self::Byte { .. } | Self::Refused(_) => Rule::Alphabet,
            Self::Dot { lone: false, .. } => Rule::OneKeyEach,
            Self::Copy { .. } => Rule::Copies,
        }
    }

    /// The sentence that follows the parameter's name. Places are counted from 1, for people.
    pub(crate) fn describe(self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.describe_in(ParameterForm::Plain, f)
    }

    /// The same of a parameter that stands in the key in some form, whose bytes are those that count.
    pub(crate) fn describe_in(self, form: ParameterForm, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // Without parameters it is the namespace alone.
            Self::TooLong { key, namespace, parameter: 0, most } => {
                write!(f, "has {key} bytes, {namespace} of them its namespace's; a key has at most {most}")
            }
            Self::TooLong { key, namespace, parameter, most } => {
                write!(f, "has {parameter} bytes{}, which makes a key of {key}", in_form(form))?;
                if namespace > 0 {
                    write!(f, ", {namespace} of them its namespace's")?;
                }
                write!(f, "; a key has at most {most}")
            }
            Self::Empty => f.write_str("is empty; each part of a key has at least one letter or digit"),
            Self::Byte { byte, at } => {
                write!(f, "has {} at byte {}; {}", name_of(byte), at + 1, demand_of(byte))
            }
            Self::Dot { at, lone: true } => {
                write!(f, "has a `.` at byte {} that does not stand between two words", at + 1)
            }
            Self::Dot { at, lone: false } => {
                write!(
                    f,
                    "has a `.` at byte {}, where one word stands beside others; two keys could be the same",
                    at + 1
                )
            }
            Self::Copy { copies } => write!(f, "is not below {copies}, the number of copies"),
            Self::Refused(why) => f.write_str(why),
        }
    }
}

/// What makes another length of a value than it has by itself.
fn in_form(form: ParameterForm) -> &'static str {
    match form {
        ParameterForm::Base32 => " in base32",
        ParameterForm::Digest => " as a digest",
        ParameterForm::Plain | ParameterForm::Shard(_) | ParameterForm::Copy(_) => "",
    }
}

/// What is wrong with text that is to be a segment, or a word, if it has no `.`.
pub(crate) fn words_fault(text: &[u8]) -> Option<KeyFaultKind> {
    let Some(last) = text.len().checked_sub(1) else { return Some(KeyFaultKind::Empty) };
    let mut open = true;
    for (at, &byte) in text.iter().enumerate() {
        if byte == b'.' && open {
            return Some(KeyFaultKind::Dot { at, lone: true });
        }
        if byte != b'.' && !alphabet::is_word_byte(byte) {
            return Some(KeyFaultKind::Byte { byte, at });
        }
        open = byte == b'.';
    }
    open.then_some(KeyFaultKind::Dot { at: last, lone: true })
}

/// Why a text is no key of a declaration. It never holds any of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ParseFault {
    /// Nothing but the prefix of a test's own keys is in front of this test's keys.
    Prefix,
    Namespace(&'static str),
    TooLong {
        bytes: usize,
        most: usize,
    },
    /// Text of the template that has to stand behind so many parameters, and perhaps at the end.
    Literal {
        parameter: usize,
        text: &'static str,
        last: bool,
    },
    Parameter(KeyFault),
    /// What an implementation by hand has found.
    Other,
}

impl ParseFault {
    /// The sentence that is true of the text.
    pub(crate) fn describe(self, parameters: Parameters, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parameter = |number| parameters.get(number).map(|parameter| parameter.name);
        match self {
            Self::Prefix => f.write_str("it does not begin as the keys of this test do"),
            Self::Namespace(namespace) => write!(f, "it does not begin with the namespace `{namespace}`"),
            Self::TooLong { bytes, most } => write!(f, "it has {bytes} bytes; a key has at most {most}"),
            Self::Literal { parameter: number, text, last } => {
                match (number.checked_sub(1).and_then(parameter), last) {
                    (None, true) => write!(f, "it is not `{text}`"),
                    (None, false) => write!(f, "it does not begin with `{text}`"),
                    (Some(name), true) => write!(f, "behind parameter `{name}` stands something else than `{text}`"),
                    (Some(name), false) => write!(f, "behind parameter `{name}` there is no `{text}`"),
                }
            }
            Self::Parameter(fault) => {
                write!(f, "parameter `{}` ", parameter(fault.parameter).unwrap_or_default())?;
                fault.kind.describe(f)
            }
            Self::Other => f.write_str("it is of another form"),
        }
    }
}

/// Kinds of signs rather than the sign itself where it could be part of a secret.
fn name_of(byte: u8) -> &'static str {
    match byte {
        b'A'..=b'Z' => "an upper-case letter",
        b':' => "a `:`",
        b'{' | b'}' => "a brace",
        b' ' => "a space",
        b'_' => "a `_`",
        b'-' => "a `-`",
        b'\n' | b'\r' => "a line break",
        0..=31 | 127 => "a control character",
        128..=255 => "a letter beyond ASCII",
        _ => "a sign",
    }
}

fn demand_of(byte: u8) -> &'static str {
    debug_assert!(!alphabet::is_word_byte(byte), "only wrong bytes are told of");
    match byte {
        b'A'..=b'Z' => "keys are lower case",
        b':' => "it separates the segments of a key",
        b'{' | b'}' => "it would choose the cluster slot",
        _ => "a key holds `a` to `z`, `0` to `9`, `.` and `:`",
    }
}

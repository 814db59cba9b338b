//! Errors of invalid keys, and of text that is not a key of a declaration.

use std::borrow::Cow;
use std::fmt;

use redis_keys_core::{Rule, limits};

use crate::schema::{ParameterForm, Parameters};

/// An invalid key. It does not contain a parameter's text, which can be secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct InvalidKey {
    /// The index of the parameter.
    pub(crate) parameter: usize,
    pub(crate) problem: KeyProblem,
}

/// The problem of an invalid key. Positions of bytes are counted from 0, and from 1 in messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeyProblem {
    /// The key has `key` bytes, of which `namespace` belong to the namespace and `parameter` to the longest parameter.
    TooLong { key: usize, namespace: usize, parameter: usize, limit: usize },
    /// The parameter is empty.
    Empty,
    /// The parameter contains a byte that keys cannot contain.
    Byte { byte: u8, at: usize },
    /// The parameter contains a `.` that is not between two words.
    StrayDot { at: usize },
    /// The parameter contains a `.` although it is only a part of a segment.
    DotInWord { at: usize },
    /// The number of a copy is not below `copies`.
    Copy { copies: u32 },
    /// The parameter contains the text that ends it in the legacy text.
    Ends { end: &'static str },
    /// The parameter contains a `:` although the declaration says `no_colon`.
    Colon,
    /// The parameter's text does not have the form that its type's name promises.
    OtherForm,
    /// The key under its legacy text, with its prefix, can be the key of a template.
    ReadsAsTemplate,
    /// The parameter's type rejected the value.
    Rejected(&'static str),
}

/// The remedy for a parameter that is to hold any text.
const ENCODE: &str = "add `#[redis_key(base32)]` to the field, or `#[redis_key(digest)]` for long text";

/// The length of a digest in a key: replacing a parameter of at most this length would not shorten the key.
const DIGEST_BYTES: usize = 32;

impl KeyProblem {
    pub(crate) const fn rule(self) -> Rule {
        match self {
            Self::TooLong { .. } => Rule::KeyLength,
            Self::Empty | Self::StrayDot { .. } => Rule::EmptyWord,
            Self::Byte { byte: b'A'..=b'Z', .. } => Rule::LowerCase,
            Self::Byte { byte: b':', .. } => Rule::Separators,
            Self::Byte { byte: b'{' | b'}', .. } => Rule::HashTag,
            Self::Byte { .. } | Self::Rejected(_) => Rule::Alphabet,
            Self::DotInWord { .. } | Self::Ends { .. } | Self::Colon | Self::OtherForm | Self::ReadsAsTemplate => {
                Rule::OneKeyEach
            }
            Self::Copy { .. } => Rule::Copies,
        }
    }

    /// Writes the predicate that follows the name of the parameter, and the remedy.
    pub(crate) fn describe_in(self, form: ParameterForm, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong { key, namespace, parameter, limit } => {
                // Without parameters, only the namespace can be too long.
                match parameter {
                    0 => write!(f, "has {key} bytes")?,
                    _ => write!(f, "has {parameter} bytes{}, which makes the key {key} bytes long", encoded(form))?,
                }
                if namespace > 0 {
                    write!(f, ", {namespace} of them the namespace")?;
                }
                write!(f, ": the limit is {limit}")?;
                if parameter > DIGEST_BYTES {
                    f.write_str("; for long text, add `#[redis_key(digest)]` to the field")?;
                }
                Ok(())
            }
            Self::Byte { byte: b'A'..=b'Z', at } => {
                write!(
                    f,
                    "contains an upper-case letter at byte {}: lower-case it, or, if its case matters, ",
                    at + 1
                )?;
                f.write_str(ENCODE)
            }
            Self::Byte { byte: b'-', .. } => {
                self.describe(f)?;
                write!(f, "; make the field a `Uuid` if it holds UUIDs, add `#[redis_key(slug)]` if it holds slugs; ")?;
                write!(f, "otherwise {ENCODE}")
            }
            Self::Byte { .. } | Self::StrayDot { .. } | Self::DotInWord { .. } => {
                self.describe(f)?;
                write!(f, "; {ENCODE}")
            }
            Self::Empty
            | Self::Copy { .. }
            | Self::Ends { .. }
            | Self::Colon
            | Self::OtherForm
            | Self::ReadsAsTemplate
            | Self::Rejected(_) => self.describe(f),
        }
    }

    /// Writes the predicate that follows the name of the parameter.
    pub(crate) fn describe(self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong { .. } => self.describe_in(ParameterForm::Plain, f),
            Self::Empty => f.write_str("is empty: it needs at least one letter or digit"),
            Self::Byte { byte, at } => {
                write!(f, "contains {} at byte {}: {}", name_of(byte), at + 1, requirement_of(byte))
            }
            Self::StrayDot { at } => write!(f, "contains a `.` at byte {} that is not between two words", at + 1),
            Self::DotInWord { at } => {
                write!(f, "contains a `.` at byte {}: beside other words, different values would share a key", at + 1)
            }
            Self::Copy { copies } => write!(f, "is out of range: the key has {copies} copies, counted from 0"),
            Self::Ends { end } => write!(
                f,
                "contains `{end}`, which ends it in the legacy text: different values would share a key; write what all \
                 values start with into the text, as in `org_{{org}}`"
            ),
            Self::Colon => f.write_str("contains `:`, which `no_colon` rules out"),
            Self::OtherForm => f.write_str(
                "is not written as a type of this name is: different values could share a key; give the type another name",
            ),
            Self::ReadsAsTemplate => f.write_str(
                "reads as the key of a template, behind the prefix of legacy texts or in the namespace: another declaration \
                 could have the same key; write the prefix into the text, which is then compared with all templates",
            ),
            Self::Rejected(reason) => f.write_str(reason),
        }
    }
}

fn encoded(form: ParameterForm) -> &'static str {
    match form {
        ParameterForm::Base32 => " in base32",
        ParameterForm::Digest => " as a digest",
        _ => "",
    }
}

/// Names a punctuation character, and only the class of any other byte: punctuation says little about a secret.
fn name_of(byte: u8) -> Cow<'static, str> {
    Cow::Borrowed(match byte {
        b'A'..=b'Z' => "an upper-case letter",
        b'{' | b'}' => "a brace",
        b' ' => "a space",
        b'`' => "a backtick",
        b'\n' | b'\r' => "a line break",
        b'!'..=b'~' => return Cow::Owned(format!("a `{}`", char::from(byte))),
        128..=255 => "a non-ASCII character",
        _ => "a control character",
    })
}

fn requirement_of(byte: u8) -> &'static str {
    debug_assert!(!limits::is_word_byte(byte), "only invalid bytes are reported");
    match byte {
        b'A'..=b'Z' => "keys are lower case",
        b':' => "it separates the segments of a key",
        b'{' | b'}' => "it would set the cluster slot",
        _ => "keys contain only `a` to `z`, `0` to `9`, `.` and `:`",
    }
}

/// Finds the problem of text that is to be a segment, or a word if it contains no `.`.
pub(crate) fn segment_problem(text: &[u8]) -> Option<KeyProblem> {
    let Some(last) = text.len().checked_sub(1) else { return Some(KeyProblem::Empty) };
    let mut at_word_start = true;
    for (at, &byte) in text.iter().enumerate() {
        if byte == b'.' && at_word_start {
            return Some(KeyProblem::StrayDot { at });
        }
        if byte != b'.' && !limits::is_word_byte(byte) {
            return Some(KeyProblem::Byte { byte, at });
        }
        at_word_start = byte == b'.';
    }
    at_word_start.then_some(KeyProblem::StrayDot { at: last })
}

/// The reason why text is not a key of a declaration. It does not contain any of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ParseError {
    /// The key does not start with the prefix of the test's own keys.
    TestPrefix,
    /// The key does not start with the namespace.
    Namespace(&'static str),
    /// The key does not start with the prefix of all legacy texts.
    LegacyPrefix(&'static str),
    TooLong {
        bytes: usize,
        limit: usize,
    },
    /// Literal text of the template is missing after that many parameters; `last` if the key has to end there.
    Literal {
        parameters: usize,
        text: &'static str,
        last: bool,
    },
    Parameter(InvalidKey),
    /// A hand-written implementation failed without a reason.
    Other,
}

impl ParseError {
    /// Writes the clause that follows "not a key of this declaration: ".
    pub(crate) fn describe(self, parameters: Parameters, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |index| parameters.get(index).map_or("", |parameter| parameter.name);
        match self {
            Self::TestPrefix => f.write_str("expected the prefix of this test's own keys"),
            Self::Namespace(namespace) => write!(f, "expected the namespace `{namespace}`"),
            Self::LegacyPrefix(prefix) => write!(f, "expected the prefix of legacy texts `{prefix}`"),
            Self::TooLong { bytes, limit } => write!(f, "it has {bytes} bytes: the limit is {limit}"),
            Self::Literal { parameters, text, last } => {
                write!(f, "expected {}`{text}`", if last { "only " } else { "" })?;
                match parameters.checked_sub(1) {
                    None if last => Ok(()),
                    None => f.write_str(" at the start"),
                    Some(parameter) => write!(f, " after parameter `{}`", name(parameter)),
                }
            }
            Self::Parameter(InvalidKey { parameter, problem }) => {
                write!(f, "parameter `{}` ", name(parameter))?;
                problem.describe(f)
            }
            Self::Other => f.write_str("it has another form"),
        }
    }
}

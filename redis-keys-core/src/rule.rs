//! The names of the rules.

use std::fmt;

/// A rule that a message can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Rule {
    /// How the attribute itself is written.
    Declaration,
    /// How the policy file is written.
    Policy,
    /// The project's policy says which modules there are, and of which types their keys are.
    Modules,
    /// What this version of the crate offers.
    Available,
    /// A key starts with an English letter.
    FirstLetter,
    /// A key is lower case.
    LowerCase,
    /// A key holds `a` to `z`, `0` to `9`, `.` and `:`, nothing else.
    Alphabet,
    /// `.` stands between the words of a segment, `:` between segments.
    Separators,
    /// No segment and no word is empty.
    EmptyWord,
    /// A key is `module:logic:…:type`.
    Shape,
    /// A key ends with the type of its value.
    TypeSuffix,
    /// A key has at most 128 bytes, whatever its parameters are.
    KeyLength,
    /// Literal braces stand in a key only where a hash tag is declared.
    HashTag,
    /// Placeholders and fields belong to each other, one to one.
    Parameters,
    /// No two parameter values give the same key.
    OneKeyEach,
    /// The value's stored form is declared, and the accessors follow from it.
    StoredForm,
    /// Every key has an expiry.
    Expiry,
    /// A key that must live for ever says why.
    LongLived,
    /// A random share on top of the expiry, so that keys don't expire together.
    Jitter,
    /// When an expiry starts anew.
    Renewal,
    /// A value is small.
    ValueSize,
    /// A collection is small.
    CollectionSize,
    /// A hot key is kept in several copies.
    Copies,
    /// A record has named fields, of which at least one is always there.
    Record,
}

impl Rule {
    /// Every rule.
    pub const ALL: [Self; 24] = [
        Self::Declaration,
        Self::Policy,
        Self::Modules,
        Self::Available,
        Self::FirstLetter,
        Self::LowerCase,
        Self::Alphabet,
        Self::Separators,
        Self::EmptyWord,
        Self::Shape,
        Self::TypeSuffix,
        Self::KeyLength,
        Self::HashTag,
        Self::Parameters,
        Self::OneKeyEach,
        Self::StoredForm,
        Self::Expiry,
        Self::LongLived,
        Self::Jitter,
        Self::Renewal,
        Self::ValueSize,
        Self::CollectionSize,
        Self::Copies,
        Self::Record,
    ];

    /// The name that stands in messages.
    ///
    /// ```
    /// assert_eq!(redis_keys_core::Rule::LowerCase.name(), "lower-case");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::Declaration => "declaration",
            Self::Policy => "policy",
            Self::Modules => "modules",
            Self::Available => "available",
            Self::FirstLetter => "first-letter",
            Self::LowerCase => "lower-case",
            Self::Alphabet => "alphabet",
            Self::Separators => "separators",
            Self::EmptyWord => "empty-word",
            Self::Shape => "shape",
            Self::TypeSuffix => "type-suffix",
            Self::KeyLength => "key-length",
            Self::HashTag => "hash-tag",
            Self::Parameters => "parameters",
            Self::OneKeyEach => "one-key-each",
            Self::StoredForm => "stored-form",
            Self::Expiry => "expiry",
            Self::LongLived => "long-lived",
            Self::Jitter => "jitter",
            Self::Renewal => "renewal",
            Self::ValueSize => "value-size",
            Self::CollectionSize => "collection-size",
            Self::Copies => "copies",
            Self::Record => "record",
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

//! The rules.

use std::fmt;

/// A rule for keys, which messages name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Rule {
    /// The syntax of the attribute.
    Declaration,
    /// The syntax of the policy file.
    Policy,
    /// The modules of a project, and the types of their keys, follow its policy.
    Modules,
    /// A key starts with a letter, `a` to `z`.
    FirstLetter,
    /// A key is lower case.
    LowerCase,
    /// A key contains only `a` to `z`, `0` to `9`, `.` and `:`.
    Alphabet,
    /// `.` separates the words of a segment, `:` separates segments.
    Separators,
    /// No segment and no word is empty.
    EmptyWord,
    /// A key has at least three segments: `module:name:…:type`.
    Shape,
    /// A key ends with its type.
    TypeSuffix,
    /// A key has at most 128 bytes, for all values of its parameters.
    KeyLength,
    /// Literal braces mark a declared hash tag.
    HashTag,
    /// Each field has a placeholder, and each placeholder a field.
    Parameters,
    /// Different parameters produce different keys.
    OneKeyEach,
    /// The stored form of the value is declared, and determines the accessors.
    StoredForm,
    /// Every key has an expiry.
    Expiry,
    /// A key that never expires has a reason.
    LongLived,
    /// A random delay is added to the expiry, so that keys do not expire at the same time.
    Jitter,
    /// The expiry is renewed by reads or writes.
    Renewal,
    /// The size of a value is limited.
    ValueSize,
    /// The number of elements is limited.
    CollectionSize,
    /// A hot key is stored in several copies.
    Copies,
    /// A rate limit is a number in a period.
    RateLimit,
    /// A job is tried a limited number of times, and lives until its last try.
    Jobs,
    /// A Bloom filter is for a number of items, with a share of errors, and has a limited size.
    BloomFilter,
    /// A record has named fields, of which at least one is mandatory.
    Record,
}

impl Rule {
    /// All rules.
    pub const ALL: [Self; 26] = [
        Self::Declaration,
        Self::Policy,
        Self::Modules,
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
        Self::RateLimit,
        Self::Jobs,
        Self::BloomFilter,
        Self::Record,
    ];

    /// The name in messages.
    ///
    /// ```
    /// assert_eq!(redis_keys_core::Rule::LowerCase.name(), "lower-case");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::Declaration => "declaration",
            Self::Policy => "policy",
            Self::Modules => "modules",
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
            Self::RateLimit => "rate-limit",
            Self::Jobs => "jobs",
            Self::BloomFilter => "bloom-filter",
            Self::Record => "record",
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

//! The causes of errors, with the data that their messages need.

use std::time::Duration;

use redis::RedisError;
use redis_keys_core::Rule;

use super::ErrorKind;
use crate::key::{InvalidKey, KeyProblem, ParseError};
use crate::stored::StoredError;

#[derive(Clone)]
pub(crate) enum Cause {
    Key(InvalidKey),
    /// The text is not a key of the declaration.
    Parse(ParseError),
    ValueSize {
        bytes: u64,
    },
    /// Setting this bit would grow the bitmap to this size.
    BitmapSize {
        bit: u64,
        bytes: u64,
    },
    /// The number does not fit in its integer type, such as `u5`.
    BitValue(Box<str>),
    /// The collection would grow to this length.
    CollectionSize {
        len: u64,
    },
    /// The collection has more elements than its declaration allows.
    LargeCollection {
        /// Their number, if it is known.
        len: Option<u64>,
        most: u64,
    },
    /// The elements that are collected take more memory than this.
    CollectedBytes {
        most: usize,
    },
    /// One call asks for or passes more elements than this.
    TooMany {
        most: u64,
    },
    Encode(StoredError),
    /// The size is unknown if the server itself could not read the value.
    Decode {
        stored: StoredError,
        bytes: Option<usize>,
    },
    /// A field of a record.
    Field {
        name: &'static str,
        form: &'static str,
        error: FieldError,
    },
    /// An entry of a stream.
    Entry {
        id: Box<str>,
        cause: Box<Self>,
    },
    Argument(&'static str),
    /// The name of a hash's field, with the cause as for a value.
    Name(Box<Self>),
    Expiry(ExpiryError),
    /// The range of the integer; `None` for floats.
    OutOfRange(Option<(i64, i64)>),
    /// The increment is too large to be reverted.
    StepTooLarge,
    /// Every attempt of an update met a concurrent change.
    Contended {
        attempts: usize,
    },
    /// A lock was not acquired in this time.
    #[cfg_attr(not(feature = "lock"), allow(dead_code, reason = "only `Locks` constructs it"))]
    TimedOut {
        within: Duration,
    },
    /// The connection reaches a single node of a cluster.
    PartOfCluster,
    /// Slots moved during every attempt of a scan.
    UnstableTopology,
    /// The connection does not support transactions.
    NoTransactions,
    /// A key of an atomic group is in another slot than the keys before it.
    OtherSlot,
    /// The sum of a score and its increment is NaN.
    ScoreSum,
    /// The member from which a search starts does not exist.
    NoMember,
    WrongType {
        found: Option<&'static str>,
    },
    /// One of several keys has the wrong type, and the server does not say which.
    WrongTypeAmongKeys,
    Server {
        reply: Option<ServerReply>,
        /// The slot and address of the node that has the key.
        redirect: Option<Box<str>>,
    },
    UnexpectedReply,
    Connection(RedisError),
}

#[derive(Clone)]
pub(crate) enum FieldError {
    Missing,
    Size { bytes: u64 },
    Encode(StoredError),
    Decode { stored: StoredError, bytes: Option<usize> },
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum ExpiryError {
    /// The requested expiry is not in the future.
    Past,
    /// The requested expiry exceeds the declared expiry or the range of Redis.
    TooLong,
    /// The declared expiry, counted from the end of a calendar span, has passed.
    Elapsed,
    /// The declared expiry, counted from the end of a calendar span, exceeds the limit of all expiries.
    OverLimit,
}

/// A known error reply of the server.
#[derive(Clone, Copy)]
pub(crate) struct ServerReply {
    pub(super) code: &'static str,
    pub(super) meaning: &'static str,
}

impl Cause {
    pub(super) fn kind(&self) -> ErrorKind {
        match self {
            Self::Key(InvalidKey { problem: KeyProblem::TooLong { .. }, .. }) => ErrorKind::KeyLength,
            Self::Key(_) => ErrorKind::Parameter,
            Self::Parse(_) => ErrorKind::Parse,
            Self::ValueSize { .. } | Self::BitmapSize { .. } => ErrorKind::ValueSize,
            Self::CollectionSize { .. } | Self::LargeCollection { .. } | Self::CollectedBytes { .. } => {
                ErrorKind::CollectionSize
            }
            Self::TooMany { .. } => ErrorKind::TooMany,
            Self::Encode(_) => ErrorKind::Encode,
            Self::Decode { .. } => ErrorKind::Decode,
            Self::Field { error, .. } => match error {
                FieldError::Missing | FieldError::Decode { .. } => ErrorKind::Decode,
                FieldError::Size { .. } => ErrorKind::ValueSize,
                FieldError::Encode(_) => ErrorKind::Encode,
            },
            Self::Argument(_) | Self::BitValue(_) => ErrorKind::Argument,
            Self::Name(cause) | Self::Entry { cause, .. } => cause.kind(),
            Self::Expiry(_) => ErrorKind::Expiry,
            Self::OutOfRange(_) | Self::StepTooLarge | Self::ScoreSum => ErrorKind::OutOfRange,
            Self::Contended { .. } | Self::UnstableTopology => ErrorKind::Contended,
            Self::TimedOut { .. } => ErrorKind::TimedOut,
            Self::NoTransactions | Self::PartOfCluster => ErrorKind::Unsupported,
            Self::OtherSlot => ErrorKind::HashTag,
            Self::NoMember => ErrorKind::NoMember,
            Self::WrongType { .. } | Self::WrongTypeAmongKeys => ErrorKind::WrongType,
            Self::Server { .. } => ErrorKind::Server,
            Self::UnexpectedReply => ErrorKind::UnexpectedReply,
            Self::Connection(_) => ErrorKind::Connection,
        }
    }

    pub(super) fn rule(&self) -> Option<Rule> {
        match self {
            Self::Key(invalid) => Some(invalid.problem.rule()),
            Self::ValueSize { .. } | Self::BitmapSize { .. } => Some(Rule::ValueSize),
            Self::CollectionSize { .. }
            | Self::LargeCollection { .. }
            | Self::CollectedBytes { .. }
            | Self::TooMany { .. } => Some(Rule::CollectionSize),
            Self::Expiry(_) => Some(Rule::Expiry),
            Self::OtherSlot => Some(Rule::HashTag),
            Self::WrongType { .. } | Self::WrongTypeAmongKeys => Some(Rule::TypeSuffix),
            Self::Decode { .. } => Some(Rule::StoredForm),
            Self::Field { error, .. } => match error {
                FieldError::Missing => Some(Rule::Record),
                FieldError::Size { .. } => Some(Rule::ValueSize),
                FieldError::Decode { .. } => Some(Rule::StoredForm),
                FieldError::Encode(_) => None,
            },
            Self::Name(cause) | Self::Entry { cause, .. } => cause.rule(),
            _ => None,
        }
    }
}

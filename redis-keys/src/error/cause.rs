//! The causes of errors, with what their messages need.

use redis::RedisError;
use redis_keys_core::Rule;

use super::{ErrorKind, field::OfField, server::Refusal};
use crate::{
    key::{InvalidKey, KeyProblem, ParseError},
    stored::StoredError,
    types::{bitmap::BitInt, stream::EntryId},
};

#[derive(Clone)]
pub(crate) enum Cause {
    Key(InvalidKey),
    /// A text that is no key of the declaration.
    Parse(ParseError),
    ValueSize {
        bytes: u64,
    },
    /// A bitmap's bit for which it would need so many bytes.
    BitmapSize {
        bit: u64,
        bytes: u64,
    },
    /// A number in a bitmap that is not one of its type.
    BitValue(BitInt),
    /// A collection would have so many elements.
    CollectionSize {
        len: u64,
    },
    /// One call asks for more than so many elements.
    TooMany {
        most: u64,
    },
    Encode(StoredError),
    /// The size is not known where the server itself could not read the value.
    Decode {
        stored: StoredError,
        bytes: Option<usize>,
    },
    /// A field of a record.
    Field(OfField),
    /// An entry of a stream.
    Entry {
        id: EntryId,
        cause: Box<Self>,
    },
    /// What is wrong with an argument.
    Argument(&'static str),
    /// What is wrong with the name of a hash's field, as with a value.
    Name(Box<Self>),
    Expiry(ExpiryFault),
    /// The lowest and the highest number, of whole ones.
    OutOfRange(Option<(i64, i64)>),
    /// A count by so much that it cannot be done in one step.
    Step,
    /// A value that others have changed each time that it was to be.
    Contended {
        attempts: usize,
    },
    /// A connection that leads to one node of a cluster, or does not tell which.
    PartOfCluster,
    /// A cluster whose slots have moved as often as a scan has looked where they are.
    Restless,
    /// A connection that takes no transactions.
    NoTransactions,
    /// A key that is not in the slot of the other keys of an atomic group.
    OtherSlot,
    /// A score to which so much is added would be no number.
    ScoreSum,
    /// The member from which a search starts is not there.
    NoMember,
    WrongType {
        found: Option<&'static str>,
    },
    /// One of several keys, and the server does not say which.
    OneWrongType,
    Server {
        refusal: Option<Refusal>,
        /// The node that has the key.
        to: Option<Box<str>>,
    },
    UnexpectedReply,
    Connection(RedisError),
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum ExpiryFault {
    Past,
    TooLong,
    /// What it counts from has ended too long ago.
    Over,
}

impl Cause {
    pub(super) fn kind(&self) -> ErrorKind {
        match self {
            Self::Key(InvalidKey { problem: KeyProblem::TooLong { .. }, .. }) => ErrorKind::KeyLength,
            Self::Key(_) => ErrorKind::Parameter,
            Self::Parse(_) => ErrorKind::Parse,
            Self::ValueSize { .. } | Self::BitmapSize { .. } => ErrorKind::ValueSize,
            Self::CollectionSize { .. } => ErrorKind::CollectionSize,
            Self::TooMany { .. } => ErrorKind::TooMany,
            Self::Encode(_) => ErrorKind::Encode,
            Self::Decode { .. } => ErrorKind::Decode,
            Self::Field(field) => field.kind(),
            Self::Argument(_) | Self::BitValue(_) => ErrorKind::Argument,
            Self::Name(cause) | Self::Entry { cause, .. } => cause.kind(),
            Self::Expiry(_) => ErrorKind::Expiry,
            Self::OutOfRange(_) | Self::Step | Self::ScoreSum => ErrorKind::OutOfRange,
            Self::Contended { .. } | Self::Restless => ErrorKind::Contended,
            Self::NoTransactions | Self::PartOfCluster => ErrorKind::Unsupported,
            Self::OtherSlot => ErrorKind::HashTag,
            Self::NoMember => ErrorKind::NoMember,
            Self::WrongType { .. } | Self::OneWrongType => ErrorKind::WrongType,
            Self::Server { .. } => ErrorKind::Server,
            Self::UnexpectedReply => ErrorKind::UnexpectedReply,
            Self::Connection(_) => ErrorKind::Connection,
        }
    }

    pub(super) fn rule(&self) -> Option<Rule> {
        match self {
            Self::Key(invalid) => Some(invalid.problem.rule()),
            Self::ValueSize { .. } | Self::BitmapSize { .. } => Some(Rule::ValueSize),
            Self::CollectionSize { .. } | Self::TooMany { .. } => Some(Rule::CollectionSize),
            Self::Expiry(_) => Some(Rule::Expiry),
            Self::OtherSlot => Some(Rule::HashTag),
            Self::WrongType { .. } | Self::OneWrongType => Some(Rule::TypeSuffix),
            Self::Decode { .. } => Some(Rule::StoredForm),
            Self::Field(field) => field.rule(),
            Self::Name(cause) | Self::Entry { cause, .. } => cause.rule(),
            _ => None,
        }
    }
}

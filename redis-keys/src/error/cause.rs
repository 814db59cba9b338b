//! The causes of errors, with what their messages need.

use redis::RedisError;
use redis_keys_schema::Rule;

use super::ErrorKind;
use crate::{
    key::{KeyFault, KeyFaultKind},
    stored::StoredError,
};

pub(crate) enum Cause {
    Key(KeyFault),
    ValueSize {
        bytes: u64,
    },
    Encode(StoredError),
    /// The size is not known where the server itself could not read the value.
    Decode {
        stored: StoredError,
        bytes: Option<usize>,
    },
    Expiry(ExpiryFault),
    /// The lowest and the highest number, of whole ones.
    OutOfRange(Option<(i64, i64)>),
    WrongType {
        found: Option<Box<str>>,
    },
    Server {
        code: Box<str>,
        detail: Option<Box<str>>,
    },
    UnexpectedReply,
    Connection {
        source: Option<RedisError>,
    },
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum ExpiryFault {
    Past,
    TooLong,
}

impl Cause {
    pub(super) fn kind(&self) -> ErrorKind {
        match self {
            Self::Key(KeyFault { kind: KeyFaultKind::TooLong { .. }, .. }) => ErrorKind::KeyLength,
            Self::Key(_) => ErrorKind::Parameter,
            Self::ValueSize { .. } => ErrorKind::ValueSize,
            Self::Encode(_) => ErrorKind::Encode,
            Self::Decode { .. } => ErrorKind::Decode,
            Self::Expiry(_) => ErrorKind::Expiry,
            Self::OutOfRange(_) => ErrorKind::OutOfRange,
            Self::WrongType { .. } => ErrorKind::WrongType,
            Self::Server { .. } => ErrorKind::Server,
            Self::UnexpectedReply => ErrorKind::UnexpectedReply,
            Self::Connection { .. } => ErrorKind::Connection,
        }
    }

    pub(super) fn rule(&self) -> Option<Rule> {
        match self {
            Self::Key(fault) => Some(fault.kind.rule()),
            Self::ValueSize { .. } => Some(Rule::ValueSize),
            Self::Expiry(_) => Some(Rule::Expiry),
            Self::WrongType { .. } => Some(Rule::TypeSuffix),
            Self::Decode { .. } => Some(Rule::StoredForm),
            _ => None,
        }
    }
}

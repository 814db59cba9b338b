//! The types of keys on a server.

use redis_keys_schema::Kind;
use serde::{Deserialize, Serialize};

/// The type of a key on the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum RedisType {
    /// Strings, bitmaps and hyperloglogs.
    String,
    /// Hashes.
    Hash,
    /// Lists.
    List,
    /// Sets.
    Set,
    /// Sorted sets and geo.
    ZSet,
    /// Streams.
    Stream,
    /// A type of a server module.
    Other,
}

impl RedisType {
    /// All types, in the order of their indexes.
    pub(crate) const ALL: [Self; 7] =
        [Self::String, Self::Hash, Self::List, Self::Set, Self::ZSet, Self::Stream, Self::Other];

    /// The type of keys of this kind.
    pub(crate) fn of(kind: Option<Kind>) -> Self {
        match kind {
            Some(Kind::String | Kind::Bitmap | Kind::HyperLogLog) => Self::String,
            Some(Kind::Hash) => Self::Hash,
            Some(Kind::List) => Self::List,
            Some(Kind::Set) => Self::Set,
            Some(Kind::ZSet | Kind::Geo) => Self::ZSet,
            Some(Kind::Stream) => Self::Stream,
            _ => Self::Other,
        }
    }

    /// Whether a key of this type can have this kind.
    pub(crate) fn is(self, kind: Kind) -> bool {
        self == Self::of(Some(kind))
    }

    /// The name, as in `TYPE`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Hash => "hash",
            Self::List => "list",
            Self::Set => "set",
            Self::ZSet => "zset",
            Self::Stream => "stream",
            Self::Other => "other",
        }
    }

    /// This name's type.
    pub(crate) fn named(name: &str) -> Self {
        Self::ALL.into_iter().find(|known| known.name() == name).unwrap_or(Self::Other)
    }
}

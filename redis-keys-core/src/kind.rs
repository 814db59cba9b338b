//! The key types.

use std::fmt;

/// The type of a key, which is its last segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum Kind {
    /// Text, a number or an object, read and written whole.
    String,
    /// Fields, each with a value.
    Hash,
    /// Elements in insertion order.
    List,
    /// Unique members.
    Set,
    /// Unique members, ordered by score.
    ZSet,
    /// Bits by number, stored in a Redis string.
    Bitmap,
    /// An estimated count of unique members, stored in a Redis string.
    HyperLogLog,
    /// Places on the globe, stored in a Redis sorted set.
    Geo,
    /// A log of entries.
    Stream,
    /// Messages to subscribers, which are not stored.
    Channel,
}

impl Kind {
    /// All types, in the order of messages.
    pub const ALL: [Self; 10] = [
        Self::String,
        Self::Hash,
        Self::List,
        Self::Set,
        Self::ZSet,
        Self::Bitmap,
        Self::HyperLogLog,
        Self::Geo,
        Self::Stream,
        Self::Channel,
    ];

    /// The last segment of a key of this type.
    ///
    /// ```
    /// assert_eq!(redis_keys_core::Kind::ZSet.name(), "zset");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Hash => "hash",
            Self::List => "list",
            Self::Set => "set",
            Self::ZSet => "zset",
            Self::Bitmap => "bitmap",
            Self::HyperLogLog => "hyperloglog",
            Self::Geo => "geo",
            Self::Stream => "stream",
            Self::Channel => "channel",
        }
    }

    /// Its index in [`ALL`](Self::ALL), which generated code refers to.
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// The type with an index in [`ALL`](Self::ALL).
    pub const fn from_number(number: u8) -> Option<Self> {
        let mut rest = Self::ALL.as_slice();
        while let [kind, others @ ..] = rest {
            if kind.number() == number {
                return Some(*kind);
            }
            rest = others;
        }
        None
    }

    /// The type with a name.
    ///
    /// ```
    /// use redis_keys_core::Kind;
    ///
    /// assert_eq!(Kind::from_name("geo"), Some(Kind::Geo));
    /// assert_eq!(Kind::from_name("map"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The Redis type that stores it, as `TYPE` returns it. A channel stores nothing.
    ///
    /// ```
    /// assert_eq!(redis_keys_core::Kind::Geo.redis_type(), "zset");
    /// ```
    pub const fn redis_type(self) -> &'static str {
        match self {
            Self::Bitmap | Self::HyperLogLog => "string",
            Self::Geo => "zset",
            other => other.name(),
        }
    }

    /// Whether its elements are counted by `max_len`.
    pub const fn is_collection(self) -> bool {
        matches!(self, Self::Hash | Self::List | Self::Set | Self::ZSet | Self::Geo | Self::Stream)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

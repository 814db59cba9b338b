//! The types of values, which are also the last words of keys.

use std::fmt;

/// A Redis type, as the last segment of a key names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Kind {
    /// Text, a number or an object that is read and written whole.
    String,
    /// Fields with a value each.
    Hash,
    /// Items in the order of their arrival.
    List,
    /// Members, each once.
    Set,
    /// Members with a score, in the order of their scores.
    ZSet,
    /// Bits by number, kept in a Redis string.
    Bitmap,
    /// An estimate of how many different members there were, kept in a Redis string.
    HyperLogLog,
    /// Places on the globe, kept in a Redis sorted set.
    Geo,
    /// A log of entries.
    Stream,
}

impl Kind {
    /// Every type, in the order in which messages list them.
    pub const ALL: [Self; 9] = [
        Self::String,
        Self::Hash,
        Self::List,
        Self::Set,
        Self::ZSet,
        Self::Bitmap,
        Self::HyperLogLog,
        Self::Geo,
        Self::Stream,
    ];

    /// The word that ends a key of this type.
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
        }
    }

    /// Its place in [`ALL`](Self::ALL), by which generated code names it.
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// The type of that place.
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

    /// The type of that name.
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

    /// The type that Redis itself keeps it in, as TYPE names it.
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

    /// Whether it holds elements that are counted.
    pub const fn is_collection(self) -> bool {
        matches!(self, Self::Hash | Self::List | Self::Set | Self::ZSet | Self::Geo | Self::Stream)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

//! What can be wrong on a server.

mod collect;
#[cfg(test)]
mod tests;
mod texts;

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

pub(crate) use collect::findings_of;

use super::tally::Example;

/// How serious a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Level {
    /// Worth knowing.
    Note,
    /// A guideline is not followed.
    Warning,
    /// A rule is broken.
    Error,
}

impl Level {
    /// The name, as in `--fail-on`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// What can be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the texts say what they mean")]
pub(crate) enum FindingId {
    WrongType,
    NoExpiry,
    BigValue,
    BigCollection,
    UnknownKey,
    LongExpiry,
    BadName,
    BigMember,
    TooManyKeys,
    EvictionPolicy,
    NoMaxmemory,
    LazyExpireOff,
    SlotSkew,
    LeftCompactEncoding,
    HotKey,
    NoLfu,
}

/// One thing that is wrong, with all keys of one declaration, all unknown keys, or a server.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Finding {
    /// What is wrong.
    pub(crate) id: FindingId,
    /// How serious that is.
    pub(crate) level: Level,
    /// Where.
    pub(crate) subject: Subject,
    /// The number of keys, or for a finding about a server what its text says.
    pub(crate) count: u64,
    /// The memory of these keys.
    pub(crate) bytes: u64,
    /// The worst ones.
    pub(crate) examples: Vec<Example>,
    /// What is wrong here in particular, such as `the limit is 5,000 elements`.
    pub(crate) detail: String,
}

/// Where something is wrong.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Subject {
    /// The keys of a declaration.
    Declaration {
        /// The name of the struct.
        name: String,
        /// The template.
        template: String,
    },
    /// Keys without declaration.
    UnknownKeys,
    /// A server, by its address.
    Server(String),
    /// The cluster as a whole.
    Cluster,
}

impl Subject {
    /// How it is shown.
    pub(crate) fn shown(&self) -> &str {
        match self {
            Self::Declaration { template, .. } => template,
            Self::UnknownKeys => "unknown keys",
            Self::Server(address) => address,
            Self::Cluster => "the cluster",
        }
    }
}

//! The keys that are asked for, and are not changed.

use std::collections::BTreeMap;

/// A key that was used within these seconds stays: a use right after it cannot be told from that one, since idle times
/// are whole seconds of a clock that can be a second late.
const RECENT_SECONDS: u64 = 4;

/// The numbers of keys that are asked for, and are not changed.
pub(super) type Exclusions = BTreeMap<Exclusion, u64>;

/// The reason for which a key that is asked for is not changed. Summaries have this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Exclusion {
    /// The declaration says `ttl = never`.
    Never,
    /// The type is not the declared one.
    OtherType,
    /// No declaration says how long it lives.
    Undeclared,
    /// The end of the calendar bucket cannot be read.
    Bucket,
    /// The legacy text of the declaration consists of fields alone.
    NoFixedText,
    /// The key has a legacy text, and the policy leaves it to another program.
    Foreign,
    /// With another namespace, or without one, the key is declared.
    OtherNamespace,
    /// Behind another prefix, or without one, the key has a legacy text.
    OtherPrefix,
    /// A cache, a lock or a queue of jobs has other ways.
    Role,
    /// The new name is in another slot.
    OtherSlot,
    /// It was used within the last seconds.
    RecentUse,
    /// The server does not say when it was used.
    UnknownUse,
}

impl Exclusion {
    /// The exclusion of a key whose last use is unknown or too recent, so that a later use might not be noticed.
    pub(super) fn of_last_use(idle: Option<u64>) -> Option<Self> {
        match idle {
            None => Some(Self::UnknownUse),
            Some(..RECENT_SECONDS) => Some(Self::RecentUse),
            Some(_) => None,
        }
    }

    /// The reason, as it follows a number of keys.
    pub(super) fn reason(self) -> &'static str {
        match self {
            Self::Never => "declared with `ttl = never`",
            Self::OtherType => "of another type than declared",
            Self::Undeclared => "without a declaration",
            Self::Bucket => "whose calendar bucket cannot be read",
            Self::NoFixedText => {
                "that other programs may have written, since the legacy text has no fixed text: see `--match`"
            }
            Self::Foreign => "with a legacy text, which `[foreign]` of the policy leaves to another program",
            Self::OtherNamespace => "declared with another namespace: see `--namespace`",
            Self::OtherPrefix => "with a legacy text behind another prefix: see `--legacy-prefix`",
            Self::Role => "of caches, locks and queues of jobs, which are not moved",
            Self::OtherSlot => "whose names are in different slots of the cluster",
            Self::RecentUse => "used within the last seconds: see `--without-last-use`",
            Self::UnknownUse => "whose last use is unknown: see `--without-last-use`",
        }
    }
}

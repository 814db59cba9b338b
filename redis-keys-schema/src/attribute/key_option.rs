//! The options of a key, and the types of keys that each applies to.

use super::foreign_option::OF_KEY;
use super::grammar::Grammar;
use crate::{Kind, Rule};

/// The grammar of `#[redis_key(…)]` on a key, after its template.
pub(super) const GRAMMAR: Grammar = Grammar { attribute: "redis_key", options: &OPTIONS, flags: &[], foreign: OF_KEY };

/// An option of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeyOption {
    Value,
    Field,
    Ttl,
    Jitter,
    Renew,
    TtlFromEndOf,
    NullTtl,
    Lease,
    Refresh,
    Limit,
    Burst,
    Tries,
    Expected,
    FalsePositives,
    MaxBytes,
    MaxLen,
    MaxMemberBytes,
    KeepLast,
    KeepTop,
    Copies,
    Legacy,
    Formerly,
    Reason,
    Rebuild,
    Owner,
    Allow,
    Crate,
}

/// The name of each option, and how it is written, in the order of the variants.
const OPTIONS: [(&str, &str); KeyOption::ALL.len()] = [
    ("value", "value = Json<Profile>"),
    ("field", "field = String"),
    ("ttl", "ttl = 1h"),
    ("jitter", "jitter = 5m"),
    ("renew", "renew = write"),
    ("ttl_from_end_of", "ttl_from_end_of = month"),
    ("null_ttl", "null_ttl = 5m"),
    ("lease", "lease = 10s"),
    ("refresh", "refresh = 80%"),
    ("limit", "limit = 100 / 1m"),
    ("burst", "burst = 20"),
    ("tries", "tries = 5"),
    ("expected", "expected = 100_000"),
    ("false_positives", "false_positives = 1%"),
    ("max_bytes", "max_bytes = 64KB"),
    ("max_len", "max_len = 1000"),
    ("max_member_bytes", "max_member_bytes = 1KB"),
    ("keep_last", "keep_last = 100"),
    ("keep_top", "keep_top = 1000"),
    ("copies", "copies = 8"),
    ("legacy", "legacy = \"User:{id}:Profile\""),
    ("formerly", "formerly = \"User:{id}:Profile\""),
    ("reason", "reason = \"…\""),
    ("rebuild", "rebuild = \"…\""),
    ("owner", "owner = \"…\""),
    ("allow", "allow(lint, reason = \"…\")"),
    ("crate", "crate = path::to::redis_keys"),
];

/// The names of the options but `crate`, which is no option of the key itself.
pub const KEY_OPTION_NAMES: [&str; OPTIONS.len() - 1] = {
    let mut names = [""; OPTIONS.len() - 1];
    let mut index = 0;
    while index < names.len() {
        names[index] = OPTIONS[index].0;
        index += 1;
    }
    names
};

impl KeyOption {
    #[rustfmt::skip]
    pub(crate) const ALL: [Self; 27] = [
        Self::Value, Self::Field, Self::Ttl, Self::Jitter, Self::Renew, Self::TtlFromEndOf, Self::NullTtl, Self::Lease,
        Self::Refresh, Self::Limit, Self::Burst, Self::Tries, Self::Expected, Self::FalsePositives, Self::MaxBytes, Self::MaxLen, Self::MaxMemberBytes,
        Self::KeepLast, Self::KeepTop, Self::Copies, Self::Legacy, Self::Formerly, Self::Reason, Self::Rebuild,
        Self::Owner, Self::Allow, Self::Crate,
    ];

    pub(crate) fn name(self) -> &'static str {
        OPTIONS[self as usize].0
    }

    pub(super) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|option| option.name() == name)
    }

    /// Whether keys of that type can have it.
    pub(crate) fn applies_to(self, kind: Kind) -> bool {
        match self {
            Self::Value => kind != Kind::Bitmap,
            Self::Field => kind == Kind::Hash,
            Self::NullTtl | Self::Refresh | Self::Limit | Self::Burst | Self::Copies => kind == Kind::String,
            Self::Lease => matches!(kind, Kind::String | Kind::ZSet),
            Self::Tries | Self::KeepTop => kind == Kind::ZSet,
            Self::Expected | Self::FalsePositives => kind == Kind::Bitmap,
            Self::MaxBytes => matches!(kind, Kind::String | Kind::Bitmap | Kind::Channel),
            Self::MaxLen | Self::MaxMemberBytes => kind.is_collection(),
            Self::KeepLast => matches!(kind, Kind::List | Kind::Stream),
            Self::Ttl
            | Self::Jitter
            | Self::Renew
            | Self::TtlFromEndOf
            | Self::Legacy
            | Self::Formerly
            | Self::Rebuild => kind != Kind::Channel,
            Self::Reason | Self::Owner | Self::Allow | Self::Crate => true,
        }
    }

    /// Whether it limits a log, which is appended to and read in parts, and not a collection. A key of unknown type may
    /// be one.
    pub(crate) fn limits_log(self, kind: Option<Kind>) -> bool {
        self == Self::KeepLast && kind.is_none_or(|kind| kind == Kind::Stream)
    }

    /// The rule that is broken where it does not apply.
    pub(crate) fn rule(self) -> Rule {
        match self {
            Self::Value | Self::Field => Rule::StoredForm,
            Self::Ttl | Self::TtlFromEndOf | Self::NullTtl | Self::Lease | Self::Refresh => Rule::Expiry,
            Self::Limit | Self::Burst => Rule::RateLimit,
            Self::Tries => Rule::Jobs,
            Self::Expected | Self::FalsePositives => Rule::BloomFilter,
            Self::Rebuild => Rule::LongLived,
            Self::Jitter => Rule::Jitter,
            Self::Renew => Rule::Renewal,
            Self::MaxBytes => Rule::ValueSize,
            Self::MaxLen | Self::MaxMemberBytes | Self::KeepLast | Self::KeepTop => Rule::CollectionSize,
            Self::Copies => Rule::Copies,
            Self::Legacy | Self::Formerly | Self::Reason | Self::Owner | Self::Allow | Self::Crate => Rule::Declaration,
        }
    }

    /// The option that does the same for keys of that type.
    pub(crate) fn counterpart(self, kind: Kind) -> Option<Self> {
        let other = match self {
            Self::MaxBytes => Self::MaxMemberBytes,
            Self::MaxLen | Self::MaxMemberBytes => Self::MaxBytes,
            Self::KeepLast => Self::KeepTop,
            Self::KeepTop => Self::KeepLast,
            _ => return None,
        };
        other.applies_to(kind).then_some(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_option_is_written_with_its_own_name() {
        for (option, (name, example)) in KeyOption::ALL.into_iter().zip(OPTIONS) {
            assert!(example.starts_with(name), "{name}");
            assert!(KeyOption::from_name(name) == Some(option) && option.name() == name, "{name}");
        }
    }
}

//! The names of the options, and which types of keys they are for.

use crate::Kind;

/// An option of the attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Name {
    /// `value = T`
    Value,
    /// `field = F`
    Field,
    /// `ttl = 1h`
    Ttl,
    /// `jitter = 5m`
    Jitter,
    /// `renew = write`
    Renew,
    /// `ttl_from_end_of = month`
    TtlFromEndOf,
    /// `null_ttl = 5m`
    NullTtl,
    /// `max_bytes = 64KB`
    MaxBytes,
    /// `max_len = 1000`
    MaxLen,
    /// `max_member_bytes = 1KB`
    MaxMemberBytes,
    /// `keep_last = 100`
    KeepLast,
    /// `keep_top = 1000`
    KeepTop,
    /// `copies = 8`
    Copies,
    /// `reason = "…"`
    Reason,
    /// `owner = "…"`
    Owner,
    /// `allow(lint, reason = "…")`
    Allow,
    /// `crate = path`
    Crate,
}

impl Name {
    pub(crate) const ALL: [Self; 17] = [
        Self::Value,
        Self::Field,
        Self::Ttl,
        Self::Jitter,
        Self::Renew,
        Self::TtlFromEndOf,
        Self::NullTtl,
        Self::MaxBytes,
        Self::MaxLen,
        Self::MaxMemberBytes,
        Self::KeepLast,
        Self::KeepTop,
        Self::Copies,
        Self::Reason,
        Self::Owner,
        Self::Allow,
        Self::Crate,
    ];

    /// The option as it is written.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Value => "value",
            Self::Field => "field",
            Self::Ttl => "ttl",
            Self::Jitter => "jitter",
            Self::Renew => "renew",
            Self::TtlFromEndOf => "ttl_from_end_of",
            Self::NullTtl => "null_ttl",
            Self::MaxBytes => "max_bytes",
            Self::MaxLen => "max_len",
            Self::MaxMemberBytes => "max_member_bytes",
            Self::KeepLast => "keep_last",
            Self::KeepTop => "keep_top",
            Self::Copies => "copies",
            Self::Reason => "reason",
            Self::Owner => "owner",
            Self::Allow => "allow",
            Self::Crate => "crate",
        }
    }

    pub(crate) fn from_text(text: &str) -> Option<Self> {
        let text = text.strip_prefix("r#").unwrap_or(text);
        Self::ALL.iter().find(|name| name.text() == text).copied()
    }

    /// How it is written, with a value that fits.
    pub(crate) const fn example(self) -> &'static str {
        match self {
            Self::Value => "value = Json<Profile>",
            Self::Field => "field = String",
            Self::Ttl => "ttl = 1h",
            Self::Jitter => "jitter = 5m",
            Self::Renew => "renew = write",
            Self::TtlFromEndOf => "ttl_from_end_of = month",
            Self::NullTtl => "null_ttl = 5m",
            Self::MaxBytes => "max_bytes = 64KB",
            Self::MaxLen => "max_len = 1000",
            Self::MaxMemberBytes => "max_member_bytes = 1KB",
            Self::KeepLast => "keep_last = 100",
            Self::KeepTop => "keep_top = 1000",
            Self::Copies => "copies = 8",
            Self::Reason => "reason = \"…\"",
            Self::Owner => "owner = \"…\"",
            Self::Allow => "allow(lint, reason = \"…\")",
            Self::Crate => "crate = path::to::redis_keys",
        }
    }

    pub(crate) const fn fits(self, kind: Kind) -> bool {
        match self {
            Self::Value => !matches!(kind, Kind::Bitmap),
            Self::Field => matches!(kind, Kind::Hash),
            Self::NullTtl | Self::Copies => matches!(kind, Kind::String),
            Self::MaxBytes => matches!(kind, Kind::String | Kind::Bitmap),
            Self::MaxLen | Self::MaxMemberBytes => kind.is_collection(),
            Self::KeepLast => matches!(kind, Kind::List | Kind::Stream),
            Self::KeepTop => matches!(kind, Kind::ZSet),
            _ => true,
        }
    }

    /// The option that says the same for keys of that type.
    pub(crate) fn counterpart(self, kind: Kind) -> Option<Self> {
        let other = match self {
            Self::MaxBytes => Self::MaxMemberBytes,
            Self::MaxLen | Self::MaxMemberBytes => Self::MaxBytes,
            Self::KeepLast => Self::KeepTop,
            Self::KeepTop => Self::KeepLast,
            _ => return None,
        };
        other.fits(kind).then_some(other)
    }
}

//! The kinds of findings.

use serde::{Deserialize, Serialize};

use super::level::Level;
use super::units::{bytes, count, duration, exact_bytes};

/// Declares the kinds of findings, each with its name in JSON and its severity.
macro_rules! finding_ids {
    ($($id:ident $name:literal $level:ident,)+) => {
        /// The kind of a finding. `explain` says what each means.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub(crate) enum FindingId {
            $(#[serde(rename = $name)] $id,)+
        }

        impl FindingId {
            pub(crate) const ALL: &[Self] = &[$(Self::$id),+];

            /// The name, as in JSON.
            pub(crate) fn name(self) -> &'static str {
                match self { $(Self::$id => $name,)+ }
            }

            /// The severity.
            pub(crate) fn level(self) -> Level {
                match self { $(Self::$id => Level::$level,)+ }
            }
        }
    };
}

// The order of findings of the same level and size.
finding_ids! {
    WrongType "wrong_type" Error,
    NoExpiry "no_expiry" Error,
    BigValue "big_value" Error,
    BigCollection "big_collection" Error,
    UnknownKey "unknown_key" Warning,
    LongExpiry "long_expiry" Warning,
    BadName "bad_name" Warning,
    BigMember "big_member" Warning,
    RefusedName "refused_name" Warning,
    ForeignNoExpiry "foreign_no_expiry" Warning,
    TooManyKeys "too_many_keys" Warning,
    EvictionPolicy "eviction_policy" Warning,
    MixedUse "mixed_use" Warning,
    NoMaxmemory "no_maxmemory" Warning,
    LazyExpireOff "lazy_expire_off" Warning,
    LeftCompactEncoding "left_compact_encoding" Note,
    HotKey "hot_key" Note,
    ColdData "cold_data" Note,
    NoLfu "no_lfu" Note,
    NoRebuild "no_rebuild" Note,
    UnneededFormerly "unneeded_formerly" Note,
}

impl FindingId {
    /// The measure that makes a key an example of the finding.
    pub(crate) fn measure(self, weight: u64) -> String {
        match self {
            Self::BigCollection => format!("{} elements", count(weight)),
            Self::BigValue => exact_bytes(weight),
            Self::BigMember => format!("an element of {}", exact_bytes(weight)),
            Self::LongExpiry => format!("expires in {}", duration(weight)),
            Self::ColdData => format!("idle for {}", duration(weight)),
            Self::HotKey => format!("access counter {weight}"),
            _ => bytes(weight),
        }
    }

    /// Whether it is about keys, which are counted. Otherwise it is about the settings of a server.
    pub(crate) fn is_about_keys(self) -> bool {
        !matches!(
            self,
            Self::EvictionPolicy
                | Self::MixedUse
                | Self::NoMaxmemory
                | Self::LazyExpireOff
                | Self::NoLfu
                | Self::UnneededFormerly
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::declare::explain;

    #[test]
    fn every_finding_is_named_and_explained() {
        for id in FindingId::ALL {
            assert_eq!(serde_json::to_value(id).ok(), Some(id.name().into()));
            let texts = explain::in_report(id.name());
            assert!(texts.iter().all(|text| text.ends_with('.') && !text.contains('\n')), "{}", id.name());
        }
    }
}

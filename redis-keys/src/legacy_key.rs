//! Keys that existed before they were declared, and so have two names: the template's, and a legacy text.

use crate::cache::CachedKey;
use crate::jobs::JobKey;
use crate::limit::LimitKey;
use crate::lock::LockKey;
use crate::types::bitmap::BitmapKey;
use crate::types::bloom::BloomKey;
use crate::types::geo::GeoKey;
use crate::types::hash::HashKey;
use crate::types::hyperloglog::HyperLogLogKey;
use crate::types::list::ListKey;
use crate::types::record::RecordKey;
use crate::types::set::SetKey;
use crate::types::stream::StreamKey;
use crate::types::string::StringKey;
use crate::types::zset::ZSetKey;

pub use crate::types::any::legacy::{LegacyKey, OtherName, TakeOverAnd, TakenOver};

macro_rules! same_types {
    ($($name:ident { $($ty:ident)* })*) => {$(
        #[diagnostic::do_not_recommend]
        impl<K: LegacyKey + $name> $name for OtherName<K> {
            $(type $ty = K::$ty;)*
        }
    )*};
}

same_types! {
    StringKey { Value }
    HashKey { Field Value }
    RecordKey { Value }
    ListKey { Value }
    SetKey { Value }
    ZSetKey { Value }
    BitmapKey {}
    BloomKey { Value }
    HyperLogLogKey { Value }
    GeoKey { Value }
    StreamKey { Value }
    CachedKey { Value }
    JobKey { Value }
    LimitKey {}
    LockKey {}
}

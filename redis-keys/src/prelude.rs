//! The traits and functions to declare and use keys: `use redis_keys::prelude::*;`.
//!
//! It contains the few types that the first call on a key needs: [`GeoPoint`], [`GeoArea`] and [`GeoUnit`] for places,
//! and [`GroupStart`] to create a consumer group. Names in a program's own modules take precedence.
//!
//! It does not contain the stored forms, because a name such as `Json` could conflict with another crate's. Inside
//! `value = …` you need no import: there, the names always refer to this crate's forms.

#[doc(hidden)]
pub use crate::types::other_accessors::groups::*;
#[doc(hidden)]
pub use crate::types::other_names::OtherNames as _;
pub use crate::{
    BitmapKey, ChannelKey, Command, GeoKey, HashKey, HyperLogLogKey, KeySegment, ListKey, ParseKey, RecordKey,
    RedisHash, RedisKey, SetKey, StreamKey, StringKey, ZSetKey, atomic, batch, batch_iter,
    cache::CachedKey,
    command::TimeLeft,
    jobs::JobKey,
    legacy_key::LegacyKey,
    limit::LimitKey,
    lock::LockKey,
    redis_key,
    types::{
        bloom::BloomKey,
        copies::CopiedKey,
        geo::{GeoArea, GeoPoint, GeoUnit},
        stream::GroupStart,
    },
};

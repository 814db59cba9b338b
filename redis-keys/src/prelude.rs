//! The traits and functions to declare and use keys: `use redis_keys::prelude::*;`.
//!
//! It contains the few types that the first call on a key needs: [`GeoPoint`], [`GeoArea`] and [`GeoUnit`] for places,
//! and [`GroupStart`] to create a consumer group. Names in a program's own modules take precedence.
//!
//! It does not contain the stored forms. Inside `value = …` their names always refer to this crate, and elsewhere a
//! name such as `Json` could conflict with one of another crate.

pub use crate::geo::{GeoArea, GeoPoint, GeoUnit};
pub use crate::stream::GroupStart;
#[doc(hidden)]
pub use crate::types::other_accessors::groups::*;
#[doc(hidden)]
pub use crate::types::other_names::OtherNames as _;
pub use crate::{
    BitmapKey, BloomKey, CachedKey, ChannelKey, Command, CopiedKey, GeoKey, HashKey, HyperLogLogKey, JobKey,
    KeySegment, LegacyKey, LimitKey, ListKey, LockKey, ParseKey, RecordKey, RedisHash, RedisKey, SetKey, StreamKey,
    StringKey, TimeLeft, ZSetKey, atomic, batch, batch_iter, redis_key,
};

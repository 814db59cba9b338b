//! What keys are declared and used with, alone and together: `use redis_keys::prelude::*;`.
//!
//! The stored forms are not in it. Inside `value = …` their names mean ours anyhow, and elsewhere `Json` may be somebody
//! else's.

pub use crate::{
    BitmapKey, Command, CopiedKey, GeoKey, HashKey, HyperLogLogKey, KeySegment, ListKey, ParseKey, RecordKey,
    RedisHash, RedisKey, SetKey, StreamKey, StringKey, TimeLeft, ZSetKey, atomic, batch, batch_iter,
};

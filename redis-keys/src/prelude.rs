//! The traits, derives and functions that most programs need.
//!
//! ```
//! use redis_keys::prelude::*;
//! ```
//!
//! It has no stored forms: inside `value = …` their names need no import, and elsewhere `Json` may come from another crate.

pub use crate::{
    BitmapKey, Command, CopiedKey, GeoKey, HashKey, HyperLogLogKey, KeySegment, ListKey, ParseKey, RecordKey,
    RedisHash, RedisKey, SetKey, StreamKey, StringKey, TimeLeft, ZSetKey, atomic, batch, batch_iter,
};

//! The traits and functions to declare and use keys: `use redis_keys::prelude::*;`.
//!
//! It does not contain the stored forms. Inside `value = …` their names always refer to this crate, and elsewhere a name such as
//! `Json` could conflict with one of another crate.

pub use crate::{
    BitmapKey, Command, CopiedKey, GeoKey, HashKey, HyperLogLogKey, KeySegment, ListKey, ParseKey, RecordKey,
    RedisHash, RedisKey, SetKey, StreamKey, StringKey, TimeLeft, ZSetKey, atomic, batch, batch_iter,
};

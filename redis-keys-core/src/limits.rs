//! The limits of the rules.

use std::time::Duration;

/// The most bytes of a key.
pub const MAX_KEY_BYTES: usize = 128;

/// The most bytes of a value without `max_bytes`.
pub const DEFAULT_MAX_BYTES: u64 = 10 * 1024;

/// The largest `max_bytes`.
pub const MAX_MAX_BYTES: u64 = 1024 * 1024;

/// The most elements of a collection without `max_len`, and the largest `max_len`.
pub const MAX_MAX_LEN: u64 = 5000;

/// The largest `keep_last` of a stream: a log that is read in parts, unlike a collection.
pub const MAX_STREAM_KEEP_LAST: u64 = 1_000_000;

/// The most bytes of an element without `max_member_bytes`.
pub const DEFAULT_MAX_MEMBER_BYTES: u64 = 4 * 1024;

/// The most fields of a record: as many as one command reads.
pub const MAX_RECORD_FIELDS: usize = 100;

/// The most bytes of the name of a record's field.
pub const MAX_FIELD_BYTES: usize = 64;

/// The longest `ttl`. A key that lives longer needs `ttl = never` and a reason.
pub const LONGEST_TTL: Duration = Duration::from_secs(3650 * 24 * 60 * 60);

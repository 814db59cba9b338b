//! The numbers that the rules speak of.

use std::time::Duration;

/// The longest key, in bytes.
pub const MAX_KEY_BYTES: usize = 128;

/// How many bytes a string's value may have where the declaration says nothing.
pub const DEFAULT_MAX_BYTES: u64 = 10 * 1024;

/// The most that `max_bytes` may allow.
pub const MAX_MAX_BYTES: u64 = 1024 * 1024;

/// How many elements a collection may have where the declaration says nothing, and the most that it may allow.
pub const MAX_MAX_LEN: u64 = 5000;

/// How many bytes a collection's member may have where the declaration says nothing.
pub const DEFAULT_MAX_MEMBER_BYTES: u64 = 4 * 1024;

/// How many fields a record may have: as many as are read with one command.
pub const MAX_RECORD_FIELDS: usize = 100;

/// How many bytes the name of a record's field may have.
pub const MAX_FIELD_BYTES: usize = 64;

/// The longest expiry. What lives longer is meant to live for ever, and has to say so.
pub const LONGEST_TTL: Duration = Duration::from_secs(3650 * 24 * 60 * 60);

//! The replies to writes of cached keys: what the process keeps of the key in memory is forgotten.

use crate::command::{Decode, DecodeResult, Replies, ReplyContext, done, flag, key_of};
use crate::schema::{Role, Schema};

/// Reads the reply to a write of a key, which is OK.
#[inline]
pub(crate) const fn done_of_write(schema: &Schema) -> Decode<()> {
    if has_copies(schema) { done_and_forget } else { done }
}

/// Reads the reply to a write of a key, which is a flag.
#[inline]
pub(crate) const fn flag_of_write(schema: &Schema) -> Decode<bool> {
    if has_copies(schema) { flag_and_forget } else { flag }
}

const fn has_copies(schema: &Schema) -> bool {
    matches!(schema.role, Some(Role::Cache(options)) if options.near.is_some())
}

fn done_and_forget(replies: Replies, sent: &ReplyContext<'_>) -> DecodeResult<()> {
    forget_key_of(sent);
    done(replies, sent)
}

fn flag_and_forget(replies: Replies, sent: &ReplyContext<'_>) -> DecodeResult<bool> {
    forget_key_of(sent);
    flag(replies, sent)
}

fn forget_key_of(sent: &ReplyContext<'_>) {
    if let Some(key) = sent.command(0).and_then(|cmd| key_of(cmd, 0)) {
        forget(&key);
    }
}

/// Forgets the copies of a key that was removed, if its declaration has copies.
pub(crate) fn forget_copies(schema: &Schema, key: &str) {
    if has_copies(schema) {
        forget(key);
    }
}

fn forget(key: &str) {
    // Without `Cache`, there are no copies.
    #[cfg(feature = "cache")]
    super::near::forget(key.as_bytes());
    _ = key;
}

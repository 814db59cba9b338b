//! The replies to writes of cached keys: what the process keeps of the key in memory is forgotten.

use crate::command::{Decode, DecodeResult, Replies, ReplyContext, done, flag};
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
    // Without `Cache`, there are no copies.
    #[cfg(feature = "cache")]
    if let Some(key) = sent.command(0).and_then(|cmd| crate::command::key_of(cmd, 0)) {
        super::near::forget(key.as_bytes());
    }
    _ = sent;
}

//! Tells the caches of this process about its own writes: once a write has returned, no older copy is served.
//!
//! They are told when the reply is read, and not earlier. A read that begins after the reply sees the new value, and a
//! read that began before the reply keeps no copy.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use super::{Decode, DecodeResult, Replies, ReplyContext, done, flag, key_of};
use crate::schema::{Role, Schema};

/// A holder of key copies in memory.
pub(crate) trait KeyCopies: Send + Sync {
    /// Forgets the copy of a key and what is being loaded for it, since this process has changed it.
    fn forget(&self, key: &str);
}

/// The copies of all caches of the process.
static ALL: Mutex<Vec<Weak<dyn KeyCopies>>> = Mutex::new(Vec::new());

/// Adds the copies of a cache.
#[cfg(feature = "cache")]
pub(crate) fn register(copies: Weak<dyn KeyCopies>) {
    let mut all = lock();
    all.retain(|copies| copies.strong_count() > 0);
    all.push(copies);
}

/// Forgets the copies of a key after a write, if its declaration has copies.
pub(crate) fn forget_copies(schema: &Schema, key: &str) {
    if has_copies(schema) {
        forget(key);
    }
}

fn forget(key: &str) {
    // The list must not be locked while the last reference to a cache is dropped.
    let all: Vec<Arc<dyn KeyCopies>> = lock().iter().filter_map(Weak::upgrade).collect();
    for copies in all {
        copies.forget(key);
    }
}

fn lock() -> MutexGuard<'static, Vec<Weak<dyn KeyCopies>>> {
    ALL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Forgets a key's copies when a write ends, whatever its outcome.
#[cfg(feature = "cache")]
pub(crate) struct ForgetOnDrop<'t>(pub(crate) &'static Schema, pub(crate) &'t str);

#[cfg(feature = "cache")]
impl Drop for ForgetOnDrop<'_> {
    fn drop(&mut self) {
        forget_copies(self.0, self.1);
    }
}

/// Returns the reader for the reply to a write, which is OK.
#[inline]
pub(crate) const fn done_of_write(schema: &Schema) -> Decode<()> {
    if has_copies(schema) { done_and_forget } else { done }
}

/// Returns the reader for the reply to a write, which is a flag.
#[inline]
pub(crate) const fn flag_of_write(schema: &Schema) -> Decode<bool> {
    if has_copies(schema) { flag_and_forget } else { flag }
}

/// Whether processes keep copies; never without the feature `cache`.
const fn has_copies(schema: &Schema) -> bool {
    cfg!(feature = "cache") && matches!(schema.role, Some(Role::Cache(options)) if options.near.is_some())
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

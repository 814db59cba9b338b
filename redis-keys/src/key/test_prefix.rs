//! The prefix of a test's own keys.

use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// The length of every prefix: `t`, ten digits in base 36 and `:`. There are 3.6 · 10¹⁵, which never collide.
pub(crate) const BYTES: usize = 12;

thread_local! {
    /// The prefix of this thread's keys.
    pub(crate) static PREFIX: Cell<Option<[u8; BYTES]>> = const { Cell::new(None) };
}

/// The number of tests that have their own keys now.
pub(crate) static TESTS: AtomicUsize = AtomicUsize::new(0);

/// The keys that were built on other threads in this time, without a prefix.
static BARE_KEYS: Mutex<BareKeys> = Mutex::new(BareKeys { count: 0, last: None });

pub(crate) struct BareKeys {
    pub(crate) count: u64,
    /// The declaration of the last key, and its thread.
    pub(crate) last: Option<(&'static str, String)>,
}

/// Returns the prefix for a key of `declaration` that is built now.
#[inline]
pub(super) fn of_key(declaration: &'static str) -> Option<[u8; BYTES]> {
    let prefix = PREFIX.get();
    if prefix.is_none() && TESTS.load(Ordering::Relaxed) > 0 {
        note_bare_key(declaration);
    }
    prefix
}

/// Remembers a key without a prefix, unless it is on the thread of another test, which needs none.
///
/// It does not panic: the thread can belong to another test, which runs at the same time and has no prefix at all.
#[cold]
fn note_bare_key(declaration: &'static str) {
    let thread = match thread::current().name() {
        None => "a thread".to_owned(),
        Some(name) if name.starts_with("tokio-") => format!("the thread `{name}`"),
        // The test harness names the thread of a test after the test.
        Some(_) => return,
    };
    bare_keys(|bare| {
        bare.count += 1;
        bare.last = Some((declaration, thread));
    });
}

pub(crate) fn bare_keys<T>(access: impl FnOnce(&mut BareKeys) -> T) -> T {
    access(&mut BARE_KEYS.lock().unwrap_or_else(PoisonError::into_inner))
}

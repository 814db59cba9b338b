//! The locks and atomics of the table and the era: `tests/models` has the same from `loom`.

pub(crate) use std::sync::atomic::{AtomicBool, AtomicU64};
pub(crate) use std::sync::{Mutex, MutexGuard};

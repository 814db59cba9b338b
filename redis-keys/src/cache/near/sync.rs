//! The locks and atomics of the table, the era and the waiters; `tests/models` replaces them with items of `loom`.

pub(crate) use std::sync::atomic::{AtomicBool, AtomicU64};
pub(crate) use std::sync::{Mutex, MutexGuard};

pub(crate) use tokio::sync::Notify;

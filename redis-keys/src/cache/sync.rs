//! The locks, atomics and channels of flights; `tests/models` replaces them with items of `loom`.

pub(super) use std::sync::atomic::AtomicU64;
pub(super) use std::sync::{Mutex, MutexGuard};

pub(super) use tokio::sync::watch;

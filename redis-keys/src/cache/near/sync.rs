//! What the table and the era need of `std::sync`: `tests/models` has the same of `loom`.

pub(super) use std::sync::atomic::{AtomicBool, AtomicU64};
pub(super) use std::sync::{Mutex, MutexGuard};

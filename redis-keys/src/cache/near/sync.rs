//! What the table and the era need of `std::sync`: `tests/models` has the same of `loom`.

pub(crate) use std::sync::atomic::{AtomicBool, AtomicU64};
pub(crate) use std::sync::{Mutex, MutexGuard};

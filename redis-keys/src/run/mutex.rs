//! The lock of a time limit; `tests/models` replaces it with the same item of `loom`.

pub(super) use std::sync::{Mutex, MutexGuard};

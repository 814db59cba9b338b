//! The tasks, the time and the channel of a held lock; `tests/models` replaces them with items on `loom`.

pub(super) use tokio::runtime::Handle;
pub(super) use tokio::sync::watch;
pub(super) use tokio::task::AbortHandle;
pub(super) use tokio::time::{Instant, sleep, sleep_until, timeout_at};

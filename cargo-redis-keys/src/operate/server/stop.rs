//! Work that ends at Ctrl-C.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use crate::Failure;

/// The interval at which the flag is checked.
pub(super) const CHECK_EVERY: Duration = Duration::from_millis(50);

/// The time that work has to end after Ctrl-C.
const GRACE: Duration = Duration::from_millis(500);

/// Ctrl-C and the signal of a system that shuts down set the flag. A second Ctrl-C ends the process at once.
pub(crate) fn stop_at_signals() -> Result<Arc<AtomicBool>, Failure> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    let stop = Arc::new(AtomicBool::new(false));
    let register = || {
        signal_hook::flag::register_conditional_shutdown(SIGINT, 130, Arc::clone(&stop))?;
        signal_hook::flag::register(SIGINT, Arc::clone(&stop))?;
        signal_hook::flag::register(SIGTERM, Arc::clone(&stop))
    };
    register().map_err(|error| Failure::new(format!("cannot watch for Ctrl-C: {error}")))?;
    Ok(stop)
}

/// Runs work in a thread. It fails if the program must stop and the work does not end soon: a server may hang.
pub(crate) fn until_stopped<T: Send + 'static>(
    stop: &AtomicBool,
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    until_stopped_with(stop, work, || ())?.unwrap_or_else(|| Err(interrupted()))
}

/// Runs work in a thread, and calls `watch` every now and then. `None` if the program must stop and the work does not
/// end soon.
pub(crate) fn until_stopped_with<T: Send + 'static>(
    stop: &AtomicBool,
    work: impl FnOnce() -> T + Send + 'static,
    mut watch: impl FnMut(),
) -> Result<Option<T>, Failure> {
    let (sender, receiver) = mpsc::channel();
    let thread = thread::Builder::new().spawn(move || sender.send(work()).is_ok());
    thread.map_err(|error| Failure::new(format!("cannot start a thread: {error}")))?;
    let mut asked: Option<Instant> = None;
    loop {
        match receiver.recv_timeout(CHECK_EVERY) {
            Ok(result) => return Ok(Some(result)),
            Err(mpsc::RecvTimeoutError::Disconnected) => return Err(Failure::new("a thread has failed")),
            Err(mpsc::RecvTimeoutError::Timeout) => watch(),
        }
        if stop.load(Ordering::Relaxed) && asked.get_or_insert_with(Instant::now).elapsed() >= GRACE {
            return Ok(None);
        }
    }
}

/// Sleeps, unless the program must stop meanwhile.
pub(crate) fn sleep(duration: Duration, stop: &AtomicBool) {
    let end = Instant::now() + duration;
    while let Some(rest) = end.checked_duration_since(Instant::now()).filter(|rest| !rest.is_zero()) {
        if stop.load(Ordering::Relaxed) {
            return;
        }
        thread::sleep(rest.min(CHECK_EVERY));
    }
}

/// The failure of a command that was interrupted.
pub(crate) fn interrupted() -> Failure {
    Failure::new("interrupted")
}

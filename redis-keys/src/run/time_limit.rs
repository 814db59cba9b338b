//! A limit to how long a command may take.

use std::{
    future::{Future, poll_fn},
    pin::{Pin, pin},
    task::Poll,
    time::Duration,
};

use tokio::time::Instant;

/// Runs a future for at most this time.
///
/// Unlike [`tokio::time::timeout`] it sets the timer after the first poll, and polls the future once: a command is sent only then,
/// and a connection can also answer at once. If the timer itself is late, something has blocked the thread, and the connection
/// with it: then the time begins again.
pub(crate) async fn within<F: Future>(limit: Duration, mut future: Pin<&mut F>) -> Option<F::Output> {
    let mut timer = pin!(None);
    let mut was_blocked = false;
    poll_fn(|context| {
        if let Poll::Ready(output) = future.as_mut().poll(context) {
            return Poll::Ready(Some(output));
        }
        if timer.is_none() {
            timer.set(Some(tokio::time::sleep(limit)));
        }
        let Some(mut timer) = timer.as_mut().as_pin_mut() else { return Poll::Pending };
        if timer.as_mut().poll(context).is_pending() {
            return Poll::Pending;
        }
        let now = Instant::now();
        if was_blocked || now.saturating_duration_since(timer.deadline()).saturating_mul(2) < limit {
            return Poll::Ready(None);
        }
        was_blocked = true;
        timer.as_mut().reset(now.checked_add(limit).unwrap_or(now));
        timer.poll(context).map(|()| None)
    })
    .await
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};

    use super::*;
    use crate::testing::mock::block_on;

    #[test]
    fn a_future_has_a_result_if_it_is_ready_in_time() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let limit = Duration::from_millis(1);
        assert_eq!(runtime.block_on(async { within(limit, pin!(pending::<()>())).await }), None);
        let yields_once = async { tokio::task::yield_now().await };
        assert_eq!(runtime.block_on(async { within(Duration::MAX, pin!(yields_once)).await }), Some(()));
        // No timer is set, which would need a runtime.
        assert_eq!(block_on(within(limit, pin!(ready(())))), Some(()));
    }
}

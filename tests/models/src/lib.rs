//! Models of what threads share, which `loom` runs under every interleaving.
//!
//! They are the files of the library itself, with the locks, atomics and channels of `loom` in place of those of `std`
//! and tokio. A thread that waits for ever fails its model.

#![cfg(test)]
#![allow(unexpected_cfgs, reason = "without the library's features, the tests in its files are left out")]
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "a failed step fails the model")]

mod flights;
mod lock;
mod near;
mod notify;
mod ticks;
mod watch;

mod observe {
    pub(crate) mod lock {
        pub(crate) use crate::lock::{Counter, Reporter};
    }
}
mod schema {
    pub(crate) use redis_keys::schema::Schema;
}

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};

use loom::sync::Notify;
use loom::thread::JoinHandle;
use redis_keys::Error;

pub(crate) use self::lock::SharedConnection;
use self::schema::Schema;

static SCHEMA: &Schema = <Model as redis_keys::RedisKey>::SCHEMA;

#[derive(redis_keys::RedisKey)]
#[redis_key(model:value:string, value = u64, ttl = 1h)]
struct Model;

/// Runs every interleaving with at most this many interruptions of threads: most faults need two, and few more than
/// three.
fn model(interruptions: usize, run: fn()) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(interruptions);
    builder.check(run);
}

fn all_end(threads: impl IntoIterator<Item = JoinHandle<()>>) {
    for thread in threads {
        thread.join().expect("it does not panic");
    }
}

struct Thread(Notify);

impl Wake for Thread {
    fn wake(self: Arc<Self>) {
        self.0.notify();
    }
}

/// Runs a future on this thread. The function of the same name in `loom` takes longer, because it also interleaves the
/// clones of wakers.
fn block_on<F: Future>(future: F) -> F::Output {
    let (mut future, thread) = (pin!(future), Arc::new(Thread(Notify::new())));
    let waker = Waker::from(Arc::clone(&thread));
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
            return output;
        }
        thread.0.wait();
    }
}

/// Waits for a reply: no task gets one in the poll that sends the command.
async fn reply() {
    let mut is_sent = false;
    poll_fn(|context| {
        if is_sent {
            return Poll::Ready(());
        }
        is_sent = true;
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

//! The methods of tokio's `watch` that the library uses, on a lock of `loom`.

use std::future::poll_fn;
use std::mem;
use std::ops::Deref;
use std::sync::{Arc, PoisonError};
use std::task::{Poll, Waker};

use loom::sync::{Mutex, MutexGuard};

pub(crate) struct Sender<T>(Channel<T>);

pub(crate) struct Receiver<T> {
    channel: Channel<T>,
    seen: u64,
}

type Channel<T> = Arc<Mutex<State<T>>>;

struct State<T> {
    value: T,
    version: u64,
    is_closed: bool,
    waiting: Vec<Waker>,
}

/// The value of a locked channel.
pub(crate) struct Value<'c, T>(MutexGuard<'c, State<T>>);

pub(crate) struct Closed;

pub(crate) fn channel<T>(value: T) -> (Sender<T>, Receiver<T>) {
    let sender = Sender::new(value);
    let receiver = sender.subscribe();
    (sender, receiver)
}

impl<T> Sender<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(Arc::new(Mutex::new(State { value, version: 0, is_closed: false, waiting: Vec::new() })))
    }

    pub(crate) fn subscribe(&self) -> Receiver<T> {
        Receiver { channel: Arc::clone(&self.0), seen: lock(&self.0).version }
    }

    pub(crate) fn borrow(&self) -> Value<'_, T> {
        Value(lock(&self.0))
    }

    pub(crate) fn send_replace(&self, value: T) {
        self.send_if_modified(|old| {
            *old = value;
            true
        });
    }

    pub(crate) fn send_if_modified(&self, modify: impl FnOnce(&mut T) -> bool) -> bool {
        let mut state = lock(&self.0);
        let is_modified = modify(&mut state.value);
        if is_modified {
            state.version += 1;
            wake_all(state);
        }
        is_modified
    }
}

impl<T: Default> Default for Sender<T> {
    fn default() -> Self {
        Self::new(T::default())
    }
}

impl<T> Drop for Sender<T> {
    fn drop(&mut self) {
        let mut state = lock(&self.0);
        state.is_closed = true;
        wake_all(state);
    }
}

impl<T> Receiver<T> {
    pub(crate) fn has_changed(&self) -> Result<bool, Closed> {
        let state = lock(&self.channel);
        if state.is_closed { Err(Closed) } else { Ok(state.version != self.seen) }
    }

    pub(crate) async fn changed(&mut self) -> Result<(), Closed> {
        let seen = self.seen;
        let version = self.wait_until(|state| state.version != seen).await?.0.version;
        self.seen = version;
        Ok(())
    }

    pub(crate) async fn wait_for(&mut self, mut is_met: impl FnMut(&T) -> bool) -> Result<Value<'_, T>, Closed> {
        self.wait_until(|state| is_met(&state.value)).await
    }

    async fn wait_until(&self, mut is_met: impl FnMut(&State<T>) -> bool) -> Result<Value<'_, T>, Closed> {
        poll_fn(|context| {
            let mut state = lock(&self.channel);
            if is_met(&state) {
                return Poll::Ready(Ok(Value(state)));
            }
            if state.is_closed {
                return Poll::Ready(Err(Closed));
            }
            state.waiting.push(context.waker().clone());
            Poll::Pending
        })
        .await
    }
}

impl<T> Clone for Receiver<T> {
    fn clone(&self) -> Self {
        Self { channel: Arc::clone(&self.channel), seen: self.seen }
    }
}

impl<T> Deref for Value<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0.value
    }
}

fn lock<T>(channel: &Channel<T>) -> MutexGuard<'_, State<T>> {
    channel.lock().unwrap_or_else(PoisonError::into_inner)
}

fn wake_all<T>(mut state: MutexGuard<'_, State<T>>) {
    let waiting = mem::take(&mut state.waiting);
    drop(state);
    waiting.into_iter().for_each(Waker::wake);
}

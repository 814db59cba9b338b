//! What was received and not yet read, up to a limit.

use std::collections::VecDeque;
use std::mem;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use crate::run::timer::wake;

/// The most messages that wait.
pub(super) const MAX_MESSAGES: usize = 1_000;

/// The most bytes of their contents.
const MAX_BYTES: usize = 16 * 1024 * 1024;

/// What is read, with the numbers of channels.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Item {
    Message(usize, Vec<u8>),
    Gap(Vec<usize>),
    Dropped(u64),
}

#[derive(Default)]
pub(super) struct Inbox(Mutex<State>);

#[derive(Default)]
struct State {
    items: VecDeque<Item>,
    /// The size of the messages among them.
    bytes: usize,
    /// The number of messages that were dropped behind them.
    dropped: u64,
    reader: Option<Waker>,
    is_closed: bool,
}

impl Inbox {
    /// Adds a message, or drops it.
    pub(super) fn add(&self, channel: usize, message: Vec<u8>) {
        let mut state = self.state();
        let bytes = state.bytes.saturating_add(message.len());
        if state.items.len() >= MAX_MESSAGES || bytes > MAX_BYTES {
            state.dropped = state.dropped.saturating_add(1);
            return state.wake();
        }
        state.end_dropped();
        state.bytes = bytes;
        state.items.push_back(Item::Message(channel, message));
        state.wake();
    }

    /// Says that messages of these channels may be missing.
    pub(super) fn add_gap(&self, channels: &[usize]) {
        let mut state = self.state();
        state.end_dropped();
        // While nobody reads, there is one for each message at most.
        if let Some(Item::Gap(last)) = state.items.back_mut() {
            let new: Vec<_> = channels.iter().copied().filter(|channel| !last.contains(channel)).collect();
            last.extend(new);
        } else {
            state.items.push_back(Item::Gap(channels.to_vec()));
        }
        state.wake();
    }

    /// Ends the stream behind what was received.
    pub(super) fn close(&self) {
        let mut state = self.state();
        state.is_closed = true;
        state.wake();
    }

    pub(super) fn poll(&self, context: &Context<'_>) -> Poll<Option<Item>> {
        let mut state = self.state();
        if state.items.is_empty() {
            state.end_dropped();
        }
        match state.items.pop_front() {
            Some(item) => {
                if let Item::Message(_, message) = &item {
                    state.bytes = state.bytes.saturating_sub(message.len());
                }
                Poll::Ready(Some(item))
            }
            None if state.is_closed => Poll::Ready(None),
            None => {
                state.reader = Some(context.waker().clone());
                Poll::Pending
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Counts what was dropped as one item.
    fn end_dropped(&mut self) {
        if self.dropped > 0 {
            self.items.push_back(Item::Dropped(mem::take(&mut self.dropped)));
        }
    }

    fn wake(&mut self) {
        self.reader.take().into_iter().for_each(wake);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(inbox: &Inbox) -> Option<Item> {
        match inbox.poll(&Context::from_waker(Waker::noop())) {
            Poll::Ready(item) => item,
            Poll::Pending => None,
        }
    }

    #[test]
    fn a_slow_reader_is_told_where_messages_were_dropped() {
        let inbox = Inbox::default();
        (0..MAX_MESSAGES + 3).for_each(|number| inbox.add(number, vec![1]));
        assert_eq!(read(&inbox), Some(Item::Message(0, vec![1])));
        assert_eq!(read(&inbox), Some(Item::Message(1, vec![1])));
        inbox.add(7, vec![7]);
        (2..MAX_MESSAGES).for_each(|number| assert_eq!(read(&inbox), Some(Item::Message(number, vec![1]))));
        assert_eq!(read(&inbox), Some(Item::Dropped(3)));
        assert_eq!(read(&inbox), Some(Item::Message(7, vec![7])));
        assert_eq!(read(&inbox), None);
    }

    #[test]
    fn messages_are_limited_by_their_size_too() {
        let inbox = Inbox::default();
        inbox.add(0, vec![0; MAX_BYTES - 1]);
        inbox.add(1, vec![0; 2]);
        inbox.add(2, vec![0; 1]);
        assert!(matches!(read(&inbox), Some(Item::Message(0, _))));
        assert_eq!(read(&inbox), Some(Item::Dropped(1)));
        assert_eq!(read(&inbox), Some(Item::Message(2, vec![0])));
        inbox.add(3, vec![0; MAX_BYTES + 1]);
        assert_eq!((read(&inbox), read(&inbox)), (Some(Item::Dropped(1)), None));
    }

    #[test]
    fn gaps_without_messages_between_them_are_one() {
        let inbox = Inbox::default();
        inbox.add_gap(&[0, 1]);
        inbox.add_gap(&[1, 2]);
        inbox.add(0, vec![]);
        inbox.add_gap(&[0]);
        inbox.close();
        let gaps = [Item::Gap(vec![0, 1, 2]), Item::Message(0, vec![]), Item::Gap(vec![0])];
        assert_eq!([read(&inbox), read(&inbox), read(&inbox)], gaps.map(Some));
        assert_eq!(inbox.poll(&Context::from_waker(Waker::noop())), Poll::Ready(None));
    }
}

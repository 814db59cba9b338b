//! The items that were received and not read yet, up to a limit.

use std::collections::VecDeque;
use std::mem;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use crate::run::timer::wake;

/// The most messages that wait.
const MAX_MESSAGES: usize = 1_000;

/// The most bytes of their contents.
const MAX_BYTES: usize = 16 * 1024 * 1024;

/// A received item, with the numbers of its channels.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Item {
    Message(usize, Vec<u8>),
    Gap(Vec<usize>),
    Dropped(u64),
}

/// Items up to the limits. Messages beyond them are counted.
#[derive(Default)]
pub(super) struct Queue {
    items: VecDeque<Item>,
    /// The size of the messages among them.
    bytes: usize,
    /// The channels whose messages may be missing behind these items.
    gap: Vec<usize>,
    /// The number of messages that were dropped behind these items.
    dropped: u64,
}

impl Queue {
    /// Adds a message, or drops it.
    pub(super) fn add(&mut self, channel: usize, message: Vec<u8>) {
        let bytes = self.bytes.saturating_add(message.len());
        if self.items.len() >= MAX_MESSAGES || bytes > MAX_BYTES {
            self.dropped = self.dropped.saturating_add(1);
            return;
        }
        self.end_missing();
        self.bytes = bytes;
        self.items.push_back(Item::Message(channel, message));
    }

    /// Adds at most two items between two messages, so that the queue stays small while it is not read.
    fn end_missing(&mut self) {
        if !self.gap.is_empty() {
            self.items.push_back(Item::Gap(mem::take(&mut self.gap)));
        }
        if self.dropped > 0 {
            self.items.push_back(Item::Dropped(mem::take(&mut self.dropped)));
        }
    }

    fn add_gap(&mut self, channels: &[usize]) {
        for channel in channels {
            if !self.gap.contains(channel) {
                self.gap.push(*channel);
            }
        }
    }

    fn pop(&mut self) -> Option<Item> {
        if self.items.is_empty() {
            self.end_missing();
        }
        let item = self.items.pop_front()?;
        if let Item::Message(_, message) = &item {
            self.bytes = self.bytes.saturating_sub(message.len());
        }
        Some(item)
    }

    /// Adds another queue's items behind the items of this queue.
    fn append(&mut self, other: Self) {
        for item in other.items {
            match item {
                Item::Message(channel, message) => self.add(channel, message),
                Item::Gap(channels) => self.add_gap(&channels),
                Item::Dropped(count) => self.dropped = self.dropped.saturating_add(count),
            }
        }
        self.add_gap(&other.gap);
        self.dropped = self.dropped.saturating_add(other.dropped);
    }
}

/// The queue that a subscriber reads and its connections fill.
#[derive(Default)]
pub(super) struct Inbox(Mutex<State>);

#[derive(Default)]
struct State {
    queue: Queue,
    reader: Option<Waker>,
    is_closed: bool,
}

impl Inbox {
    /// Adds a message of a connection, unless the connection is lost.
    pub(super) fn add(&self, is_lost: &AtomicBool, channel: usize, message: Vec<u8>) {
        self.change(|state| {
            // Checked here, so that no message of a lost connection follows the gap that another connection has added.
            if !is_lost.load(Relaxed) {
                state.queue.add(channel, message);
            }
        });
    }

    /// Says that messages of these channels may be missing, and adds the messages received since the subscription.
    pub(super) fn begin(&self, gap: &[usize], early: Queue) {
        self.change(|state| {
            state.queue.add_gap(gap);
            state.queue.append(early);
        });
    }

    /// Ends the stream behind the received items.
    pub(super) fn close(&self) {
        self.change(|state| state.is_closed = true);
    }

    pub(super) fn poll(&self, context: &Context<'_>) -> Poll<Option<Item>> {
        let mut state = self.state();
        match state.queue.pop() {
            Some(item) => Poll::Ready(Some(item)),
            None if state.is_closed => Poll::Ready(None),
            None => {
                state.reader = Some(context.waker().clone());
                Poll::Pending
            }
        }
    }

    /// Changes the state, and wakes the reader.
    fn change(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.state();
        change(&mut state);
        let reader = state.reader.take();
        drop(state);
        reader.into_iter().for_each(wake);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Inbox {
        fn receive(&self, channel: usize, message: Vec<u8>) {
            self.add(&AtomicBool::new(false), channel, message);
        }

        fn add_gap(&self, channels: &[usize]) {
            self.begin(channels, Queue::default());
        }

        fn read(&self) -> Option<Item> {
            match self.poll(&Context::from_waker(Waker::noop())) {
                Poll::Ready(item) => item,
                Poll::Pending => None,
            }
        }
    }

    #[test]
    fn dropped_messages_are_counted_in_their_place() {
        let inbox = Inbox::default();
        (0..MAX_MESSAGES + 3).for_each(|number| inbox.receive(number, vec![1]));
        assert_eq!(inbox.read(), Some(Item::Message(0, vec![1])));
        assert_eq!(inbox.read(), Some(Item::Message(1, vec![1])));
        inbox.receive(7, vec![7]);
        (2..MAX_MESSAGES).for_each(|number| assert_eq!(inbox.read(), Some(Item::Message(number, vec![1]))));
        assert_eq!(inbox.read(), Some(Item::Dropped(3)));
        assert_eq!(inbox.read(), Some(Item::Message(7, vec![7])));
        assert_eq!(inbox.read(), None);
    }

    #[test]
    fn messages_are_limited_by_their_size_too() {
        let inbox = Inbox::default();
        inbox.receive(0, vec![0; MAX_BYTES - 1]);
        inbox.receive(1, vec![0; 2]);
        inbox.receive(2, vec![0; 1]);
        assert!(matches!(inbox.read(), Some(Item::Message(0, _))));
        assert_eq!(inbox.read(), Some(Item::Dropped(1)));
        assert_eq!(inbox.read(), Some(Item::Message(2, vec![0])));
        inbox.receive(3, vec![0; MAX_BYTES + 1]);
        assert_eq!((inbox.read(), inbox.read()), (Some(Item::Dropped(1)), None));
    }

    #[test]
    fn gaps_without_messages_between_them_are_one() {
        let inbox = Inbox::default();
        inbox.add_gap(&[0, 1]);
        inbox.add_gap(&[1, 2]);
        inbox.receive(0, vec![]);
        inbox.add_gap(&[0]);
        inbox.close();
        let gaps = [Item::Gap(vec![0, 1, 2]), Item::Message(0, vec![]), Item::Gap(vec![0])];
        assert_eq!([inbox.read(), inbox.read(), inbox.read()], gaps.map(Some));
        assert_eq!(inbox.poll(&Context::from_waker(Waker::noop())), Poll::Ready(None));
    }

    #[test]
    fn a_full_queue_stays_as_it_is_while_connections_come_and_go() {
        let inbox = Inbox::default();
        (0..MAX_MESSAGES).for_each(|number| inbox.receive(number, vec![]));
        for _ in 0..100 {
            inbox.add_gap(&[3]);
            inbox.receive(1, vec![]);
        }
        assert_eq!(inbox.state().queue.items.len(), MAX_MESSAGES);
        (0..MAX_MESSAGES).for_each(|number| assert_eq!(inbox.read(), Some(Item::Message(number, vec![]))));
        let end = [Some(Item::Gap(vec![3])), Some(Item::Dropped(100)), None];
        assert_eq!([inbox.read(), inbox.read(), inbox.read()], end);
    }

    #[test]
    fn messages_of_lost_connections_are_not_received() {
        let inbox = Inbox::default();
        inbox.add(&AtomicBool::new(true), 0, vec![]);
        assert_eq!(inbox.read(), None);
    }

    #[test]
    fn early_messages_follow_the_gap_and_are_limited() {
        let (inbox, mut early) = (Inbox::default(), Queue::default());
        (0..MAX_MESSAGES + 2).for_each(|number| early.add(number, vec![]));
        inbox.begin(&[5], early);
        assert_eq!(inbox.read(), Some(Item::Gap(vec![5])));
        // The gap counts.
        (0..MAX_MESSAGES - 1).for_each(|number| assert_eq!(inbox.read(), Some(Item::Message(number, vec![]))));
        assert_eq!((inbox.read(), inbox.read()), (Some(Item::Dropped(3)), None));
    }
}

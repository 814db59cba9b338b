//! Loads that calls of one process share.
//!
//! The first call that misses a key leads a flight, and others join it. **By key alone they would get values that are older than an
//! invalidation which ended before they asked.** So a call joins only
//!
//! - a flight whose claim is under way: its load has not begun;
//! - a flight whose token the call has itself read from the server: the load began after every invalidation that the call can
//!   know of, since an invalidation removes the token;
//! - a flight that is later than one which the call had joined before, and which gave it no result: the call is older than that load;
//! - any flight, if the server is away (the breaker is open) or replies with errors, and a flight to which it has refused a lease:
//!   a full server, or a replica. Then nothing better is known, and the source of the values needs the protection most.

use std::{
    any::Any,
    collections::HashMap,
    future::{Future, poll_fn},
    pin::Pin,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    task::Poll,
};

use tokio::sync::watch;

use super::Token;

/// The flights of a process, by the text of the key.
#[derive(Default)]
pub(super) struct Flights {
    by_key: Mutex<HashMap<Box<str>, Entry>>,
    /// How many there have been.
    count: AtomicU64,
}

struct Entry {
    /// Later flights have higher numbers.
    number: u64,
    phase: Phase,
    outcome: watch::Receiver<Option<Outcome>>,
}

/// How far a flight is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// Its claim is under way.
    Claiming,
    /// It loads with this token, or waits for the program that does.
    Leased(Token),
    /// It loads without a lease, since the server does not answer, or after it has waited in vain for others.
    Unleased,
    /// It loads without a lease, which the server has refused.
    Refused,
}

/// What a call knows of a key that has no value for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seen {
    /// The key did not exist when it was read.
    Missing,
    /// Somebody loads it.
    Leased(Token),
    /// Nothing, since this command got no reply. Other calls may have one, and others can invalidate the key.
    Unanswered,
    /// Nothing: the server is away, or replies with an error.
    Nothing,
}

/// How a flight ended.
#[derive(Clone)]
pub(super) enum Outcome {
    /// With this content of the key.
    Content(Arc<[u8]>),
    /// With the error of the loader.
    Failed(Arc<dyn Any + Send + Sync>),
    /// With a value that was there already, perhaps for longer than those who joined wait for it: they read again.
    ReadAgain,
    /// With a value that cannot be shared: each loads its own.
    LoadAlone,
}

/// The place of a call in the flights.
pub(super) enum Place<'f> {
    Leader(Flight<'f>),
    Follower(u64, Waiting),
}

/// Waits for the end of a flight. `None` if its leader has gone.
pub(super) type Waiting = Pin<Box<dyn Future<Output = Option<Outcome>> + Send>>;

/// A flight, for the call that leads it. Dropping it ends the flight: those who joined go on by themselves.
pub(super) struct Flight<'f> {
    flights: &'f Flights,
    number: u64,
    key: Box<str>,
    outcome: watch::Sender<Option<Outcome>>,
}

impl Flights {
    /// Joins the flight of a key, or leads a new one. `left` is the last flight that the call had joined before.
    pub(super) fn enter(&self, key: &str, seen: Seen, left: Option<u64>) -> Place<'_> {
        let mut by_key = self.lock();
        if let Some(entry) = by_key.get(key).filter(|entry| entry.is_joined_by(seen, left)) {
            return Place::Follower(entry.number, Box::pin(outcome(entry.outcome.clone())));
        }
        let (sender, receiver) = watch::channel(None);
        let number = self.count.fetch_add(1, Relaxed);
        by_key.insert(key.into(), Entry { number, phase: Phase::Claiming, outcome: receiver });
        Place::Leader(Flight { flights: self, number, key: key.into(), outcome: sender })
    }

    /// Lets nobody join the flight of a key any more.
    pub(super) fn close(&self, key: &str) {
        self.lock().remove(key);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Box<str>, Entry>> {
        // Nothing panics while it is locked.
        self.by_key.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Entry {
    fn is_joined_by(&self, seen: Seen, left: Option<u64>) -> bool {
        // The leader of a closed channel is gone, and its entry will be.
        let is_flying = self.outcome.has_changed().is_ok();
        is_flying
            && match (self.phase, seen) {
                _ if left.is_some_and(|left| self.number > left) => true,
                (Phase::Leased(token), Seen::Leased(seen)) => token == seen,
                // Its leader may never end.
                _ if left == Some(self.number) => false,
                (Phase::Claiming | Phase::Refused, _) | (_, Seen::Nothing) => true,
                (Phase::Leased(_) | Phase::Unleased, _) => false,
            }
    }
}

impl Flight<'_> {
    /// Sets how far the flight is.
    pub(super) fn set_phase(&self, phase: Phase) {
        let mut by_key = self.flights.lock();
        if let Some(entry) = by_key.get_mut(&self.key).filter(|entry| self.leads(entry)) {
            entry.phase = phase;
        }
    }

    /// Tells the others how it ended. Until it is dropped, more can join.
    pub(super) fn end(&self, outcome: Outcome) {
        self.outcome.send_replace(Some(outcome));
    }

    /// Whether an entry is of this flight: a call that must not join it replaces it.
    fn leads(&self, entry: &Entry) -> bool {
        entry.number == self.number
    }
}

impl Drop for Flight<'_> {
    fn drop(&mut self) {
        let mut by_key = self.flights.lock();
        if by_key.get(&self.key).is_some_and(|entry| self.leads(entry)) {
            by_key.remove(&self.key);
        }
    }
}

async fn outcome(mut flight: watch::Receiver<Option<Outcome>>) -> Option<Outcome> {
    let ended = flight.wait_for(Option::is_some).await;
    ended.ok().and_then(|outcome| outcome.clone())
}

/// Waits for the first of these flights that ends. `None` if all their leaders have gone.
pub(super) async fn first_outcome(flights: &mut Vec<Waiting>) -> Option<Outcome> {
    poll_fn(|context| {
        let mut first = None;
        flights.retain_mut(|flight| match flight.as_mut().poll(context) {
            Poll::Ready(outcome) => {
                first = first.take().or(outcome);
                false
            }
            Poll::Pending => true,
        });
        if first.is_some() || flights.is_empty() { Poll::Ready(first) } else { Poll::Pending }
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_joins_what_began_after_every_invalidation_that_it_can_know_of() {
        let (mine, other) = (Token::random(), Token::random());
        let seen = [Seen::Missing, Seen::Leased(mine), Seen::Leased(other), Seen::Unanswered, Seen::Nothing];
        for (phase, joins) in [
            (Phase::Claiming, [true; 5]),
            (Phase::Leased(mine), [false, true, false, false, true]),
            (Phase::Unleased, [false, false, false, false, true]),
            (Phase::Refused, [true; 5]),
        ] {
            let flights = Flights::default();
            let Place::Leader(leader) = flights.enter("key", Seen::Missing, None) else { panic!("there is no flight") };
            leader.set_phase(phase);
            let joined = seen.map(|seen| flights.lock().get("key").unwrap().is_joined_by(seen, None));
            assert_eq!(joined, joins, "{phase:?}");
        }
    }

    #[test]
    fn a_call_that_has_left_a_flight_joins_a_later_one() {
        let flights = Flights::default();
        let Place::Leader(first) = flights.enter("key", Seen::Missing, None) else { panic!("there is no flight") };
        let Place::Follower(left, _) = flights.enter("key", Seen::Missing, None) else { panic!("it is claiming") };
        let second = flights.enter("key", Seen::Nothing, Some(left));
        assert!(matches!(second, Place::Leader(_)), "the same flight may never end");
        drop(first);
        if let Place::Leader(second) = &second {
            second.set_phase(Phase::Unleased);
        }
        assert!(matches!(flights.enter("key", Seen::Missing, Some(left)), Place::Follower(..)));
        assert!(matches!(flights.enter("key", Seen::Missing, None), Place::Leader(_)));
    }

    #[test]
    fn nobody_joins_a_flight_without_a_leader() {
        let flights = Flights::default();
        drop(flights.enter("key", Seen::Missing, None));
        assert!(flights.lock().is_empty());
        assert!(matches!(flights.enter("key", Seen::Nothing, None), Place::Leader(_)));
    }
}

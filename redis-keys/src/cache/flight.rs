//! Loads that calls in a process share.
//!
//! The first call that misses a key leads a flight, and others join it. **Joining by key alone could return a value
//! that is older than an invalidation which ended before the call began.** So a call joins only
//!
//! - a flight whose claim is under way: its load has not begun;
//! - a flight whose token the call has read from the server. An invalidation removes the token, so the load began after
//!   every invalidation that the call can know about;
//! - a flight that is later than a flight which the call had joined before without getting a result, because the call
//!   is older than the later load;
//! - any flight, if the server is unreachable (the breaker is open) or replies with errors; and a flight that was
//!   refused a lease, if the server refuses this call too, for example because the server is full or a replica. Better
//!   information is not available then, and the source of the values needs the protection most.

use std::any::Any;
use std::collections::HashMap;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, PoisonError};
use std::task::Poll;

use super::Token;
use super::sync::{AtomicU64, Mutex, MutexGuard, watch};

/// The flights of a process, indexed by the text of the key.
#[derive(Default)]
pub(super) struct Flights {
    by_key: Mutex<HashMap<Box<str>, OpenFlight>>,
    /// The number of flights so far.
    count: AtomicU64,
}

struct OpenFlight {
    /// The flight's number; later flights have higher numbers.
    number: u64,
    phase: FlightPhase,
    outcome: watch::Receiver<Option<FlightResult>>,
}

/// The phase of a flight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FlightPhase {
    /// Its claim is under way.
    Claiming,
    /// It loads with this token, or waits for the program that holds it.
    Leased(Token),
    /// It loads without a lease: the server does not answer, or others took too long.
    Unleased,
    /// It loads without a lease, which the server has refused.
    Refused,
}

/// The state of a key without a usable value, as a call has seen it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Miss {
    /// Unknown: the key was not read. A claim reads it too.
    Unread,
    /// The key did not exist when it was read.
    Missing,
    /// Another call loads it.
    Leased(Token),
    /// Unknown: this command got no reply. Other calls may get replies, and others can invalidate the key.
    Unanswered,
    /// Unknown: the server is unreachable, or replies with an error.
    NoServer,
    /// Its bytes do not decode.
    Undecodable,
    /// It is leased to this call.
    Claimed,
    /// The server has refused a lease to this call.
    Refused,
}

/// The outcome of a flight.
#[derive(Clone)]
pub(super) enum FlightResult {
    /// The load ended with this content of the key.
    Content(Arc<[u8]>),
    /// The loader failed with this error.
    Failed(Arc<dyn Any + Send + Sync>),
    /// A value existed already, perhaps for longer than the followers have waited: they read again.
    ReadAgain,
    /// The value cannot be shared: each follower loads alone.
    LoadAlone,
}

/// The position of a call relative to a flight.
pub(super) enum FlightEntry<'f> {
    Leader(Flight<'f>),
    Follower(u64, Waiting),
    /// The server refused a lease to the flight. The call follows it if its own claim is refused too.
    Undecided,
}

/// Waits for the end of a flight; `None` if the leader has gone.
pub(super) type Waiting = Pin<Box<dyn Future<Output = Option<FlightResult>> + Send>>;

/// A flight, held by the call that leads it. Dropping it ends the flight, and the followers continue without it.
pub(super) struct Flight<'f> {
    flights: &'f Flights,
    number: u64,
    key: Box<str>,
    outcome: watch::Sender<Option<FlightResult>>,
}

impl Flights {
    /// Joins the flight of a key, or leads a new one. `left` is the last flight that the call had joined before.
    pub(super) fn enter(&self, key: &str, seen: Miss, left: Option<u64>) -> FlightEntry<'_> {
        let mut by_key = self.lock();
        match by_key.get(key) {
            Some(entry) if entry.is_joined_by(seen, left) => {
                return FlightEntry::Follower(entry.number, Box::pin(outcome(entry.outcome.clone())));
            }
            Some(entry) if entry.phase == FlightPhase::Refused && matches!(seen, Miss::Missing | Miss::Undecodable) => {
                return FlightEntry::Undecided;
            }
            _ => {}
        }
        FlightEntry::Leader(self.open(&mut by_key, key))
    }

    /// Leads a flight for a key without a flight.
    pub(super) fn lead(&self, key: &str) -> Option<Flight<'_>> {
        let mut by_key = self.lock();
        let is_flying = by_key.get(key).is_some_and(OpenFlight::is_flying);
        (!is_flying).then(|| self.open(&mut by_key, key))
    }

    fn open(&self, by_key: &mut HashMap<Box<str>, OpenFlight>, key: &str) -> Flight<'_> {
        let (sender, receiver) = watch::channel(None);
        let number = self.count.fetch_add(1, Relaxed);
        by_key.insert(key.into(), OpenFlight { number, phase: FlightPhase::Claiming, outcome: receiver });
        Flight { flights: self, number, key: key.into(), outcome: sender }
    }

    /// Closes the flight of a key to new callers.
    pub(super) fn close(&self, key: &str) {
        self.lock().remove(key);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Box<str>, OpenFlight>> {
        // No code panics while it is locked.
        self.by_key.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OpenFlight {
    /// Whether the leader still exists. A closed channel means that it is gone, and the entry will be removed.
    fn is_flying(&self) -> bool {
        self.outcome.has_changed().is_ok()
    }

    fn is_joined_by(&self, seen: Miss, left: Option<u64>) -> bool {
        self.is_flying()
            && match (self.phase, seen) {
                (_, Miss::Claimed) => false,
                _ if left.is_some_and(|left| self.number > left) => true,
                (FlightPhase::Leased(token), Miss::Leased(seen)) => token == seen,
                // The leader may hang.
                _ if left == Some(self.number) => false,
                (FlightPhase::Claiming, _) | (_, Miss::NoServer) | (FlightPhase::Refused, Miss::Refused) => true,
                (FlightPhase::Leased(_) | FlightPhase::Unleased | FlightPhase::Refused, _) => false,
            }
    }
}

impl Flight<'_> {
    /// Sets the phase.
    pub(super) fn set_phase(&self, phase: FlightPhase) {
        let mut by_key = self.flights.lock();
        if let Some(entry) = by_key.get_mut(&self.key).filter(|entry| self.leads(entry)) {
            entry.phase = phase;
        }
    }

    /// Publishes the outcome. Until the flight is dropped, more can join.
    pub(super) fn end(&self, outcome: FlightResult) {
        self.outcome.send_replace(Some(outcome));
    }

    /// Returns whether an entry belongs to this flight. A call that must not join a flight replaces its entry.
    fn leads(&self, entry: &OpenFlight) -> bool {
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

async fn outcome(mut flight: watch::Receiver<Option<FlightResult>>) -> Option<FlightResult> {
    let ended = flight.wait_for(Option::is_some).await;
    ended.ok().and_then(|outcome| outcome.clone())
}

/// Waits for the first of these flights that ends; `None` if all their leaders have gone.
pub(super) async fn first_outcome(flights: &mut Vec<Waiting>) -> Option<FlightResult> {
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

#[cfg(all(test, feature = "cache"))]
mod tests {
    use super::*;

    #[test]
    fn a_call_joins_what_began_after_every_invalidation_that_it_can_know_of() {
        let (mine, other) = (Token::random(), Token::random());
        let seen = [
            Miss::Missing,
            Miss::Leased(mine),
            Miss::Leased(other),
            Miss::Unanswered,
            Miss::NoServer,
            Miss::Undecodable,
            Miss::Refused,
            Miss::Claimed,
        ];
        for (phase, joins) in [
            (FlightPhase::Claiming, [true, true, true, true, true, true, true, false]),
            (FlightPhase::Leased(mine), [false, true, false, false, true, false, false, false]),
            (FlightPhase::Unleased, [false, false, false, false, true, false, false, false]),
            (FlightPhase::Refused, [false, false, false, false, true, false, true, false]),
        ] {
            let flights = Flights::default();
            let FlightEntry::Leader(leader) = flights.enter("key", Miss::Missing, None) else {
                panic!("there is no flight")
            };
            leader.set_phase(phase);
            let joined = seen.map(|seen| flights.lock().get("key").unwrap().is_joined_by(seen, None));
            assert_eq!(joined, joins, "{phase:?}");
        }
    }

    #[test]
    fn a_call_that_has_left_a_flight_joins_a_later_one() {
        let flights = Flights::default();
        let FlightEntry::Leader(first) = flights.enter("key", Miss::Missing, None) else {
            panic!("there is no flight")
        };
        let FlightEntry::Follower(left, _) = flights.enter("key", Miss::Missing, None) else {
            panic!("it is claiming")
        };
        let second = flights.enter("key", Miss::NoServer, Some(left));
        assert!(matches!(second, FlightEntry::Leader(_)), "the same flight may never end");
        drop(first);
        if let FlightEntry::Leader(second) = &second {
            second.set_phase(FlightPhase::Unleased);
        }
        assert!(matches!(flights.enter("key", Miss::Missing, Some(left)), FlightEntry::Follower(..)));
        assert!(matches!(flights.enter("key", Miss::Missing, None), FlightEntry::Leader(_)));
    }

    #[test]
    fn nobody_joins_a_flight_without_a_leader() {
        let flights = Flights::default();
        drop(flights.enter("key", Miss::Missing, None));
        assert!(flights.lock().is_empty());
        assert!(matches!(flights.enter("key", Miss::NoServer, None), FlightEntry::Leader(_)));
    }
}

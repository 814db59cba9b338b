//! Flights of a cache: once an invalidation has returned, no call gets a value that was loaded before it, and no call
//! waits for a leader that is gone.
//!
//! A call takes the steps of `load.rs`. The server is a mutex, so each command is one step. A call that finds another's
//! lease loads without a lease, as if it had waited too long.

#![allow(dead_code, reason = "a model needs a part of each file")]

#[path = "../../../redis-keys/src/cache/flight.rs"]
mod flight;
mod sync {
    pub(super) use loom::sync::atomic::AtomicU64;
    pub(super) use loom::sync::{Mutex, MutexGuard};

    pub(super) use crate::watch;
}

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::SeqCst;
use std::sync::{Arc, PoisonError};

use loom::sync::atomic::AtomicU8;
use loom::sync::{Mutex, MutexGuard};
use loom::thread;
use redis_keys::cache::Token;

use self::flight::{Flight, FlightEntry, FlightPhase, FlightResult, Flights, Miss, first_outcome};
use crate::{all_end, block_on, model};

const KEY: &str = "model:value:string";

/// The content of the key.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Content {
    Empty,
    Lease(Token),
    Value(u8),
}

/// A server with one key, the database whose first value is 1, and a process that loads it.
struct Process {
    /// `None` while the server is unreachable.
    server: Mutex<Option<Content>>,
    database: AtomicU8,
    flights: Flights,
    /// The number of tokens so far, counted in no step of its own.
    tokens: AtomicU64,
}

impl Process {
    fn new() -> Arc<Self> {
        let server = Mutex::new(Some(Content::Empty));
        let database = AtomicU8::new(1);
        Arc::new(Self { server, database, flights: Flights::default(), tokens: AtomicU64::default() })
    }

    fn server(&self) -> MutexGuard<'_, Option<Content>> {
        self.server.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A call of `get_or_load`.
    fn call(&self) -> u8 {
        let (mut joined, mut left) = (Vec::new(), None);
        let mut seen = match self.read() {
            Ok(value) => return value,
            Err(seen) => seen,
        };
        loop {
            match self.flights.enter(KEY, seen, left) {
                FlightEntry::Leader(flight) => return self.lead(&flight, seen),
                FlightEntry::Follower(number, flight) => {
                    joined.push(flight);
                    left = Some(number);
                }
                FlightEntry::Undecided => panic!("the server refuses nothing"),
            }
            match block_on(first_outcome(&mut joined)) {
                Some(FlightResult::Content(content)) => return content[0],
                Some(FlightResult::ReadAgain) => match self.read() {
                    Ok(value) => return value,
                    Err(again) => seen = again,
                },
                Some(_) => panic!("a loader does not fail, and each value is stored"),
                None => {}
            }
        }
    }

    fn read(&self) -> Result<u8, Miss> {
        match *self.server() {
            Some(Content::Value(value)) => Ok(value),
            Some(Content::Lease(token)) => Err(Miss::Leased(token)),
            Some(Content::Empty) => Err(Miss::Missing),
            None => Err(Miss::NoServer),
        }
    }

    fn lead(&self, flight: &Flight<'_>, seen: Miss) -> u8 {
        let token = Token::from(u128::from(self.tokens.fetch_add(1, SeqCst)).to_be_bytes());
        let claimed = if seen == Miss::NoServer { None } else { self.claim(token) };
        if let Some(Content::Value(value)) = claimed {
            flight.end(FlightResult::ReadAgain);
            return value;
        }
        let is_leased = claimed == Some(Content::Lease(token));
        flight.set_phase(if is_leased { FlightPhase::Leased(token) } else { FlightPhase::Unleased });
        let value = self.database.load(SeqCst);
        flight.end(FlightResult::Content(Arc::new([value])));
        if is_leased {
            self.fill(token, value);
        }
        value
    }

    fn claim(&self, token: Token) -> Option<Content> {
        let mut server = self.server();
        if *server == Some(Content::Empty) {
            *server = Some(Content::Lease(token));
        }
        *server
    }

    fn fill(&self, token: Token, value: u8) {
        let mut server = self.server();
        if *server == Some(Content::Lease(token)) {
            *server = Some(Content::Value(value));
        }
    }

    /// A change of the database, and its invalidation by another process.
    fn change(&self) {
        self.database.store(2, SeqCst);
        *self.server() = Some(Content::Empty);
    }

    /// A change of the database, and its invalidation by this process.
    fn change_here(&self) {
        self.change();
        self.flights.close(KEY);
    }
}

fn spawn<T: 'static>(process: &Arc<Process>, run: fn(&Process) -> T) -> thread::JoinHandle<()> {
    let process = Arc::clone(process);
    thread::spawn(move || drop(run(&process)))
}

#[test]
fn a_call_after_an_invalidation_gets_no_value_that_was_loaded_before() {
    model(2, || {
        let process = Process::new();
        let calls = [spawn(&process, Process::call), spawn(&process, Process::call)];
        process.change();
        assert_eq!(process.call(), 2);
        all_end(calls);
        assert_ne!(*process.server(), Some(Content::Value(1)), "it was filled after the invalidation");
    });
}

#[test]
fn nor_does_it_if_the_server_is_unreachable_by_then() {
    model(2, || {
        let process = Process::new();
        let calls = [spawn(&process, Process::call), spawn(&process, Process::call)];
        process.change_here();
        *process.server() = None;
        assert_eq!(process.call(), 2);
        all_end(calls);
    });
}

#[test]
fn a_call_does_not_wait_for_a_leader_that_is_gone() {
    model(2, || {
        let process = Process::new();
        let dropped = spawn(&process, |process| drop(process.flights.enter(KEY, Miss::Missing, None)));
        let call = spawn(&process, Process::call);
        assert_eq!(process.call(), 1);
        all_end([dropped, call]);
        assert!(process.flights.lead(KEY).is_some());
    });
}

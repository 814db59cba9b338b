//! Copies of cached keys in the memory of the process, for keys with `near`.
//!
//! A copy is served if its time is not over and its **era** is alive. An era is a period in which a tracked connection
//! has lost no invalidation. It ends with the connection and with a flush. It is alive while the server has answered a
//! command that was sent within the last two seconds.
//!
//! A call without a copy reads over the tracked connection with a **ticket**. Any event that removes the key from the
//! table in the meantime also removes the ticket, so an outdated value is never kept.
//!
//! | state of a slot | call | reply to the ticket's read | push of the key, own write | flush, connection lost | time over | evicted | call dropped |
//! |---|---|---|---|---|---|---|---|
//! | empty | → reading | | | | | | |
//! | reading | reads too, without a ticket | → copy, or empty without a value or marker | → empty | copy of a dead era, never served | | → empty | → empty |
//! | copy | is served; one call renews it: → copy and reading | | → empty | not served | not served: → copy and reading | → empty | |
//! | copy and reading | is served | → copy | → empty | as both | as both | → empty | → copy |
//!
//! [`shard`] and [`table`] hold the slots, [`era`] the eras, [`links`] the connections, and [`waiters`] the calls that
//! wait until another program has loaded a key. The calls are in `load_near.rs`.

#![allow(clippy::option_option, reason = "a copy can say that there is no value")]

mod era;
mod links;
mod shard;
mod sync;
mod table;
#[cfg(test)]
mod tests;
mod waiters;

use std::any::Any;
use std::future::Future;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Weak};
use std::thread::available_parallelism;

use era::Eras;
pub(crate) use era::{nanos, now};
pub(crate) use links::Link;
use links::Links;
pub(crate) use shard::NearCopy;
use table::Table;
pub(crate) use waiters::Waiter;
use waiters::Waiters;

use super::flight::Flights;
use super::near_value::SharedValue;
use crate::command::own_writes::{self, KeyCopies};
use crate::observe::near::{self as observe, Counter, Counters, Stats};
use crate::schema::Schema;

/// The copies of a cache, and the connections and eras that keep them valid.
pub(super) struct NearCopies {
    pub(super) table: Table,
    pub(super) links: Links,
    pub(super) counters: Counters,
    pub(super) waiters: Waiters,
    /// The loads of the cache, which later calls must not join after an own write.
    flights: Arc<Flights>,
    reported_bytes: AtomicU64,
}

impl Drop for NearCopies {
    fn drop(&mut self) {
        self.report_hits();
        self.report_bytes(0);
    }
}

impl KeyCopies for NearCopies {
    fn forget(&self, key: &str) {
        self.invalidate(key.as_bytes());
        // A load may have read the source before the write, and the server may not tell the calls apart: while it is
        // full, a call joins a load that has no lease either.
        self.flights.close(key);
    }
}

impl NearCopies {
    /// Creates a table of about `max_bytes` for a connection's server or cluster.
    pub(super) fn new(con: &dyn Any, max_bytes: usize, flights: &Arc<Flights>) -> Arc<Self> {
        let threads = available_parallelism().map_or(4, usize::from);
        let copies = Arc::new(Self {
            table: Table::new(max_bytes, threads),
            links: Links::new(con),
            counters: Counters::default(),
            waiters: Waiters::default(),
            flights: Arc::clone(flights),
            reported_bytes: AtomicU64::new(0),
        });
        let registered: Weak<Self> = Arc::downgrade(&copies);
        own_writes::register(registered);
        copies
    }

    /// Drops the copy of a key that has changed.
    fn invalidate(&self, key: &[u8]) {
        if let Some(schema) = self.table.forget(key, now()) {
            self.counters.count(Counter::Invalidated, 1, schema);
        }
    }

    /// Counts the flushes of a server since the last call.
    pub(super) fn count_flushes(&self, eras: &Eras, schema: &'static Schema) {
        let flushes = eras.take_flushes();
        if flushes > 0 {
            self.counters.count(Counter::Flush, flushes, schema);
        }
    }

    /// Reports the table's size, and the hits that it has counted.
    pub(super) fn report(&self) {
        self.report_hits();
        self.report_bytes(self.table.size().1);
    }

    fn report_hits(&self) {
        for (schema, hits) in self.table.take_hits() {
            self.counters.count(Counter::Hit, hits, schema);
        }
    }

    fn report_bytes(&self, bytes: usize) {
        let bytes = bytes as u64;
        let before = self.reported_bytes.swap(bytes, Relaxed);
        if before != bytes {
            observe::bytes_changed(before, bytes);
        }
    }

    pub(super) fn stats(&self) -> Stats {
        self.report();
        let (copies, bytes) = self.table.size();
        self.counters.stats(copies, bytes, self.links.is_open())
    }
}

/// Lets other tasks run from time to time.
///
/// A task that finds everything in memory would otherwise block them, for example the connection that receives changes.
#[inline]
pub(super) fn let_others_run() -> impl Future<Output = ()> {
    tokio::task::coop::consume_budget()
}

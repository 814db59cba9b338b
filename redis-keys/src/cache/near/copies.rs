//! The copies of a cache with what keeps them right.

use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::thread::available_parallelism;

use super::era::{Eras, now};
use super::links::Links;
use super::table::Table;
use super::writes;
use crate::observe::near::{self as observe, Counter, Counters, Stats};
use crate::schema::Schema;

pub(in crate::cache) struct NearCopies {
    pub(super) table: Table,
    pub(super) links: Links,
    pub(super) counters: Counters,
    reported_bytes: AtomicU64,
}

impl Drop for NearCopies {
    fn drop(&mut self) {
        self.report_hits();
        self.report_bytes(0);
    }
}

impl NearCopies {
    /// Creates a table of about `max_bytes`, for the server or the cluster of a connection.
    pub(super) fn new(con: &dyn Any, max_bytes: usize) -> Arc<Self> {
        let threads = available_parallelism().map_or(4, usize::from);
        let copies = Arc::new(Self {
            table: Table::new(max_bytes, threads),
            links: Links::new(con),
            counters: Counters::default(),
            reported_bytes: AtomicU64::new(0),
        });
        writes::register(&copies);
        copies
    }

    /// Forgets the copy of a key, since it has changed.
    pub(super) fn forget(&self, key: &[u8]) {
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

    /// Reports the hits, which the table has only noted, and its size.
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

    pub(in crate::cache) fn stats(&self) -> Stats {
        self.report();
        let (copies, bytes) = self.table.size();
        self.counters.stats(copies, bytes, self.links.is_open())
    }
}

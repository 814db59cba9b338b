//! The copies of a cache, and the reads that become copies unless their key changes.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::mem;
use std::sync::PoisonError;
use std::sync::atomic::Ordering::Relaxed;

use super::SharedValue;
use super::shard::{NearCopy, Shard};
use super::sync::{AtomicU64, Mutex, MutexGuard};
use crate::schema::Schema;

/// The smallest size at which another lock is worthwhile: a value must fit into its part of the table.
const SMALLEST_SHARD: usize = 4 << 20;

pub(crate) struct Table {
    shards: Box<[Mutex<Shard>]>,
    hasher: RandomState,
    tickets: AtomicU64,
}

/// A read that is under way. It becomes a copy, unless its key is forgotten. Dropping the ticket keeps nothing.
pub(crate) struct Ticket<'t> {
    table: &'t Table,
    key: &'t [u8],
    hash: u64,
    number: u64,
}

impl Table {
    /// Creates a table of about `max_bytes` for this number of threads.
    pub(crate) fn new(max_bytes: usize, threads: usize) -> Self {
        let shards = threads.saturating_mul(4).min(max_bytes / SMALLEST_SHARD).clamp(1, 64).next_power_of_two();
        Self {
            shards: (0..shards).map(|_| Mutex::new(Shard::new(max_bytes / shards))).collect(),
            hasher: RandomState::new(),
            tickets: AtomicU64::new(1),
        }
    }

    /// Calls a function with the value of a servable copy, while its part of the table is locked.
    #[inline]
    pub(crate) fn read<T>(&self, key: &[u8], now: u64, take: impl FnOnce(Option<&SharedValue>) -> T) -> Option<T> {
        let hash = self.hash(key);
        self.shard(hash).hit(hash, key, now).map(take)
    }

    /// Begins a read, unless another one of the key is under way.
    pub(crate) fn begin<'t>(&'t self, key: &'t [u8], schema: &'static Schema) -> Option<Ticket<'t>> {
        let hash = self.hash(key);
        let number = self.tickets.fetch_add(1, Relaxed);
        // The lock is released before the removed slots are dropped, here and below.
        let (is_first, removed) = self.shard(hash).begin(hash, key, number, schema);
        drop(removed);
        is_first.then_some(Ticket { table: self, key, hash, number })
    }

    /// Removes a copy and invalidates a read that is under way. Returns the template, if the copy was servable.
    pub(crate) fn forget(&self, key: &[u8], now: u64) -> Option<&'static Schema> {
        let hash = self.hash(key);
        let (schema, removed) = self.shard(hash).forget(hash, key, now);
        drop(removed);
        schema
    }

    /// The approximate number of keys, and their bytes.
    pub(crate) fn size(&self) -> (usize, usize) {
        let sizes = self.shards.iter().map(|shard| lock(shard).size());
        sizes.fold((0, 0), |(keys, bytes), (more_keys, more_bytes)| (keys + more_keys, bytes + more_bytes))
    }

    /// Returns each template's hits since the last call.
    pub(crate) fn take_hits(&self) -> Vec<(&'static Schema, u64)> {
        self.shards.iter().flat_map(|shard| lock(shard).take_hits()).collect()
    }

    #[inline]
    fn hash(&self, key: &[u8]) -> u64 {
        let mut hasher = self.hasher.build_hasher();
        hasher.write(key);
        hasher.finish()
    }

    #[inline]
    #[allow(clippy::indexing_slicing, reason = "the number of shards is a power of two")]
    fn shard(&self, hash: u64) -> MutexGuard<'_, Shard> {
        // The map uses the lower bits of the hash.
        lock(&self.shards[(hash >> 32) as usize & (self.shards.len() - 1)])
    }
}

#[inline]
fn lock(shard: &Mutex<Shard>) -> MutexGuard<'_, Shard> {
    // Under the lock, only `clone` of types without `drop` runs. Even if it panics, the shard stays consistent.
    shard.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Ticket<'_> {
    /// Keeps a value after its read, if there is room and the key was not forgotten since. Returns whether it was not
    /// forgotten.
    pub(crate) fn finish(self, copy: NearCopy) -> bool {
        let (is_kept, removed) = self.table.shard(self.hash).finish(self.hash, self.key, self.number, copy);
        drop(removed);
        // No read is left to abandon.
        mem::forget(self);
        is_kept
    }
}

impl Drop for Ticket<'_> {
    fn drop(&mut self) {
        self.table.shard(self.hash).abandon(self.hash, self.key, self.number);
    }
}

//! What goes when there is no room.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

use super::slots::{Fixture, SCHEMA};
use crate::cache::near::shard::NearCopy;

const NOW: u64 = 10;

fn keep(cache: &Fixture, key: u32) {
    let text = key.to_string();
    if let Some(ticket) = cache.table.begin(text.as_bytes(), SCHEMA) {
        ticket.finish(cache.copy_of(key));
    }
}

fn is_there(cache: &Fixture, key: u32) -> bool {
    cache.hit_of(key.to_string().as_bytes(), NOW) == Some(Some(key))
}

#[test]
fn the_table_stays_within_its_bytes() {
    let cache = Fixture::new(100_000);
    for key in 0..10_000 {
        keep(&cache, key);
        assert!(cache.table.size().1 <= 100_000);
    }
    assert!(cache.table.size().1 > 90_000);
}

#[test]
fn what_is_used_stays_when_many_are_read_once() {
    let cache = Fixture::new(100_000);
    for key in 0..100 {
        keep(&cache, key);
        assert!(is_there(&cache, key));
    }
    for key in 1_000..20_000 {
        keep(&cache, key);
        if key % 100 == 0 {
            (0..100).for_each(|key| _ = is_there(&cache, key));
        }
    }
    let kept = (0..100).filter(|key| is_there(&cache, *key)).count();
    assert_eq!(kept, 100);
}

#[test]
fn what_is_not_used_any_more_goes() {
    let cache = Fixture::new(100_000);
    for round in 0..10 {
        for key in round * 400..(round + 1) * 400 {
            keep(&cache, key);
            is_there(&cache, key);
        }
    }
    let kept = (3_600..4_000).filter(|key| is_there(&cache, *key)).count();
    assert!(kept > 300, "{kept}");
}

#[test]
fn a_value_that_is_larger_than_the_table_is_not_kept() {
    let cache = Fixture::new(100_000);
    keep(&cache, 1);
    let ticket = cache.table.begin(b"large", SCHEMA).expect("it is empty");
    ticket.finish(NearCopy { bytes: 60_000, ..cache.copy_of(2) });
    assert_eq!(cache.hit_of(b"large", NOW), None);
    assert!(cache.table.size().1 <= 100_000);
    let ticket = cache.table.begin(b"huge", SCHEMA).expect("it is empty");
    ticket.finish(NearCopy { bytes: 1 << 30, ..cache.copy_of(2) });
    assert_eq!(cache.hit_of(b"huge", NOW), None);
    keep(&cache, 3);
    assert!(is_there(&cache, 3));
}

#[test]
fn keys_that_change_again_and_again_take_no_more_memory() {
    let cache = Fixture::new(100_000);
    for round in 0..100_000_u32 {
        keep(&cache, round % 10);
        cache.table.forget((round % 10).to_string().as_bytes(), NOW);
    }
    assert_eq!(cache.table.size(), (0, 0));
    (0..10).for_each(|key| keep(&cache, key));
    assert_eq!((0..10).filter(|key| is_there(&cache, *key)).count(), 10);
}

#[test]
fn a_large_value_stays_beside_small_ones() {
    let cache = Fixture::new(100_000);
    let keep_large = || {
        let ticket = cache.table.begin(b"large", SCHEMA).expect("it is empty");
        ticket.finish(NearCopy { bytes: 15_000, ..cache.copy_of(1) })
    };
    (0..1_000).for_each(|key| keep(&cache, key));
    (0..1_000).for_each(|key| _ = is_there(&cache, key));
    (1_000..1_030).for_each(|key| keep(&cache, key));
    let new = || (1_000..1_030).filter(|key| is_there(&cache, *key)).count();
    let before = new();
    assert!(keep_large());
    assert!(cache.hit_of(b"large", NOW).is_some());
    assert_eq!(new(), before, "it has driven no new ones out");
    for key in 2_000..10_000 {
        keep(&cache, key);
        cache.hit_of(b"large", NOW);
    }
    assert!(cache.hit_of(b"large", NOW).is_some());
    assert!(cache.table.size().1 <= 100_000);
}

/// A value that uses the table when it is dropped.
struct UsesTable(Arc<Fixture>, Arc<AtomicUsize>);

impl Drop for UsesTable {
    fn drop(&mut self) {
        self.0.table.size();
        self.1.fetch_add(1, Relaxed);
    }
}

#[test]
fn no_value_is_dropped_while_the_table_is_locked() {
    let (cache, dropped) = (Arc::new(Fixture::new(100_000)), Arc::new(AtomicUsize::new(0)));
    let keep = |key: &[u8]| {
        let value = UsesTable(Arc::clone(&cache), Arc::clone(&dropped));
        let ticket = cache.table.begin(key, SCHEMA).expect("no read is under way");
        ticket.finish(NearCopy { value: Some(Arc::new(value)), ..cache.copy_of(0) })
    };
    assert!(keep(b"a"));
    assert!(keep(b"a"), "it replaces the first");
    assert_eq!(dropped.load(Relaxed), 1);
    cache.table.forget(b"a", NOW);
    assert_eq!(dropped.load(Relaxed), 2);
    for key in 0..1_000_u32 {
        assert!(keep(&key.to_be_bytes()));
    }
    assert!(dropped.load(Relaxed) > 500);
    // The values refer to the table, which would never be dropped.
    for key in 0..1_000_u32 {
        cache.table.forget(&key.to_be_bytes(), NOW);
    }
    assert_eq!(dropped.load(Relaxed), 1_002);
}

//! The states of a slot: empty, reading, copy, and copy and reading.

use std::sync::Arc;

use crate::RedisKey as _;
use crate::cache::near::era::Eras;
use crate::cache::near::shard::NearCopy;
use crate::cache::near::table::{Table, Ticket};
use crate::schema::Schema;
use crate::tests::keys::Views;

pub(super) const SCHEMA: &Schema = Views::SCHEMA;

const KEY: &[u8] = b"key";

/// The time of all calls.
const NOW: u64 = 10;

pub(super) struct Fixture {
    pub(super) table: Table,
    pub(super) eras: Eras,
}

impl Fixture {
    pub(super) fn new(max_bytes: usize) -> Self {
        Self { table: Table::new(max_bytes, 1), eras: Eras::new(NOW) }
    }

    fn begin(&self) -> Option<Ticket<'_>> {
        self.table.begin(KEY, SCHEMA)
    }

    pub(super) fn copy_of(&self, value: u32) -> NearCopy {
        let value = Some(Arc::new(value) as Arc<_>);
        NearCopy { value, era: self.eras.current(), until: 100, renew_at: u64::MAX, bytes: 4 }
    }

    /// Reads the key, which becomes a copy.
    fn keep(&self, value: u32) {
        assert!(self.begin().expect("no read is under way").finish(self.copy_of(value)));
    }

    pub(super) fn hit_of(&self, key: &[u8], now: u64) -> Option<Option<u32>> {
        self.table.read(key, now, |value| value.and_then(|value| value.downcast_ref().copied()))
    }

    fn hit(&self) -> Option<Option<u32>> {
        self.hit_of(KEY, NOW)
    }

    fn keys(&self) -> usize {
        self.table.size().0
    }
}

#[test]
fn a_read_becomes_a_copy() {
    let cache = Fixture::new(1 << 20);
    assert_eq!(cache.hit(), None);
    let ticket = cache.begin().expect("it is empty");
    assert!(cache.begin().is_none(), "another call reads too, and keeps nothing");
    assert_eq!(cache.hit(), None);
    assert!(ticket.finish(cache.copy_of(1)));
    assert_eq!(cache.hit(), Some(Some(1)));
    assert_eq!(cache.hit_of(b"other", NOW), None);
}

#[test]
fn absence_is_a_copy() {
    let cache = Fixture::new(1 << 20);
    let absent = NearCopy { value: None, ..cache.copy_of(0) };
    assert!(cache.begin().expect("it is empty").finish(absent));
    assert_eq!(cache.hit(), Some(None));
}

#[test]
fn a_read_without_a_result_leaves_nothing() {
    let cache = Fixture::new(1 << 20);
    drop(cache.begin());
    assert_eq!((cache.keys(), cache.table.size().1), (0, 0));
    cache.keep(1);
    drop(cache.begin());
    assert_eq!(cache.hit(), Some(Some(1)), "a renewal without a result leaves the copy");
    assert!(cache.begin().is_some(), "and another one may begin");
}

#[test]
fn what_changes_during_a_read_is_not_kept() {
    let cache = Fixture::new(1 << 20);
    let ticket = cache.begin().expect("it is empty");
    assert!(cache.table.forget(KEY, NOW).is_none(), "there was no copy");
    assert!(!ticket.finish(cache.copy_of(1)));
    assert_eq!((cache.hit(), cache.keys()), (None, 0));

    let overtaken = cache.begin().expect("it is empty");
    cache.table.forget(KEY, NOW);
    let second = cache.begin().expect("the first one has lost its ticket");
    assert!(!overtaken.finish(cache.copy_of(1)));
    assert!(second.finish(cache.copy_of(2)), "the first one has not taken the ticket of the second");
    assert_eq!(cache.hit(), Some(Some(2)));
}

#[test]
fn a_change_ends_a_copy_and_its_renewal() {
    let cache = Fixture::new(1 << 20);
    cache.keep(1);
    let renewal = cache.begin().expect("no other renewal is under way");
    assert_eq!(cache.hit(), Some(Some(1)), "the others get the copy meanwhile");
    assert!(cache.table.forget(KEY, NOW).is_some());
    assert_eq!(cache.hit(), None);
    assert!(!renewal.finish(cache.copy_of(1)));
    assert_eq!(cache.hit(), None);
    assert!(cache.table.forget(KEY, NOW).is_none(), "nothing is there to forget");
}

#[test]
fn a_renewal_replaces_the_copy() {
    let cache = Fixture::new(1 << 20);
    cache.keep(1);
    let bytes = cache.table.size();
    cache.keep(2);
    assert_eq!(cache.hit(), Some(Some(2)));
    assert_eq!(cache.table.size(), bytes);
}

#[test]
fn a_copy_is_served_until_its_time_is_over() {
    let cache = Fixture::new(1 << 20);
    cache.keep(1);
    assert_eq!(cache.hit_of(KEY, 99), Some(Some(1)));
    assert_eq!(cache.hit_of(KEY, 100), None);
    cache.keep(2);
    assert_eq!(cache.hit(), Some(Some(2)));
}

#[test]
fn one_call_renews_a_copy_and_the_others_get_it() {
    let cache = Fixture::new(1 << 20);
    let copy = NearCopy { renew_at: 50, ..cache.copy_of(1) };
    assert!(cache.begin().expect("it is empty").finish(copy));
    assert_eq!(cache.hit_of(KEY, 49), Some(Some(1)));
    assert_eq!(cache.hit_of(KEY, 50), None, "this call reads again");
    assert_eq!(cache.hit_of(KEY, 51), Some(Some(1)));
    assert_eq!(cache.hit_of(KEY, 75), Some(Some(1)));
    assert_eq!(cache.hit_of(KEY, 76), None, "the first one has failed, so another one reads");
    assert_eq!(cache.hit_of(KEY, 77), Some(Some(1)));
}

#[test]
fn no_copy_of_an_era_that_is_over_is_served() {
    let cache = Fixture::new(1 << 20);
    cache.keep(1);
    let (ticket, before) = (cache.begin().expect("it renews"), cache.copy_of(1));
    cache.eras.flush();
    assert_eq!(cache.hit(), None);
    assert!(ticket.finish(before), "it was asked for before the flush");
    assert_eq!(cache.hit(), None);
    cache.keep(2);
    assert_eq!(cache.hit(), Some(Some(2)));
    cache.eras.lose();
    assert_eq!(cache.hit(), None);
}

#[test]
fn hits_are_reported_once_by_template() {
    let cache = Fixture::new(1 << 20);
    cache.keep(1);
    cache.hit();
    cache.hit();
    let reported = || cache.table.take_hits().iter().map(|(schema, hits)| (schema.name, *hits)).collect::<Vec<_>>();
    assert_eq!(reported(), [(SCHEMA.name, 2)]);
    assert_eq!(reported(), []);
}

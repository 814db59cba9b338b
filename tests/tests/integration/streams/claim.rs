//! Pending entries: `read_pending claim`.

use std::time::Duration;

use redis_keys::prelude::*;
use redis_keys::types::stream::{EntryId, GroupStart};
use redis_keys_tests::{Con, on_every_connection, wait_until};

use super::keys::{Plain, add, add_undecodable, id, orders};

const KEY: &str = "log:plain:1:stream";

/// Creates a group whose consumer `a` has these entries pending.
fn with_pending(con: &mut Con, numbers: std::ops::RangeInclusive<u32>) -> Plain {
    let log = Plain { id: 1 };
    let count = *numbers.end();
    add(con, &log, numbers);
    con.ok(log.group("billing").create(GroupStart::Start));
    con.ok(log.group("billing").read("a", count));
    log
}

#[test]
fn pending_entries_are_read_again_page_by_page() {
    on_every_connection(|con| {
        let log = with_pending(con, 1..=5);
        let group = log.group("billing");
        con.ok(group.ack(id(2)));
        let (mut from, mut pages) = (Some(EntryId::MIN), Vec::new());
        while let Some(start) = from {
            let page = con.ok(group.read_pending("a", start, 2));
            from = page.next;
            pages.push(orders(page.entries));
        }
        assert_eq!(pages, [vec![1, 3], vec![4, 5], vec![]]);
        assert_eq!(orders(con.ok(group.read_pending("a", id(4), 5)).entries), [4, 5]);
        assert!(con.ok(group.read_pending("b", EntryId::MIN, 5)).entries.is_empty());
    });
}

#[test]
fn idle_entries_are_claimed_page_by_page() {
    on_every_connection(|con| {
        let log = with_pending(con, 1..=5);
        let group = log.group("billing");
        assert_eq!(con.ok(group.claim("b", Duration::from_secs(60), EntryId::MIN, 9)).ids().count(), 0);
        let (mut from, mut claimed) = (Some(EntryId::MIN), Vec::new());
        while let Some(start) = from {
            let page = con.ok(group.claim("b", Duration::ZERO, start, 2));
            assert!(page.entries.len() <= 2);
            from = page.next;
            claimed.extend(orders(page.entries));
        }
        assert_eq!(claimed, [1, 2, 3, 4, 5]);
        assert_eq!(con.ok(group.read_pending("a", EntryId::MIN, 9)).ids().count(), 0);
        assert_eq!(orders(con.ok(group.read_pending("b", EntryId::MIN, 9)).entries), [1, 2, 3, 4, 5]);
        assert_eq!(con.ok(group.ack_many((1..=5).map(id))), 5);
    });
}

#[test]
fn only_entries_idle_for_long_enough_are_claimed() {
    on_every_connection(|con| {
        let log = with_pending(con, 1..=2);
        let group = log.group("billing");
        let idle = Duration::from_millis(30);
        wait_until("the entries are idle", || con.ok(group.pending(.., 9)).iter().all(|entry| entry.idle >= idle));
        add(con, &log, 3..=3);
        con.ok(group.read("a", 1));
        let claimed = con.ok(group.claim("b", idle, EntryId::MIN, 9));
        // On a slow machine the third entry may be idle for as long.
        let claimed = orders(claimed.entries);
        assert!(claimed.starts_with(&[1, 2]), "{claimed:?}");
    });
}

#[test]
fn deleted_entries_are_reported() {
    on_every_connection(|con| {
        let log = with_pending(con, 1..=4);
        let group = log.group("billing");
        con.ok(log.xdel(id(2)));
        con.ok(log.xtrim_before(id(2)));
        let again = con.ok(group.read_pending("a", EntryId::MIN, 9));
        assert_eq!((again.deleted.as_slice(), again.next), (&[id(1), id(2)][..], Some(EntryId::new(4, 1))));
        assert_eq!(orders(again.entries), [3, 4]);
        let claimed = con.ok(group.claim("b", Duration::ZERO, EntryId::MIN, 9));
        let deleted_by_claim = claimed.deleted;
        assert_eq!((orders(claimed.entries), claimed.next), (vec![3, 4], None));
        let again = con.ok(group.read_pending("b", EntryId::MIN, 9));
        // Redis 6.2 claims deleted entries and reports them only here; later servers remove them from the group.
        let deleted = if deleted_by_claim.is_empty() { again.deleted.clone() } else { deleted_by_claim };
        assert_eq!(deleted, [id(1), id(2)]);
        con.ok(group.ack_many(again.ids()));
        assert_eq!(con.ok(group.pending_summary()).count, 0);
    });
}

#[test]
fn an_entry_that_does_not_decode_is_claimed_with_the_others() {
    on_every_connection(|con| {
        add_undecodable(con, KEY, "1-0");
        con.ok(Plain { id: 1 }.expire());
        let log = with_pending(con, 2..=2);
        let group = log.group("billing");
        con.ok(group.read("a", 9));
        let claimed = con.ok(group.claim("b", Duration::ZERO, EntryId::MIN, 9));
        assert_eq!(claimed.ids().collect::<Vec<_>>(), [id(1), id(2)]);
        let error = claimed.entries[0].value.as_ref().expect_err("the entry does not decode");
        assert!(error.to_string().starts_with("field `order` of entry 1-0 of"), "{error}");
        assert_eq!(con.ok(group.ack_many(claimed.ids())), 2);
    });
}

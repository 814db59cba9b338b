//! `xadd`: entries, expiry, caps and trimming.

use redis_keys::ErrorKind;
use redis_keys::prelude::*;
use redis_keys::types::stream::EntryId;
use redis_keys_tests::on_every_connection;

use super::keys::{
    AboutLast, Capped, HOUR, Kept, KeptLast, Last, MINUTE, Payment, Plain, Sliding, SlidingLast, Touched, add, id,
    orders, paid,
};

#[test]
fn xadd_sets_the_expiry_only_on_creation() {
    on_every_connection(|con| {
        let (log, key) = (Plain { id: 1 }, "log:plain:1:stream");
        con.forget_scripts();
        let first = con.ok(log.xadd(&paid(1)));
        con.assert_left(key, HOUR);
        let _: bool = con.raw(&["EXPIRE", key, "60"]);
        let second = con.ok(log.xadd(&paid(2)));
        con.assert_left(key, MINUTE);
        assert!(EntryId::MIN < first && first < second);
        assert!(first.time().expect("the time is valid") <= std::time::SystemTime::now());
        assert_eq!(con.ok(log.xlen()), 2);
    });
}

#[test]
fn every_form_of_xadd_creates_with_the_expiry() {
    on_every_connection(|con| {
        con.forget_scripts();
        con.ok(Last { id: 1 }.xadd(&paid(1)));
        con.assert_left("log:last:1:stream", HOUR / 2);
        con.ok(AboutLast { id: 1 }.xadd(&paid(1)));
        con.assert_left("log:about:1:stream", HOUR);
        con.ok(Capped { id: 1 }.xadd(&paid(1)).id(id(5)));
        con.assert_left("log:capped:1:stream", HOUR);
        con.ok(Last { id: 2 }.xadd(&paid(1)).id(id(5)));
        con.assert_left("log:last:2:stream", HOUR / 2);
        con.ok(Kept { id: 1 }.xadd(&paid(1)));
        con.ok(KeptLast { id: 1 }.xadd(&paid(1)));
        assert_eq!((con.pttl("never:kept:1:stream"), con.pttl("never:last:1:stream")), (-1, -1));
    });
}

#[test]
fn xadd_adds_a_missing_expiry() {
    on_every_connection(|con| {
        for key in ["log:plain:1:stream", "log:last:1:stream"] {
            let _: String = con.raw(&["XADD", key, "1-0", "order", "1"]);
        }
        con.ok(Plain { id: 1 }.xadd(&paid(2)));
        con.ok(Last { id: 1 }.xadd(&paid(2)));
        con.assert_left("log:plain:1:stream", HOUR);
        con.assert_left("log:last:1:stream", HOUR / 2);
    });
}

#[test]
fn every_entry_renews_as_declared() {
    on_every_connection(|con| {
        let keys = ["log:sliding:1:stream", "log:slidinglast:1:stream", "log:touched:1:stream"];
        for key in keys {
            let _: String = con.raw(&["XADD", key, "1-0", "order", "1"]);
            let _: bool = con.raw(&["EXPIRE", key, "60"]);
        }
        con.ok(Sliding { id: 1 }.xadd(&paid(2)));
        con.ok(SlidingLast { id: 1 }.xadd(&paid(2)));
        con.ok(Touched { id: 1 }.xadd(&paid(2)));
        for key in keys {
            con.assert_left(key, HOUR);
        }
    });
}

#[test]
fn absent_fields_are_not_stored() {
    on_every_connection(|con| {
        let log = Plain { id: 1 };
        con.ok(log.xadd(&paid(1)).id(id(1)));
        let with = Payment { order: 2, coupon: Some("ten".to_owned()), cents: 5 };
        con.ok(log.xadd(&with).id(id(2)));
        let stored: Vec<(String, Vec<String>)> = con.raw(&["XRANGE", "log:plain:1:stream", "-", "+"]);
        assert_eq!(stored[0].1, ["order", "1", "cents", "100"]);
        assert_eq!(stored[1].1, ["order", "2", "code", "ten", "cents", "5"]);
        let read: Vec<_> =
            con.ok(log.xrange(.., 10)).into_iter().map(|entry| entry.value.expect("the entry decodes")).collect();
        assert_eq!(read, [paid(1), with]);
    });
}

#[test]
fn an_entry_beyond_max_len_changes_nothing() {
    on_every_connection(|con| {
        let (log, key) = (Capped { id: 1 }, "log:capped:1:stream");
        con.forget_scripts();
        add(con, &log, 1..=3);
        let _: bool = con.raw(&["EXPIRE", key, "60"]);
        for error in [con.error(log.xadd(&paid(4))), con.error(log.xadd(&paid(4)).id(id(4)))] {
            assert_eq!(error.kind(), ErrorKind::CollectionSize, "{error}");
            assert!(error.to_string().contains("exceeds `max_len`: 4 elements, at most 3"), "{error}");
        }
        assert_eq!(orders(con.ok(log.xrange(.., 10))), [1, 2, 3]);
        con.assert_left(key, MINUTE);
        assert!(con.ok(log.xdel(id(2))));
        con.ok(log.xadd(&paid(4)));
        assert_eq!(orders(con.ok(log.xrange(.., 10))), [1, 3, 4]);
    });
}

#[test]
fn keep_last_keeps_the_newest_entries() {
    on_every_connection(|con| {
        con.forget_scripts();
        for log in [1, 2] {
            add(con, &Last { id: log }, 1..=5);
            assert_eq!(orders(con.ok(Last { id: log }.xrange(.., 10))), [3, 4, 5]);
        }
        add(con, &KeptLast { id: 1 }, 1..=5);
        assert_eq!(orders(con.ok(KeptLast { id: 1 }.xrange(.., 10))), [3, 4, 5]);
    });
}

#[test]
fn an_approximate_keep_last_keeps_about_as_many_entries() {
    on_every_connection(|con| {
        // The server removes whole nodes of this many entries.
        con.raw::<String>(&["CONFIG", "SET", "stream-node-max-entries", "20"]);
        add(con, &AboutLast { id: 1 }, 1..=100);
        let left = orders(con.ok(AboutLast { id: 1 }.xrange(.., 500)));
        assert!((10..=50).contains(&left.len()), "{left:?}");
        assert_eq!(left.last(), Some(&100));
    });
}

#[test]
fn explicit_ids_must_increase() {
    on_every_connection(|con| {
        let log = Plain { id: 1 };
        assert_eq!(con.ok(log.xadd(&paid(1)).id(EntryId::new(5, 6))), EntryId::new(5, 6));
        for low in [EntryId::new(5, 6), EntryId::new(5, 5), EntryId::new(0, 1)] {
            let error = con.error(log.xadd(&paid(2)).id(low));
            assert_eq!(error.kind(), ErrorKind::Server, "{error}");
            assert!(error.to_string().contains("the entry ID is not greater than all previous ones"), "{error}");
        }
        let error = con.error(Last { id: 1 }.xadd(&paid(2)).id(EntryId::MAX).id(EntryId::MIN));
        assert_eq!(error.kind(), ErrorKind::Argument, "{error}");
        assert_eq!(con.ok(log.xlen()), 1);
        con.assert_left("log:plain:1:stream", HOUR);
        // No entry can follow the highest ID.
        con.ok(Last { id: 1 }.xadd(&paid(1)).id(EntryId::MAX));
        assert_eq!(con.error(Last { id: 1 }.xadd(&paid(2))).kind(), ErrorKind::Server);
    });
}

#[test]
fn oversized_fields_and_invalid_ids_are_rejected() {
    on_every_connection(|con| {
        let long = Payment { order: 1, coupon: Some("123456789".to_owned()), cents: 0 };
        assert_eq!(con.refused(Capped { id: 1 }.xadd(&long)).kind(), ErrorKind::ValueSize);
        assert_eq!(con.refused(Plain { id: 1 }.xadd(&paid(1)).id(EntryId::MIN)).kind(), ErrorKind::Argument);
        assert_eq!(con.raw::<u64>(&["DBSIZE"]), 0);
    });
}

//! `xlen xrange xrevrange xread xpages xdel xtrim`.

use std::ops::Bound;

use redis_keys::ErrorKind;
use redis_keys::prelude::*;
use redis_keys::types::stream::EntryId;
use redis_keys_tests::on_every_connection;

use super::keys::{Plain, add, add_undecodable, id, orders};

const KEY: &str = "log:plain:1:stream";

#[test]
fn entries_are_read_by_ranges_of_ids() {
    on_every_connection(|con| {
        let log = Plain { id: 1 };
        assert!(con.ok(log.xrange(.., 10)).is_empty());
        add(con, &log, 1..=6);
        assert_eq!(orders(con.ok(log.xrange(.., 10))), [1, 2, 3, 4, 5, 6]);
        assert_eq!(orders(con.ok(log.xrange(.., 2))), [1, 2]);
        assert_eq!(orders(con.ok(log.xrange(id(2)..id(4), 10))), [2, 3]);
        assert_eq!(orders(con.ok(log.xrange(id(2)..=id(4), 10))), [2, 3, 4]);
        let after = (Bound::Excluded(id(2)), Bound::Unbounded);
        assert_eq!(orders(con.ok(log.xrange(after, 2))), [3, 4]);
        assert_eq!(orders(con.ok(log.xrevrange(.., 2))), [6, 5]);
        assert_eq!(orders(con.ok(log.xrevrange(..id(3), 10))), [2, 1]);
        assert_eq!(orders(con.ok(log.xrevrange(after, 10))), [6, 5, 4, 3]);
        assert!(con.ok(log.xrange(EntryId::new(6, 1).., 10)).is_empty());
        assert!(con.ok(log.xrange(id(4)..id(4), 10)).is_empty());
        assert_eq!(con.refused(log.xrange(.., 501)).kind(), ErrorKind::TooMany);
    });
}

#[test]
fn xread_continues_after_an_id() {
    on_every_connection(|con| {
        let log = Plain { id: 1 };
        assert!(con.ok(log.xread(EntryId::MIN, 10)).is_empty());
        add(con, &log, 1..=5);
        let mut last = EntryId::MIN;
        let mut all = Vec::new();
        loop {
            let entries = con.ok(log.xread(last, 2));
            let Some(newest) = entries.last() else { break };
            last = newest.id;
            all.extend(orders(entries));
        }
        assert_eq!(all, [1, 2, 3, 4, 5]);
        assert!(con.ok(log.xread(last, 10)).is_empty());
        assert!(con.ok(log.xread(EntryId::MAX, 10)).is_empty());
    });
}

#[test]
fn xpages_yields_the_whole_stream_in_order() {
    on_every_connection(|con| {
        let log = Plain { id: 1 };
        assert!(con.scan(log.xpages(10)).expect("the scan succeeds").is_empty());
        add(con, &log, 1..=50);
        for page_len in [1, 7, 10, 25, 50, 500] {
            let all = con.scan(log.xpages(page_len)).expect("the scan succeeds");
            assert_eq!(orders(all), (1..=50).collect::<Vec<_>>());
        }
        assert_eq!(con.scan(log.xpages(501)).expect_err("the command is rejected").kind(), ErrorKind::TooMany);
    });
}

#[test]
fn an_entry_that_does_not_decode_does_not_affect_the_others() {
    on_every_connection(|con| {
        let log = Plain { id: 1 };
        add(con, &log, 1..=1);
        add_undecodable(con, KEY, "2-0");
        let _: String = con.raw(&["XADD", KEY, "3-0", "other", "1"]);
        add(con, &log, 4..=4);
        let (range, read) = (con.ok(log.xrange(.., 10)), con.ok(log.xread(EntryId::MIN, 10)));
        let pages = con.scan(log.xpages(2)).expect("the scan succeeds");
        for entries in [range, read, pages] {
            assert_eq!(entries.iter().map(|entry| entry.id.ms()).collect::<Vec<_>>(), [1, 2, 3, 4]);
            let errors: Vec<_> = entries.iter().filter_map(|entry| entry.value.as_ref().err()).collect();
            assert_eq!((errors.len(), errors[0].kind(), errors[0].key()), (2, ErrorKind::Decode, Some(KEY)));
            assert!(errors[0].to_string().starts_with("field `order` of entry 2-0 of"), "{}", errors[0]);
            assert!(errors[1].to_string().starts_with("field `order` of entry 3-0 of"), "{}", errors[1]);
            assert!(!errors[0].to_string().contains("secret"), "{}", errors[0]);
        }
        assert!(con.ok(log.xdel(id(2))));
    });
}

#[test]
fn fields_missing_from_an_older_entry_get_their_defaults() {
    on_every_connection(|con| {
        let _: String = con.raw(&["XADD", KEY, "1-0", "order", "7", "other", "x"]);
        con.ok(Plain { id: 1 }.expire());
        let read = con.ok(Plain { id: 1 }.xrange(.., 1)).remove(0).value.expect("the entry decodes");
        assert_eq!((read.order, read.coupon, read.cents), (7, None, 0));
    });
}

#[test]
fn xdel_returns_the_number_of_deleted_entries() {
    on_every_connection(|con| {
        let log = Plain { id: 1 };
        assert!(!con.ok(log.xdel(id(1))));
        add(con, &log, 1..=5);
        let _: bool = con.raw(&["EXPIRE", KEY, "60"]);
        assert!(con.ok(log.xdel(id(2))));
        assert!(!con.ok(log.xdel(id(2))));
        assert_eq!(con.ok(log.xdel_many([id(1), id(2), id(3)])), 2);
        assert_eq!(con.ok(log.xdel_many(Vec::<EntryId>::new())), 0);
        assert_eq!(orders(con.ok(log.xrange(.., 10))), [4, 5]);
        con.assert_left(KEY, 60_000);
    });
}

#[test]
fn xtrim_removes_the_oldest_entries() {
    on_every_connection(|con| {
        let log = Plain { id: 1 };
        assert_eq!(con.ok(log.xtrim(3)), 0);
        assert!(!con.ok(log.exists()));
        add(con, &log, 1..=10);
        assert_eq!(con.ok(log.xtrim(8)), 2);
        assert_eq!(con.ok(log.xtrim(8)), 0);
        assert_eq!(con.ok(log.xtrim_before(id(5))), 2);
        assert_eq!(orders(con.ok(log.xrange(.., 10))), [5, 6, 7, 8, 9, 10]);
        // The server may keep more entries, but not fewer.
        con.ok(log.xtrim_about(2));
        assert!((2..=6).contains(&con.ok(log.xlen())));
        con.ok(log.xtrim(0));
        assert_eq!(con.ok(log.xlen()), 0);
        assert!(con.ok(log.exists()));
    });
}

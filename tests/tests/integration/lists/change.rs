//! `lpop rpop lset lrem ltrim`.

use redis_keys::ErrorKind;
use redis_keys::prelude::*;
use redis_keys_tests::on_every_connection;

use super::{Capped, HOUR, MINUTE, Numbers, Plain, Sliding};

#[test]
fn pops_return_and_remove_items() {
    on_every_connection(|con| {
        let list = Numbers { id: 1 };
        assert_eq!((con.ok(list.lpop()), con.ok(list.rpop())), (None, None));
        assert!(con.ok(list.lpop_many(3)).is_empty());
        con.ok(list.rpush_many(1..=8));
        assert_eq!((con.ok(list.lpop()), con.ok(list.rpop())), (Some(1), Some(8)));
        assert_eq!(con.ok(list.lpop_many(2)), [2, 3]);
        assert_eq!(con.ok(list.rpop_many(2)), [7, 6]);
        assert!(con.ok(list.rpop_many(0)).is_empty());
        assert_eq!(con.ok(list.rpop_many(500)), [5, 4]);
        assert!(!con.ok(list.exists()));
        assert_eq!(con.refused(list.lpop_many(501)).kind(), ErrorKind::TooMany);
        assert_eq!(con.refused(list.rpop_many(501)).kind(), ErrorKind::TooMany);
    });
}

#[test]
fn a_pop_removes_an_item_that_does_not_decode() {
    on_every_connection(|con| {
        let key = "line:numbers:1:list";
        let _: u64 = con.raw(&["RPUSH", key, "secret", "secret", "5"]);
        let _: bool = con.raw(&["EXPIRE", key, "60"]);
        let error = con.error(Numbers { id: 1 }.lpop());
        assert_eq!(error.kind(), ErrorKind::Decode);
        assert!(!error.to_string().contains("secret"), "{error}");
        assert_eq!(con.error(Numbers { id: 1 }.lpop_many(1)).kind(), ErrorKind::Decode);
        assert_eq!(con.ok(Numbers { id: 1 }.lpop()), Some(5));
    });
}

#[test]
fn lset_replaces_only_existing_items() {
    on_every_connection(|con| {
        let (list, key) = (Plain { id: 1 }, "line:plain:1:list");
        con.forget_scripts();
        assert!(!con.ok(list.lset(0, "x")));
        assert!(!con.ok(list.exists()));
        con.ok(list.rpush_many(["a", "b"]));
        let _: bool = con.raw(&["EXPIRE", key, "60"]);
        assert!(con.ok(list.lset(0, "1")));
        assert!(con.ok(list.lset(-1, "2")));
        assert!(!con.ok(list.lset(2, "3")));
        assert!(!con.ok(list.lset(-3, "3")));
        assert_eq!(con.ok(list.lrange(0..9)), ["1", "2"]);
        con.assert_left(key, MINUTE);
        con.ok(Sliding { id: 1 }.rpush("a"));
        let _: bool = con.raw(&["EXPIRE", "line:sliding:1:list", "60"]);
        assert!(!con.ok(Sliding { id: 1 }.lset(7, "b")));
        con.assert_left("line:sliding:1:list", MINUTE);
        assert!(con.ok(Sliding { id: 1 }.lset(0, "b")));
        con.assert_left("line:sliding:1:list", HOUR);
        assert_eq!(con.refused(Capped { id: 1 }.lset(0, "123456789")).kind(), ErrorKind::ValueSize);
    });
}

#[test]
fn lset_adds_a_missing_expiry() {
    on_every_connection(|con| {
        let _: u64 = con.raw(&["RPUSH", "line:plain:1:list", "a"]);
        assert!(con.ok(Plain { id: 1 }.lset(0, "b")));
        con.assert_left("line:plain:1:list", HOUR);
    });
}

#[test]
fn lrem_removes_equal_items() {
    on_every_connection(|con| {
        let list = Plain { id: 1 };
        assert_eq!(con.ok(list.lrem(0, "a")), 0);
        con.ok(list.rpush_many(["a", "b", "a", "c", "a", "b"]));
        assert_eq!(con.ok(list.lrem(1, "b")), 1);
        assert_eq!(con.ok(list.lrem(-1, "a")), 1);
        assert_eq!(con.ok(list.lrange(0..9)), ["a", "a", "c", "b"]);
        assert_eq!(con.ok(list.lrem(0, "a")), 2);
        assert_eq!(con.ok(list.lrem(0, "x")), 0);
        assert_eq!(con.ok(list.lrange(0..9)), ["c", "b"]);
    });
}

#[test]
fn ltrim_keeps_the_range() {
    on_every_connection(|con| {
        let list = Numbers { id: 1 };
        con.ok(list.ltrim(0..3));
        con.ok(list.rpush_many(0..10));
        con.ok(list.ltrim(2..100));
        assert_eq!(con.ok(list.lrange(0..20)), [2, 3, 4, 5, 6, 7, 8, 9]);
        con.ok(list.ltrim(0..3));
        assert_eq!(con.ok(list.lrange(0..20)), [2, 3, 4]);
        con.ok(list.ltrim(0..0));
        assert!(!con.ok(list.exists()), "an empty range removes the key");
    });
}

//! `lrange lindex lpos llen lpages`, and how reads renew the expiry.

use redis_keys::ErrorKind;
use redis_keys::prelude::*;
use redis_keys_tests::on_every_connection;

use super::{Fading, HOUR, MINUTE, Numbers, Plain, Touched};

#[test]
fn items_are_read_by_position() {
    on_every_connection(|con| {
        let list = Numbers { id: 1 };
        assert_eq!((con.ok(list.llen()), con.ok(list.lindex(0)), con.ok(list.lrange(0..9))), (0, None, Vec::new()));
        con.ok(list.rpush_many([10, 20, 30]));
        assert_eq!(con.ok(list.llen()), 3);
        assert_eq!(con.ok(list.lrange(0..1)), [10]);
        assert_eq!(con.ok(list.lrange(1..3)), [20, 30]);
        assert_eq!(con.ok(list.lrange(2..5002)), [30]);
        assert!(con.ok(list.lrange(3..4)).is_empty());
        assert_eq!(con.ok(list.lindex(0)), Some(10));
        assert_eq!(con.ok(list.lindex(-1)), Some(30));
        assert_eq!((con.ok(list.lindex(3)), con.ok(list.lindex(-4))), (None, None));
        con.ok(list.rpush(&20));
        assert_eq!([10, 20, 7].map(|item| con.ok(list.lpos(&item))), [Some(0), Some(1), None]);
        assert_eq!(con.ok(Numbers { id: 2 }.lpos(&10)), None);
    });
}

#[test]
fn every_read_renews_with_renew_read() {
    on_every_connection(|con| {
        let (list, key) = (Touched { id: 1 }, "line:touched:1:list");
        assert!(con.ok(list.lrange(0..2)).is_empty());
        con.ok(list.rpush("a"));
        let mut renews = |read: &mut dyn FnMut(&mut redis_keys_tests::Con)| {
            let _: bool = con.raw(&["EXPIRE", key, "60"]);
            con.forget_scripts();
            read(con);
            con.assert_left(key, HOUR);
        };
        renews(&mut |con| assert_eq!(con.ok(list.lrange(0..2)), ["a"]));
        renews(&mut |con| assert_eq!(con.ok(list.lindex(0)).as_deref(), Some("a")));
        renews(&mut |con| assert_eq!(con.ok(list.lpos("a")), Some(0)));
        renews(&mut |con| assert_eq!(con.ok(list.llen()), 1));
        renews(&mut |con| assert_eq!(con.scan(list.lpages(10)).expect("the scan succeeds"), ["a"]));
    });
}

#[test]
fn reads_renew_below_the_threshold() {
    on_every_connection(|con| {
        let (list, key) = (Fading { id: 1 }, "line:fading:1:list");
        con.ok(list.rpush("a"));
        let _: bool = con.raw(&["EXPIRE", key, "1200"]);
        assert_eq!(con.ok(list.lrange(0..2)), ["a"]);
        con.assert_left(key, 20 * MINUTE);
        let _: bool = con.raw(&["EXPIRE", key, "60"]);
        assert_eq!(con.ok(list.lindex(0)).as_deref(), Some("a"));
        con.assert_left(key, HOUR);
        let _: bool = con.raw(&["EXPIRE", key, "60"]);
        assert_eq!(con.scan(list.lpages(1)).expect("the scan succeeds"), ["a"]);
        con.assert_left(key, HOUR);
    });
}

#[test]
fn without_renew_nothing_changes_the_expiry() {
    on_every_connection(|con| {
        let (list, key) = (Plain { id: 1 }, "line:plain:1:list");
        con.ok(list.rpush_many(["a", "b", "c"]));
        let _: bool = con.raw(&["EXPIRE", key, "60"]);
        con.ok(list.lrange(0..2));
        con.ok(list.lindex(0));
        con.ok(list.llen());
        con.ok(list.lset(0, "b"));
        con.ok(list.lrem(1, "b"));
        con.ok(list.lpop());
        con.ok(list.ltrim(0..9));
        con.assert_left(key, MINUTE);
    });
}

#[test]
fn lpages_yields_the_whole_list_in_order() {
    on_every_connection(|con| {
        let list = Numbers { id: 1 };
        assert!(con.scan(list.lpages(10)).expect("the scan succeeds").is_empty());
        for from in [0, 500] {
            con.ok(list.rpush_many(from..from + 500));
        }
        let all: Vec<i32> = (0..1000).collect();
        for page_len in [1, 7, 100, 250, 500] {
            assert_eq!(con.scan(list.lpages(page_len)).expect("the scan succeeds"), all);
        }
        assert_eq!(con.scan(list.lpages(501)).expect_err("the command is rejected").kind(), ErrorKind::TooMany);
    });
}

#[test]
fn lpages_ends_at_an_item_that_does_not_decode() {
    on_every_connection(|con| {
        con.ok(Numbers { id: 1 }.rpush_many(0..5));
        let _: u64 = con.raw(&["RPUSH", "line:numbers:1:list", "secret"]);
        let error = con.scan(Numbers { id: 1 }.lpages(2)).expect_err("it does not decode");
        assert_eq!((error.kind(), error.key()), (ErrorKind::Decode, Some("line:numbers:1:list")));
    });
}

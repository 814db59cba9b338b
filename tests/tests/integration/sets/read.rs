//! `sismember smismember scard srandmember sscan`, and how reads renew the expiry.

use redis_keys::prelude::*;
use redis_keys::{ErrorKind, SendStatus};
use redis_keys_tests::{Con, everywhere, on_every_connection};

use super::{Capped, Fading, HOUR, MINUTE, Numbers, Plain, Touched};

#[test]
fn sismember_and_smismember_report_membership() {
    on_every_connection(|con| {
        let set = Numbers { id: 1 };
        assert!(!con.ok(set.sismember(&1)));
        assert_eq!((con.ok(set.smismember([1, 2])), con.ok(set.scard())), (vec![false, false], 0));
        con.ok(set.sadd_many([1, 3]));
        assert!(con.ok(set.sismember(&1)));
        assert_eq!(con.ok(set.smismember([3, 2, 1, 3])), [true, false, true, true]);
        assert_eq!(con.ok(set.scard()), 2);
    });
}

#[test]
fn srandmember_returns_distinct_members() {
    on_every_connection(|con| {
        let set = Numbers { id: 1 };
        assert_eq!(con.ok(set.srandmember()), None);
        assert!(con.ok(set.srandmember_many(3)).is_empty());
        con.ok(set.sadd_many(0..10));
        assert!(con.ok(set.srandmember()).is_some_and(|member| member < 10));
        for (count, expected) in [(1, 1), (7, 7), (10, 10), (500, 10)] {
            let mut members = con.ok(set.srandmember_many(count));
            members.sort_unstable();
            members.dedup();
            assert_eq!(members.len(), expected, "each is returned once");
        }
        assert_eq!(con.ok(set.scard()), 10);
    });
}

#[test]
fn sscan_yields_every_member() {
    everywhere(|con| {
        let set = Numbers { id: 1 };
        assert!(con.scan(set.sscan()).expect("the scan succeeds").is_empty());
        for from in (0..3000).step_by(500) {
            con.ok(set.sadd_many(from..from + 500));
        }
        for count in [1, 100, 500] {
            let mut found = con.scan(set.sscan().with_count(count)).expect("the scan succeeds");
            found.sort_unstable();
            found.dedup();
            assert_eq!(found, (0..3000).collect::<Vec<_>>());
        }
        con.ok(set.srem_many(0..500));
        let mut found = con.scan(set.sscan()).expect("the scan succeeds");
        found.sort_unstable();
        found.dedup();
        assert_eq!(found, (500..3000).collect::<Vec<_>>());
    });
}

#[test]
fn a_set_is_collected_whole() {
    everywhere(|con| {
        let set = Numbers { id: 1 };
        assert!(con.collect(set.sscan()).expect("the key is missing").is_empty());
        for from in (0..3000).step_by(500) {
            con.ok(set.sadd_many(from..from + 500));
        }
        for count in [10, 500] {
            let mut members = con.collect(set.sscan().with_count(count)).expect("the set is collected");
            members.sort_unstable();
            assert_eq!(members, (0..3000).collect::<Vec<_>>());
        }
    });
}

#[test]
fn a_set_that_exceeds_its_cap_is_not_collected() {
    everywhere(|con| {
        let set = Capped { id: 1 };
        con.ok(set.sadd_many(["a", "b", "c"]));
        let mut members = con.collect(set.sscan()).expect("the set is as large as it may be");
        members.sort_unstable();
        assert_eq!(members, ["a", "b", "c"]);
        let _: u32 = con.raw(&["SADD", "bag:capped:1:set", "d", "e"]);
        let error = con.collect(set.sscan()).expect_err("the set is too large");
        assert_eq!((error.kind(), error.sent()), (ErrorKind::CollectionSize, SendStatus::Yes));
        assert!(error.to_string().contains("exceeds `max_len`: 5 elements, at most 3"), "{error}");
        assert_eq!(con.scan(set.sscan()).expect("the scan has no limit").len(), 5);
    });
}

#[test]
fn every_read_renews_with_renew_read() {
    on_every_connection(|con| {
        let (set, key) = (Touched { id: 1 }, "bag:touched:1:set");
        assert!(!con.ok(set.sismember("a")));
        con.ok(set.sadd("a"));
        let mut renews = |read: &mut dyn FnMut(&mut Con)| {
            let _: bool = con.raw(&["EXPIRE", key, "60"]);
            con.forget_scripts();
            read(con);
            con.assert_left(key, HOUR);
        };
        renews(&mut |con| assert!(con.ok(set.sismember("a"))));
        renews(&mut |con| assert_eq!(con.ok(set.smismember(["a", "b"])), [true, false]));
        renews(&mut |con| assert_eq!(con.ok(set.scard()), 1));
        renews(&mut |con| assert_eq!(con.ok(set.srandmember()).as_deref(), Some("a")));
        renews(&mut |con| assert_eq!(con.ok(set.srandmember_many(2)), ["a"]));
        renews(&mut |con| assert_eq!(con.scan(set.sscan()).expect("the scan succeeds"), ["a"]));
    });
}

#[test]
fn reads_renew_below_the_threshold() {
    on_every_connection(|con| {
        let (set, key) = (Fading { id: 1 }, "bag:fading:1:set");
        con.ok(set.sadd("a"));
        let _: bool = con.raw(&["EXPIRE", key, "1200"]);
        assert!(con.ok(set.sismember("a")));
        con.assert_left(key, 20 * MINUTE);
        let _: bool = con.raw(&["EXPIRE", key, "60"]);
        assert_eq!(con.ok(set.smismember(["a"])), [true]);
        con.assert_left(key, HOUR);
        let _: bool = con.raw(&["EXPIRE", key, "60"]);
        assert_eq!(con.scan(set.sscan()).expect("the scan succeeds"), ["a"]);
        con.assert_left(key, HOUR);
    });
}

#[test]
fn without_renew_nothing_changes_the_expiry() {
    on_every_connection(|con| {
        let (set, key) = (Plain { id: 1 }, "bag:plain:1:set");
        con.ok(set.sadd("a"));
        let _: bool = con.raw(&["EXPIRE", key, "60"]);
        con.ok(set.sismember("a"));
        con.ok(set.scard());
        con.ok(set.srandmember());
        con.scan(set.sscan()).expect("the scan succeeds");
        con.assert_left(key, MINUTE);
    });
}

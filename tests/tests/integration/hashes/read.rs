//! `hget hmget hexists hlen hstrlen hrandfield hscan`, and how reads renew the expiry.

use redis_keys::prelude::*;
use redis_keys_tests::{Con, everywhere, on_every_connection};

use super::{Fading, HOUR, MINUTE, Numbers, Plain, Touched};

#[test]
fn single_fields_are_read() {
    on_every_connection(|con| {
        let hash = Plain { id: 1 };
        assert_eq!((con.ok(hash.hget("a")), con.ok(hash.hexists("a"))), (None, false));
        assert_eq!((con.ok(hash.hlen()), con.ok(hash.hstrlen("a"))), (0, 0));
        con.ok(hash.hset("a", "text"));
        assert_eq!((con.ok(hash.hget("a")).as_deref(), con.ok(hash.hexists("a"))), (Some("text"), true));
        assert_eq!((con.ok(hash.hlen()), con.ok(hash.hstrlen("a"))), (1, 4));
        assert_eq!((con.ok(hash.hget("b")), con.ok(hash.hexists("b"))), (None, false));
    });
}

#[test]
fn hmget_keeps_the_order_and_returns_none_for_missing_fields() {
    everywhere(|con| {
        let (hash, missing) = (Numbers { id: 1 }, Numbers { id: 2 });
        for from in (0..1000).step_by(500) {
            con.ok(hash.hset_many((from..from + 500).filter(|n| n % 3 > 0).map(|n| (n, n + 1))));
        }
        for len in [0, 1, 99, 100, 101, 200, 1001] {
            let expected: Vec<_> = (0..len).map(|n| (n % 3 > 0 && n < 1000).then_some(n + 1)).collect();
            assert_eq!(con.ok(hash.hmget(0..len)), expected);
            assert_eq!(con.ok(missing.hmget(0..len)), vec![None; len as usize]);
        }
        assert_eq!(con.ok(hash.hmget([4, 4, 3])), [Some(5), Some(5), None]);
    });
}

#[test]
fn hmget_reads_a_hundred_fields_at_a_time() {
    on_every_connection(|con| {
        for (len, calls) in [(100, 1), (101, 2), (1000, 10)] {
            let _: String = con.raw(&["CONFIG", "RESETSTAT"]);
            con.ok(Numbers { id: 1 }.hmget(0..len));
            let stats = con.info("commandstats");
            assert!(stats.contains(&format!("cmdstat_hmget:calls={calls},")), "{len}: {stats}");
        }
    });
}

#[test]
fn hrandfield_returns_distinct_fields() {
    on_every_connection(|con| {
        let hash = Numbers { id: 1 };
        assert_eq!(con.ok(hash.hrandfield()), None);
        assert!(con.ok(hash.hrandfield_many(3)).is_empty());
        con.ok(hash.hset_many((0..10).map(|n| (n, n))));
        assert!(con.ok(hash.hrandfield()).is_some_and(|field| field < 10));
        for (count, expected) in [(1, 1), (7, 7), (10, 10), (500, 10)] {
            let mut fields = con.ok(hash.hrandfield_many(count));
            fields.sort_unstable();
            fields.dedup();
            assert_eq!(fields.len(), expected, "each is returned once");
        }
    });
}

#[test]
fn hscan_yields_every_field() {
    everywhere(|con| {
        let hash = Numbers { id: 1 };
        assert!(con.scan(hash.hscan()).expect("the scan succeeds").is_empty());
        for from in (0..3000).step_by(500) {
            con.ok(hash.hset_many((from..from + 500).map(|n| (n, n + 1))));
        }
        for count in [1, 100, 500] {
            let mut found = con.scan(hash.hscan().with_count(count)).expect("the scan succeeds");
            found.sort_unstable();
            found.dedup();
            assert_eq!(found, (0..3000).map(|n| (n, n + 1)).collect::<Vec<_>>());
        }
        let mut fields = con.collect(hash.hscan()).expect("the hash is collected");
        fields.sort_unstable();
        assert_eq!(fields, (0..3000).map(|n| (n, n + 1)).collect::<Vec<_>>());
    });
}

/// Runs every read with `seconds` left before it, and asserts the remaining time after it.
fn assert_reads_leave<K: HashKey<Field = u32, Value = u32>>(
    con: &mut Con,
    hash: &K,
    key: &str,
    seconds: &str,
    left: i64,
) {
    let reads: [fn(&mut Con, &K); 8] = [
        |con, hash| assert_eq!(con.ok(hash.hget(&1)), Some(1)),
        |con, hash| assert_eq!(con.ok(hash.hmget([1, 9])), [Some(1), None]),
        |con, hash| assert_eq!(con.ok(hash.hmget(0..250)).len(), 250),
        |con, hash| assert!(con.ok(hash.hexists(&1))),
        |con, hash| assert_eq!(con.ok(hash.hlen()), 2),
        |con, hash| assert_eq!(con.ok(hash.hstrlen(&1)), 1),
        |con, hash| assert_eq!(con.ok(hash.hrandfield_many(9)).len(), 2),
        |con, hash| assert_eq!(con.scan(hash.hscan()).expect("the scan succeeds").len(), 2),
    ];
    con.ok(hash.hset_many([(1, 1), (2, 2)]));
    for read in reads {
        let _: bool = con.raw(&["EXPIRE", key, seconds]);
        con.forget_scripts();
        read(con, hash);
        con.assert_left(key, left);
    }
}

#[test]
fn reads_renew_the_expiry_as_declared() {
    everywhere(|con| {
        assert_reads_leave(con, &Numbers { id: 1 }, "map:numbers:1:hash", "60", MINUTE);
        assert_reads_leave(con, &Touched { id: 1 }, "map:touched:1:hash", "60", HOUR);
        assert_reads_leave(con, &Fading { id: 1 }, "map:fading:1:hash", "60", HOUR);
        assert_reads_leave(con, &Fading { id: 1 }, "map:fading:1:hash", "1200", 20 * MINUTE);
        con.ok(Touched { id: 2 }.hmget(0..250));
        con.ok(Fading { id: 2 }.hmget(0..250));
        assert!(!con.ok(Touched { id: 2 }.exists()), "a read creates no key");
    });
}

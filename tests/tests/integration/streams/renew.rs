//! Reads that renew the expiry.

use std::time::Duration;

use redis_keys::prelude::*;
use redis_keys::types::stream::{EntryId, GroupStart};
use redis_keys_tests::{Con, on_every_connection};

use super::keys::{Fading, HOUR, MINUTE, Payment, Plain, Touched, add, orders};

/// Runs every read with `seconds` left before it, and asserts that `ms` are left after it.
#[track_caller]
fn read_all(con: &mut Con, log: &impl StreamKey<Value = Payment>, key: &str, (seconds, ms): (&str, i64)) {
    con.forget_scripts();
    add(con, log, 1..=3);
    let group = log.group("billing");
    con.ok(group.create(GroupStart::Start));
    macro_rules! assert_left_after {
        ($($read:expr, $found:expr;)*) => {$(
            let _: bool = con.raw(&["EXPIRE", key, seconds]);
            assert_eq!($read, $found);
            con.assert_left(key, ms);
        )*};
    }
    assert_left_after! {
        con.ok(log.xlen()), 3;
        orders(con.ok(log.xrange(.., 9))), [1, 2, 3];
        orders(con.ok(log.xrevrange(.., 9))), [3, 2, 1];
        orders(con.ok(log.xread(EntryId::MIN, 9))), [1, 2, 3];
        orders(con.ok(group.read("a", 9))), [1, 2, 3];
        orders(con.ok(group.read_pending("a", EntryId::MIN, 9)).entries), [1, 2, 3];
        orders(con.ok(group.claim("b", Duration::ZERO, EntryId::MIN, 9)).entries), [1, 2, 3];
        orders(con.ok(group.read_pending("a", EntryId::MIN, 9)).entries), [0; 0];
    }
    let _: bool = con.raw(&["EXPIRE", key, "120"]);
    con.ok(group.ack_many([EntryId::new(1, 0)]));
    con.ok(group.pending(.., 9));
    con.ok(group.consumers());
    con.ok(log.xdel(EntryId::new(1, 0)));
    con.assert_left(key, 120_000);
}

#[test]
fn renew_read_restarts_the_expiry() {
    on_every_connection(|con| read_all(con, &Touched { id: 1 }, "log:touched:1:stream", ("60", HOUR)));
}

#[test]
fn renew_below_restarts_the_expiry_below_the_threshold() {
    on_every_connection(|con| {
        read_all(con, &Fading { id: 1 }, "log:fading:1:stream", ("60", HOUR));
        read_all(con, &Fading { id: 2 }, "log:fading:2:stream", ("1200", 20 * MINUTE));
    });
}

#[test]
fn without_renew_reads_keep_the_expiry() {
    on_every_connection(|con| read_all(con, &Plain { id: 1 }, "log:plain:1:stream", ("60", MINUTE)));
}

#[test]
fn xpages_renews_the_expiry() {
    on_every_connection(|con| {
        add(con, &Touched { id: 1 }, 1..=5);
        let _: bool = con.raw(&["EXPIRE", "log:touched:1:stream", "60"]);
        assert_eq!(con.scan(Touched { id: 1 }.xpages(2)).expect("the scan succeeds").len(), 5);
        con.assert_left("log:touched:1:stream", HOUR);
    });
}

#[test]
fn reading_a_missing_stream_creates_nothing() {
    on_every_connection(|con| {
        assert!(con.ok(Touched { id: 1 }.xread(EntryId::MIN, 5)).is_empty());
        assert!(con.ok(Fading { id: 1 }.xread(EntryId::MIN, 5)).is_empty());
        con.error(Touched { id: 1 }.group("billing").read("a", 5));
        con.error(Fading { id: 1 }.group("billing").read("a", 5));
        assert_eq!(con.raw::<u64>(&["DBSIZE"]), 0);
    });
}

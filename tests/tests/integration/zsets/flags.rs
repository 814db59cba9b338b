//! The flags of `zadd`.

use redis_keys::prelude::*;
use redis_keys_tests::on_every_connection;

use super::{Plain, scored};

#[test]
fn nx_keeps_existing_scores() {
    on_every_connection(|con| {
        let set = Plain { id: 1 };
        assert!(con.ok(set.zadd("a", 1.0).nx()));
        assert!(!con.ok(set.zadd("a", 2.0).nx()));
        assert_eq!(con.ok(set.zadd_many([("a", 3.0), ("b", 3.0)]).nx().ch()), 1);
        assert_eq!(con.ok(set.zrange_withscores(0..9)), scored(&[("a", 1.0), ("b", 3.0)]));
    });
}

#[test]
fn xx_adds_nothing() {
    on_every_connection(|con| {
        let set = Plain { id: 1 };
        assert!(!con.ok(set.zadd("a", 1.0).xx()));
        assert!(!con.ok(set.exists()));
        con.ok(set.zadd("a", 1.0));
        assert_eq!(con.ok(set.zadd_many([("a", 3.0), ("b", 3.0)]).xx()), 0);
        assert_eq!(con.ok(set.zadd_many([("a", 4.0), ("b", 3.0)]).xx().ch()), 1);
        assert_eq!(con.ok(set.zrange_withscores(0..9)), scored(&[("a", 4.0)]));
    });
}

#[test]
fn gt_raises_and_lt_lowers_scores() {
    on_every_connection(|con| {
        let set = Plain { id: 1 };
        assert!(con.ok(set.zadd("a", 5.0).gt()), "new members are added");
        assert!(con.ok(set.zadd("b", 5.0).lt().ch()));
        assert!(!con.ok(set.zadd("a", 4.0).gt().ch()));
        assert!(con.ok(set.zadd("a", 6.0).gt().ch()));
        assert!(!con.ok(set.zadd("a", 7.0).gt()), "without CH only new members count");
        assert!(!con.ok(set.zadd("b", 6.0).lt().ch()));
        assert!(con.ok(set.zadd("b", 4.0).lt().ch()));
        assert!(!con.ok(set.zadd("c", 4.0).xx().gt().ch()));
        assert!(!con.ok(set.zadd("c", 4.0).lt().xx().ch()));
        assert!(con.ok(set.zadd("b", 3.0).lt().xx().ch()));
        assert!(con.ok(set.zadd("a", 8.0).xx().gt().ch()));
        assert_eq!(con.ok(set.zrange_withscores(0..9)), scored(&[("b", 3.0), ("a", 8.0)]));
    });
}

#[test]
fn a_member_may_have_the_name_of_a_flag() {
    on_every_connection(|con| {
        let set = Plain { id: 1 };
        assert_eq!(con.ok(set.zadd_many([("NX", 1.0), ("INCR", 2.0), ("CH", 3.0)])), 3);
        assert!(con.ok(set.zadd("CH", 5.0).gt().ch()));
        assert_eq!(con.ok(set.zrange(0..9)), ["NX", "INCR", "CH"]);
    });
}

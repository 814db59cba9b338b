//! `pfcount_with pfmerge`.

use redis_keys::ErrorKind;
use redis_keys::prelude::*;
use redis_keys_tests::{everywhere, on_a_cluster};

use super::{Day, HOUR, Kept, MINUTE, Night, Week};

#[test]
fn pfmerge_sets_the_expiry_only_on_creation() {
    everywhere(|con| {
        let (week, key) = (Week { id: 1 }, "seen:{1}:week:hyperloglog");
        con.ok(Day { id: 1 }.pfadd_many([1, 2, 3]));
        con.ok(Night { id: 1 }.pfadd_many([3, 4]));
        let _: bool = con.raw(&["EXPIRE", "seen:{1}:day:hyperloglog", "60"]);
        con.ok(week.pfmerge::<Day>([]));
        assert!(!con.ok(week.exists()));
        con.forget_scripts();
        con.ok(week.pfmerge(&[Day { id: 1 }]));
        con.assert_left(key, 2 * HOUR);
        assert_eq!(con.ok(week.pfcount()), 3);
        let _: bool = con.raw(&["EXPIRE", key, "60"]);
        con.ok(week.pfmerge(&[Night { id: 1 }]));
        con.assert_left(key, MINUTE);
        assert_eq!(con.ok(week.pfcount()), 4);
        con.assert_left("seen:{1}:day:hyperloglog", MINUTE);
        con.ok(Kept { id: 1 }.pfmerge(&[Day { id: 1 }]));
        assert_eq!(con.pttl("never:{1}:seen:hyperloglog"), -1);
        con.ok(Week { id: 2 }.pfmerge(&[Day { id: 2 }]));
        con.assert_left("seen:{2}:week:hyperloglog", 2 * HOUR);
    });
}

#[test]
fn pfcount_with_counts_the_union() {
    everywhere(|con| {
        con.ok(Day { id: 1 }.pfadd_many([1, 2, 3]));
        con.ok(Night { id: 1 }.pfadd_many([3, 4]));
        assert_eq!(con.ok(Day { id: 1 }.pfcount_with(&[Night { id: 1 }])), 4);
        assert_eq!(con.ok(Day { id: 1 }.pfcount_with::<Day>([])), 3);
        assert!(!con.ok(Week { id: 1 }.exists()));
    });
}

#[test]
fn keys_in_different_slots_are_rejected() {
    on_a_cluster(|con| {
        con.ok(Day { id: 1 }.pfadd(&1));
        con.ok(Day { id: 2 }.pfadd(&2));
        for error in [
            con.error(Week { id: 1 }.pfmerge(&[Day { id: 1 }, Day { id: 2 }])),
            con.error(Day { id: 1 }.pfcount_with(&[Day { id: 2 }])).clone(),
        ] {
            assert_eq!(error.kind(), ErrorKind::Server, "{error}");
            assert!(error.to_string().contains("CROSSSLOT"), "{error}");
        }
    });
}

//! `pfadd pfcount`.

use redis_keys::ErrorKind;
use redis_keys::prelude::*;
use redis_keys_tests::{everywhere, on_every_connection};

use super::{Day, Fading, HOUR, Kept, MINUTE, Sliding, Touched};

#[test]
fn pfadd_sets_the_expiry_only_on_creation() {
    everywhere(|con| {
        let (seen, key) = (Day { id: 1 }, "seen:{1}:day:hyperloglog");
        con.forget_scripts();
        assert!(con.ok(seen.pfadd(&1)));
        con.assert_left(key, HOUR);
        let _: bool = con.raw(&["EXPIRE", key, "60"]);
        assert!(!con.ok(seen.pfadd(&1)));
        assert!(con.ok(seen.pfadd_many([1, 2, 3])));
        con.assert_left(key, MINUTE);
        con.ok(Day { id: 2 }.pfadd_many([1]));
        con.assert_left("seen:{2}:day:hyperloglog", HOUR);
        con.ok(Kept { id: 1 }.pfadd(&1));
        assert_eq!(con.pttl("never:{1}:seen:hyperloglog"), -1);
        con.ok(Sliding { id: 1 }.pfadd(&1));
        let _: bool = con.raw(&["EXPIRE", "seen:{1}:sliding:hyperloglog", "60"]);
        con.ok(Sliding { id: 1 }.pfadd(&1));
        con.assert_left("seen:{1}:sliding:hyperloglog", HOUR);
        let _: bool = con.raw(&["PERSIST", key]);
        con.ok(seen.pfadd(&1));
        con.assert_left(key, HOUR);
    });
}

#[test]
fn pfcount_estimates_the_number_of_members() {
    on_every_connection(|con| {
        let seen = Day { id: 1 };
        assert_eq!(con.ok(seen.pfcount()), 0);
        assert!(!con.ok(seen.pfadd_many([0; 0])));
        assert!(!con.ok(seen.exists()));
        for from in (0..5000).step_by(250) {
            con.ok(seen.pfadd_many(from..from + 500));
        }
        let count = con.ok(seen.pfcount());
        assert!((5000..=5500).contains(&count), "{count}");
        assert_eq!(con.refused(seen.pfadd_many(0..501)).kind(), ErrorKind::TooMany);
    });
}

#[test]
fn reads_renew_the_expiry_as_declared() {
    everywhere(|con| {
        con.ok(Day { id: 1 }.pfadd(&1));
        con.ok(Touched { id: 1 }.pfadd(&1));
        con.ok(Fading { id: 1 }.pfadd(&1));
        for word in ["day", "touched", "fading"] {
            let _: bool = con.raw(&["EXPIRE", &format!("seen:{{1}}:{word}:hyperloglog"), "60"]);
        }
        con.forget_scripts();
        let counts =
            [con.ok(Day { id: 1 }.pfcount()), con.ok(Touched { id: 1 }.pfcount()), con.ok(Fading { id: 1 }.pfcount())];
        assert_eq!(counts, [1, 1, 1]);
        con.assert_left("seen:{1}:day:hyperloglog", MINUTE);
        con.assert_left("seen:{1}:touched:hyperloglog", HOUR);
        con.assert_left("seen:{1}:fading:hyperloglog", HOUR);
    });
}

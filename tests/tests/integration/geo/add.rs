//! `geoadd zrem`: expiry, caps and flags.

use redis_keys::ErrorKind;
use redis_keys::prelude::*;
use redis_keys::types::geo::GeoPoint;
use redis_keys_tests::{everywhere, on_every_connection};

use super::{CATANIA, Capped, ENNA, HOUR, MINUTE, Numbers, PALERMO, Plain, ROME, Sliding, assert_near};

#[test]
fn geoadd_sets_the_expiry_only_on_creation() {
    everywhere(|con| {
        let (map, key) = (Plain { id: 1 }, "map:plain:1:geo");
        con.forget_scripts();
        assert!(con.ok(map.geoadd("a", PALERMO)));
        con.assert_left(key, HOUR);
        let _: bool = con.raw(&["EXPIRE", key, "60"]);
        assert!(!con.ok(map.geoadd("a", ROME)));
        assert_eq!(con.ok(map.geoadd_many([("a", ENNA), ("b", CATANIA)])), 1);
        assert!(con.ok(map.zrem("b")));
        con.assert_left(key, MINUTE);
        con.ok(Plain { id: 2 }.geoadd_many([("a", PALERMO)]));
        con.ok(Plain { id: 3 }.geoadd("a", PALERMO).nx().ch());
        con.assert_left("map:plain:2:geo", HOUR);
        con.assert_left("map:plain:3:geo", HOUR);
    });
}

#[test]
fn geoadd_adds_a_missing_expiry_and_renews_as_declared() {
    on_every_connection(|con| {
        for word in ["plain", "sliding"] {
            let _: u64 = con.raw(&["GEOADD", &format!("map:{word}:1:geo"), "1", "1", "a"]);
        }
        assert!(!con.ok(Plain { id: 1 }.geoadd("a", ROME)));
        con.assert_left("map:plain:1:geo", HOUR);
        let _: bool = con.raw(&["EXPIRE", "map:sliding:1:geo", "60"]);
        con.ok(Sliding { id: 1 }.geoadd("a", ROME));
        con.assert_left("map:sliding:1:geo", HOUR);
    });
}

#[test]
fn only_new_members_count_towards_max_len() {
    on_every_connection(|con| {
        let (map, key) = (Capped { id: 1 }, "map:capped:1:geo");
        con.forget_scripts();
        let error = con.error(map.geoadd_many([("a", ENNA), ("b", ENNA), ("c", ENNA), ("d", ENNA)]));
        assert_eq!(error.kind(), ErrorKind::CollectionSize, "{error}");
        assert!(error.to_string().contains("exceeds `max_len`: 4 elements, at most 3"), "{error}");
        assert!(!con.ok(map.exists()));
        assert_eq!(
            con.ok(map.geoadd_many([("a", ENNA), ("b", ENNA), ("a", ROME), ("b", ROME)])),
            2,
            "repeated elements count once"
        );
        let _: bool = con.raw(&["EXPIRE", key, "60"]);
        let error = con.error(map.geoadd_many([("a", ENNA), ("x", ENNA), ("y", ENNA), ("x", ENNA)]));
        assert!(error.to_string().contains("exceeds `max_len`: 4 elements"), "{error}");
        assert_eq!(con.ok(map.geoadd_many([("a", CATANIA), ("b", ROME), ("c", ENNA)])), 1);
        assert!(!con.ok(map.geoadd("a", PALERMO)), "a full key accepts existing members");
        assert_eq!(con.ok(map.geoadd_many([("a", PALERMO), ("b", CATANIA)]).ch()), 1);
        for error in [con.error(map.geoadd("x", ROME)), con.error(map.geoadd("x", ROME).nx().ch())] {
            assert!(error.to_string().contains("exceeds `max_len`: 4 elements"), "{error}");
        }
        assert_eq!(con.ok(map.geoadd_many([("x", ROME), ("b", ROME)]).xx().ch()), 1, "XX adds no member");
        assert_near(con.ok(map.geopos("b")).expect("the member exists"), ROME);
        assert_near(con.ok(map.geopos("a")).expect("the member exists"), PALERMO);
        assert_eq!(con.ok(map.zcard()), 3);
        con.assert_left(key, MINUTE);
    });
}

#[test]
fn nx_xx_and_ch_select_what_is_written_and_counted() {
    on_every_connection(|con| {
        let map = Plain { id: 1 };
        assert!(!con.ok(map.geoadd("a", ROME).xx()));
        assert!(!con.ok(map.exists()));
        assert!(con.ok(map.geoadd("a", ROME).nx()));
        assert!(!con.ok(map.geoadd("a", ENNA).nx()));
        assert_near(con.ok(map.geopos("a")).expect("the member exists"), ROME);
        assert!(!con.ok(map.geoadd("a", ENNA).xx()));
        assert!(con.ok(map.geoadd("a", PALERMO).xx().ch()));
        assert!(!con.ok(map.geoadd("a", PALERMO).ch()));
        assert_eq!(con.ok(map.geoadd_many([("a", ROME), ("b", ROME)]).ch()), 2);
    });
}

#[test]
fn zrem_returns_the_number_of_removed_members() {
    on_every_connection(|con| {
        let map = Numbers { id: 1 };
        assert!(!con.ok(map.zrem(&1)));
        assert_eq!(con.ok(map.geoadd_many((0..500).map(|n| (n, ENNA)))), 500);
        assert_eq!(con.ok(map.zrem_many([1, 2, 2, 1000])), 2);
        assert_eq!(con.ok(map.zrem_many(Vec::<u32>::new())), 0);
        assert_eq!(con.ok(map.zcard()), 498);
    });
}

#[test]
fn invalid_additions_are_rejected_before_sending() {
    on_every_connection(|con| {
        let map = Numbers { id: 1 };
        assert_eq!(con.refused(map.geoadd_many((0..501).map(|n| (n, ENNA)))).kind(), ErrorKind::TooMany);
        assert_eq!(con.refused(map.zrem_many(0..501)).kind(), ErrorKind::TooMany);
        assert_eq!(con.refused(Capped { id: 1 }.geoadd("123456789", ENNA)).kind(), ErrorKind::ValueSize);
        for (longitude, latitude) in [(180.1, 0.0), (0.0, 85.06), (f64::NAN, 0.0), (0.0, f64::INFINITY)] {
            assert_eq!(con.refused(map.geoadd(&1, GeoPoint { longitude, latitude })).kind(), ErrorKind::Argument);
        }
    });
}

#[test]
fn extreme_coordinates_are_accepted() {
    on_every_connection(|con| {
        let map = Numbers { id: 1 };
        let ends = [180.0, -180.0]
            .into_iter()
            .flat_map(|longitude| [85.051_128_78, -85.051_128_78].map(|latitude| GeoPoint { longitude, latitude }));
        let ends: Vec<(u32, GeoPoint)> = (0..).zip(ends).collect();
        assert_eq!(con.ok(map.geoadd_many(ends.iter().copied())), 4);
        for (member, point) in ends {
            assert_near(con.ok(map.geopos(&member)).expect("the member exists"), point);
        }
    });
}

//! `geopos geodist geohash zcard zscan`, and how reads renew the expiry.

use redis_keys::prelude::*;
use redis_keys::types::geo::{GeoPoint, GeoUnit};
use redis_keys_tests::{Con, everywhere, on_every_connection};

use super::{CATANIA, CITIES, Fading, HOUR, MINUTE, Numbers, PALERMO, Plain, Touched, assert_near};

#[test]
fn geopos_and_geohash_return_none_for_missing_members() {
    on_every_connection(|con| {
        let map = Plain { id: 1 };
        assert_eq!((con.ok(map.geopos("rome")), con.ok(map.geohash("rome")), con.ok(map.zcard())), (None, None, 0));
        con.ok(map.geoadd_many(CITIES));
        assert_near(con.ok(map.geopos("palermo")).expect("the member exists"), PALERMO);
        let [catania, none, palermo] =
            con.ok(map.geopos_many(["catania", "x", "palermo"])).try_into().expect("there are three results");
        assert_near(catania.expect("the member exists"), CATANIA);
        assert_near(palermo.expect("the member exists"), PALERMO);
        assert_eq!(none, None);
        assert_eq!(con.ok(map.geohash("palermo")).as_deref(), Some("sqc8b49rny0"));
        assert_eq!(con.ok(map.geohash_many(["catania", "x"])), [Some("sqdtr74hyu0".to_owned()), None]);
        assert_eq!(con.ok(map.zcard()), 4);
    });
}

#[test]
fn geodist_converts_units() {
    on_every_connection(|con| {
        let map = Plain { id: 1 };
        assert_eq!(con.ok(map.geodist("palermo", "catania", GeoUnit::Meters)), None);
        con.ok(map.geoadd_many(CITIES));
        for (unit, distance) in [
            (GeoUnit::Meters, 166_274.151_6),
            (GeoUnit::Kilometers, 166.274_2),
            (GeoUnit::Miles, 103.318_2),
            (GeoUnit::Feet, 545_518.869_9),
        ] {
            let found = con.ok(map.geodist("palermo", "catania", unit)).expect("both members exist");
            assert!((found - distance).abs() < 0.01, "{found} {unit:?}");
        }
        assert_eq!(con.ok(map.geodist("rome", "x", GeoUnit::Miles)), None);
    });
}

#[test]
fn zscan_yields_every_member_with_its_position() {
    everywhere(|con| {
        let map = Numbers { id: 1 };
        assert!(con.scan(map.zscan()).expect("the scan succeeds").is_empty());
        let point = |n: u32| GeoPoint {
            longitude: f64::from(n).mul_add(0.239_8, -179.9),
            latitude: f64::from(n % 170).mul_add(1.0, -85.0) + 0.001 * f64::from(n % 7),
        };
        for from in (0..1500).step_by(500) {
            con.ok(map.geoadd_many((from..from + 500).map(|n| (n, point(n)))));
        }
        let mut found = con.scan(map.zscan().with_count(50)).expect("the scan succeeds");
        found.sort_unstable_by_key(|(member, _)| *member);
        found.dedup_by_key(|(member, _)| *member);
        assert_eq!(found.len(), 1500);
        for chunk in found.chunks(500) {
            let positions = con.ok(map.geopos_many(chunk.iter().map(|(member, _)| *member)));
            for ((member, scanned), position) in chunk.iter().zip(positions) {
                assert_near(*scanned, point(*member));
                // GEOPOS prints 17 decimals, so that the two may differ in the last bit.
                let position = position.expect("the member exists");
                let is_same = |left: f64, right: f64| (left - right).abs() < 1e-13;
                assert!(
                    is_same(scanned.longitude, position.longitude) && is_same(scanned.latitude, position.latitude),
                    "{scanned:?} {position:?}"
                );
            }
        }
    });
}

#[test]
fn every_read_renews_with_renew_read() {
    on_every_connection(|con| {
        let (map, key) = (Touched { id: 1 }, "map:touched:1:geo");
        assert_eq!(con.ok(map.geopos("palermo")), None);
        con.ok(map.geoadd_many(CITIES));
        let mut renews = |read: &mut dyn FnMut(&mut Con)| {
            let _: bool = con.raw(&["EXPIRE", key, "60"]);
            con.forget_scripts();
            read(con);
            con.assert_left(key, HOUR);
        };
        renews(&mut |con| assert_near(con.ok(map.geopos("palermo")).expect("the member exists"), PALERMO));
        renews(&mut |con| assert_eq!(con.ok(map.geopos_many(["x"])), [None]));
        renews(&mut |con| assert!(con.ok(map.geodist("palermo", "rome", GeoUnit::Miles)).is_some()));
        renews(&mut |con| assert!(con.ok(map.geohash("palermo")).is_some()));
        renews(&mut |con| assert_eq!(con.ok(map.geohash_many(["x"])), [None]));
        renews(&mut |con| assert_eq!(con.ok(map.zcard()), 4));
        renews(&mut |con| assert_eq!(con.scan(map.zscan()).expect("the scan succeeds").len(), 4));
    });
}

#[test]
fn reads_renew_below_the_threshold() {
    on_every_connection(|con| {
        let (map, key) = (Fading { id: 1 }, "map:fading:1:geo");
        con.ok(map.geoadd_many(CITIES));
        let _: bool = con.raw(&["EXPIRE", key, "1200"]);
        assert!(con.ok(map.geopos("rome")).is_some());
        con.assert_left(key, 20 * MINUTE);
        let _: bool = con.raw(&["EXPIRE", key, "60"]);
        assert!(con.ok(map.geohash("rome")).is_some());
        con.assert_left(key, HOUR);
    });
}

//! `geosearch`.

use redis_keys::ErrorKind;
use redis_keys::prelude::*;
use redis_keys::types::geo::{GeoArea, GeoPoint, GeoUnit};
use redis_keys_tests::{everywhere, on_every_connection};

use super::{CATANIA, CITIES, ENNA, Fading, HOUR, Numbers, PALERMO, Plain, Touched, assert_near};

const SICILY: GeoArea = GeoArea::radius(200.0, GeoUnit::Kilometers);

#[test]
fn geosearch_respects_area_order_and_count() {
    everywhere(|con| {
        let map = Plain { id: 1 };
        assert!(con.ok(map.geosearch(ENNA, SICILY, 5)).is_empty());
        assert!(con.ok(map.geosearch_by_member("enna", SICILY, 5)).is_empty(), "the key is missing");
        con.ok(map.geoadd_many(CITIES));
        assert_eq!(con.ok(map.geosearch(CATANIA, SICILY, 500)), ["catania", "enna", "palermo"]);
        assert_eq!(con.ok(map.geosearch(CATANIA, SICILY, 2)), ["catania", "enna"]);
        assert_eq!(con.ok(map.geosearch(CATANIA, SICILY, 2).desc()), ["palermo", "enna"]);
        assert_eq!(con.ok(map.geosearch(CATANIA, SICILY, 2).any()).len(), 2);
        assert!(con.ok(map.geosearch(CATANIA, SICILY, 0)).is_empty());
        assert_eq!(con.ok(map.geosearch_by_member("palermo", SICILY, 5)), ["palermo", "enna", "catania"]);
        let flat = GeoArea::rectangle(200.0, 20.0, GeoUnit::Miles);
        assert_eq!(con.ok(map.geosearch(ENNA, flat, 5)), ["enna", "catania"]);
        let narrow = GeoArea::rectangle(500_000.0, 3_000_000.0, GeoUnit::Feet);
        assert_eq!(con.ok(map.geosearch_by_member("palermo", narrow, 5).desc()), ["rome", "palermo"]);
        let spot = GeoArea::radius(5.0, GeoUnit::Meters);
        assert_eq!(con.ok(map.geosearch(PALERMO, spot, 5)), ["palermo"]);
    });
}

#[test]
fn geosearch_returns_distances_and_positions() {
    on_every_connection(|con| {
        let map = Plain { id: 1 };
        con.ok(map.geoadd_many(CITIES));
        let found = con.ok(map.geosearch_by_member("catania", SICILY, 5).with_dist());
        let names: Vec<_> = found.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["catania", "enna", "palermo"]);
        assert!(found[0].1.abs() < 1e-4 && (found[2].1 - 166.274_2).abs() < 0.01, "{found:?}");
        let found = con.ok(map.geosearch(CATANIA, SICILY, 1).desc().with_coord());
        assert_eq!(found[0].0, "palermo");
        assert_near(found[0].1, PALERMO);
        let [(name, distance, point)] =
            con.ok(map.geosearch(CATANIA, SICILY, 1).with_dist_and_coord()).try_into().expect("there is one member");
        assert_eq!(name, "catania");
        assert!(distance < 0.001);
        assert_near(point, CATANIA);
        let any = con.ok(map.geosearch(CATANIA, SICILY, 500).with_dist().any());
        assert_eq!(any.len(), 3);
    });
}

#[test]
fn geosearch_renews_as_declared() {
    on_every_connection(|con| {
        let (map, key) = (Touched { id: 1 }, "map:touched:1:geo");
        con.ok(map.geoadd_many(CITIES));
        let _: bool = con.raw(&["EXPIRE", key, "60"]);
        con.forget_scripts();
        assert_eq!(con.ok(map.geosearch(CATANIA, SICILY, 2)), ["catania", "enna"]);
        con.assert_left(key, HOUR);
        // The reply of the script has the same shape.
        let [(name, distance, point)] = con
            .ok(map.geosearch_by_member("enna", SICILY, 1).with_dist_and_coord())
            .try_into()
            .expect("there is one member");
        assert_eq!((name.as_str(), distance < 0.001), ("enna", true));
        assert_near(point, ENNA);
        assert_eq!(con.ok(map.geosearch(CATANIA, SICILY, 5).with_dist().desc())[0].0, "palermo");
        assert_eq!(con.error(map.geosearch_by_member("x", SICILY, 5)).kind(), ErrorKind::NoMember);
        let fading = Fading { id: 1 };
        con.ok(fading.geoadd_many(CITIES));
        let _: bool = con.raw(&["EXPIRE", "map:fading:1:geo", "60"]);
        assert_eq!(con.ok(fading.geosearch(CATANIA, SICILY, 1).with_coord())[0].0, "catania");
        con.assert_left("map:fading:1:geo", HOUR);
    });
}

#[test]
fn a_search_from_a_missing_member_is_an_error() {
    on_every_connection(|con| {
        let map = Plain { id: 1 };
        con.ok(map.geoadd_many(CITIES));
        let error = con.error(map.geosearch_by_member("secret", SICILY, 5).with_dist());
        assert_eq!((error.kind(), error.key()), (ErrorKind::NoMember, Some("map:plain:1:geo")), "{error}");
        assert!(error.to_string().ends_with("starts from a member that does not exist"), "{error}");
    });
}

#[test]
fn invalid_searches_are_rejected_before_sending() {
    on_every_connection(|con| {
        let map = Numbers { id: 1 };
        assert_eq!(con.refused(map.geosearch(ENNA, SICILY, 501)).kind(), ErrorKind::TooMany);
        let off = GeoPoint { longitude: 0.0, latitude: 90.0 };
        assert_eq!(con.refused(map.geosearch(off, SICILY, 5)).kind(), ErrorKind::Argument);
        let wrong = GeoArea::radius(-1.0, GeoUnit::Feet);
        assert_eq!(con.refused(map.geosearch_by_member(&1, wrong, 5).any()).kind(), ErrorKind::Argument);
    });
}

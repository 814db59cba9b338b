//! Keys of another type, members that do not decode, and servers without memory.

use redis_keys::ErrorKind;
use redis_keys::prelude::*;
use redis_keys::types::geo::{GeoArea, GeoUnit};
use redis_keys_tests::{errors, on_every_connection};

use super::{ENNA, Fading, Numbers, Plain, Touched};

const MAP: Plain = Plain { id: 1 };
const AREA: GeoArea = GeoArea::radius(5_000.0, GeoUnit::Miles);

#[test]
fn every_accessor_rejects_a_key_of_another_type() {
    on_every_connection(|con| {
        for word in ["plain", "touched", "fading"] {
            let key = format!("map:{word}:1:geo");
            let _: u64 = con.raw(&["RPUSH", &key, "hidden"]);
            let _: bool = con.raw(&["EXPIRE", &key, "60"]);
        }
        let errors = errors!(con,
            run: [
                MAP.geoadd("x", ENNA),
                MAP.geoadd_many([("x", ENNA)]).nx(),
                MAP.geopos("x"),
                MAP.geopos_many(["x"]),
                MAP.geohash("x"),
                MAP.geohash_many(["x"]),
                MAP.geodist("x", "y", GeoUnit::Feet),
                MAP.geosearch(ENNA, AREA, 5),
                MAP.geosearch_by_member("x", AREA, 5).with_dist(),
                MAP.zcard(),
                MAP.zrem("x"),
                MAP.zrem_many(["x"]),
                Touched { id: 1 }.geosearch(ENNA, AREA, 5),
                Fading { id: 1 }.geosearch(ENNA, AREA, 5),
            ],
            scan: [MAP.zscan()],
        );
        errors.assert_kind(ErrorKind::WrongType).assert_message("holds a list, but a geo is declared");
        assert_eq!(con.raw::<Vec<String>>(&["LRANGE", "map:plain:1:geo", "0", "9"]), ["hidden"]);
        con.assert_left("map:plain:1:geo", 60_000);
    });
}

#[test]
fn a_member_that_does_not_decode_is_an_error() {
    on_every_connection(|con| {
        let key = "map:numbers:1:geo";
        let _: u64 = con.raw(&["GEOADD", key, "1", "1", "secret"]);
        let _: bool = con.raw(&["EXPIRE", key, "60"]);
        let map = Numbers { id: 1 };
        let errors = errors!(con,
            run: [map.geosearch(ENNA, AREA, 5), map.geosearch(ENNA, AREA, 5).with_coord()],
            scan: [map.zscan()],
        );
        errors.assert_kind(ErrorKind::Decode).assert_key(key);
    });
}

#[test]
fn a_write_without_memory_changes_nothing() {
    on_every_connection(|con| {
        let errors = con.without_memory(|con| errors!(con, run: [MAP.geoadd("a", ENNA), MAP.geoadd("a", ENNA).nx()]));
        errors.assert_message("OOM: the memory limit is reached");
        assert_eq!(con.raw::<u64>(&["DBSIZE"]), 0);
    });
}

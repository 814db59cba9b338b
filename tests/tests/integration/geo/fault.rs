//! What is not as declared, on the server.

use redis_keys::prelude::*;
use redis_keys::{
    Error, ErrorKind,
    geo::{GeoArea, GeoUnit},
};
use redis_keys_tests::on_every_connection;

use super::keys::{ENNA, Fading, Numbers, Plain, Touched};

#[track_caller]
fn assert_wrong_type(error: &Error) {
    let text = error.to_string();
    assert_eq!(error.kind(), ErrorKind::WrongType, "{text}");
    assert!(text.contains("holds a list, but a geo is declared"), "{text}");
    assert!(!text.contains("hidden"), "{text}");
}

#[test]
fn another_type_under_the_key_is_named() {
    on_every_connection(|con| {
        for word in ["plain", "touched", "fading"] {
            let key = format!("map:{word}:1:geo");
            let _: u64 = con.raw(&["RPUSH", &key, "hidden"]);
            let _: bool = con.raw(&["EXPIRE", &key, "60"]);
        }
        let (map, area) = (Plain { id: 1 }, GeoArea::radius(5.0, GeoUnit::Miles));
        assert_wrong_type(&con.error(map.geoadd("x", ENNA)));
        assert_wrong_type(&con.error(map.geoadd_many([("x", ENNA)]).nx()));
        assert_wrong_type(&con.error(map.geopos("x")));
        assert_wrong_type(&con.error(map.geopos_many(["x"])));
        assert_wrong_type(&con.error(map.geohash("x")));
        assert_wrong_type(&con.error(map.geohash_many(["x"])));
        assert_wrong_type(&con.error(map.geodist("x", "y", GeoUnit::Feet)));
        assert_wrong_type(&con.error(map.geosearch(ENNA, area, 5)));
        assert_wrong_type(&con.error(map.geosearch_by_member("x", area, 5).with_dist()));
        assert_wrong_type(&con.error(map.zcard()));
        assert_wrong_type(&con.error(map.zrem("x")));
        assert_wrong_type(&con.error(map.zrem_many(["x"])));
        assert_wrong_type(&con.error(Touched { id: 1 }.geosearch(ENNA, area, 5)));
        assert_wrong_type(&con.error(Fading { id: 1 }.geosearch(ENNA, area, 5)));
        assert_wrong_type(&con.scan(map.zscan()).expect_err("it is a list"));
        assert_eq!(con.raw::<Vec<String>>(&["LRANGE", "map:plain:1:geo", "0", "9"]), ["hidden"]);
        con.assert_left("map:plain:1:geo", 60_000);
    });
}

#[test]
fn what_does_not_decode_is_an_error() {
    on_every_connection(|con| {
        let key = "map:numbers:1:geo";
        let _: u64 = con.raw(&["GEOADD", key, "1", "1", "secret"]);
        let _: bool = con.raw(&["EXPIRE", key, "60"]);
        let (map, area) = (Numbers { id: 1 }, GeoArea::radius(5_000.0, GeoUnit::Miles));
        for error in [
            con.error(map.geosearch(ENNA, area, 5)),
            con.error(map.geosearch(ENNA, area, 5).with_coord()),
            con.scan(map.zscan()).expect_err("it does not decode"),
        ] {
            assert_eq!((error.kind(), error.key()), (ErrorKind::Decode, Some(key)), "{error}");
            assert!(!format!("{error}{error:?}").contains("secret"), "{error}");
        }
    });
}

#[test]
fn a_server_without_memory_takes_no_part_of_a_write() {
    on_every_connection(|con| {
        let _: String = con.raw(&["CONFIG", "SET", "maxmemory", "1"]);
        let errors = [con.error(Plain { id: 1 }.geoadd("a", ENNA)), con.error(Plain { id: 1 }.geoadd("a", ENNA).nx())];
        let _: String = con.raw(&["CONFIG", "SET", "maxmemory", "0"]);
        for error in errors {
            assert!(error.to_string().contains("OOM: the memory limit is reached"), "{error}");
        }
        assert_eq!(con.raw::<u64>(&["DBSIZE"]), 0);
    });
}

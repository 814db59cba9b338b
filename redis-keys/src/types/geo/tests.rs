//! Commands and replies of the accessors of `geo` keys.
#![allow(deprecated, reason = "renewals are tested without the bounds that lints ask for")]

use std::iter;

use redis::Value;

use crate::testing::text;
use crate::tests::mock::{bulk, run, server_error};
use crate::types::geo::{GeoArea, GeoPoint, GeoUnit};
use crate::{ErrorKind, GeoKey as _, SendStatus, lua};

macro_rules! keys {
    ($($name:ident $word:ident ($($option:tt)*);)*) => {$(
        #[derive(redis_keys_macros::RedisKey)]
        #[redis_key(map:$word:{id}:geo, value = String, $($option)*, allow(overlap, reason = "each test has keys of its own"), crate = crate)]
        struct $name {
            id: u32,
        }
    )*};
}

keys! {
    Pins pins (ttl = 1h, max_len = 3, max_member_bytes = 8B);
    Touched touched (ttl = 1h, renew = read);
    Fading fading (ttl = 1h, renew = below(10m));
    Kept kept (ttl = never, reason = "the books", rebuild = "from the books");
}

const PINS: Pins = Pins { id: 1 };
const HERE: GeoPoint = GeoPoint { longitude: 13.5, latitude: -38.25 };
const NEARBY: GeoArea = GeoArea::radius(2.5, GeoUnit::Kilometers);

fn call(script: &lua::Script, rest: &str) -> Vec<String> {
    vec![format!("EVALSHA {} 1 {rest}", script.file)]
}

#[test]
fn adding() {
    let add = |rest: &str| call(&lua::GEOADD, &format!("map:pins:1:geo 3600000 {rest}"));
    assert_eq!(text(PINS.geoadd("a", HERE)).unwrap(), add("3 0 13.5 -38.25 a"));
    assert_eq!(text(PINS.geoadd_many([("a", HERE), ("b", HERE)])).unwrap(), add("3 0 13.5 -38.25 a 13.5 -38.25 b"));
    assert_eq!(text(PINS.geoadd("a", HERE).nx().ch()).unwrap(), add("3 2 NX CH 13.5 -38.25 a"));
    assert_eq!(text(PINS.geoadd("a", HERE).ch().xx()).unwrap(), add("4294967295 2 XX CH 13.5 -38.25 a"));
    assert_eq!(
        text(Kept { id: 1 }.geoadd("a", HERE)).unwrap(),
        call(&lua::GEOADD, "map:kept:1:geo  5000 0 13.5 -38.25 a")
    );
    assert!(run(|| PINS.geoadd("a", HERE).into(), [Ok(Value::Int(1))]).0.unwrap());
    assert_eq!(
        run(|| PINS.geoadd_many([("a", HERE)]).into(), [Ok(Value::Int(-4))]).0.unwrap_err().kind(),
        ErrorKind::CollectionSize
    );
    assert_eq!(run(|| PINS.geoadd_many(Vec::<(String, GeoPoint)>::new()).into(), []).0.unwrap(), 0);
}

#[test]
fn invalid_positions_and_distances_are_not_sent() {
    let at = |longitude, latitude| GeoPoint { longitude, latitude };
    for good in [at(180.0, 85.051_128_78), at(-180.0, -85.051_128_78), at(0.0, -0.0)] {
        text(PINS.geoadd("a", good)).unwrap();
        text(PINS.geosearch(good, NEARBY, 1)).unwrap();
    }
    for (wrong, message) in [
        (at(180.000_001, 0.0), "the longitude is not between -180 and 180"),
        (at(f64::NAN, 0.0), "the longitude is not between -180 and 180"),
        (at(0.0, 85.051_128_79), "the latitude is not between -85.05112878 and 85.05112878"),
        (at(0.0, f64::NEG_INFINITY), "the latitude is not between -85.05112878 and 85.05112878"),
    ] {
        for refused in [
            text(PINS.geoadd("a", wrong)),
            text(PINS.geoadd_many([("a", HERE), ("b", wrong)])),
            text(PINS.geosearch(wrong, NEARBY, 1).with_dist()),
        ] {
            let error = refused.unwrap_err();
            assert_eq!((error.kind(), error.sent()), (ErrorKind::Argument, SendStatus::No));
            let message = format!("command on `Pins` (map:pins:1:geo) has an invalid argument: {message}");
            assert_eq!(error.to_string(), message);
        }
    }
    for length in [-1.0, f64::NAN, f64::INFINITY] {
        for wrong in [
            GeoArea::radius(length, GeoUnit::Feet),
            GeoArea::rectangle(1.0, length, GeoUnit::Feet),
            GeoArea::rectangle(length, 1.0, GeoUnit::Feet),
        ] {
            let error = text(PINS.geosearch_by_member("a", wrong, 1)).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Argument);
            assert!(error.to_string().contains("the distance is negative or not finite"));
        }
    }
}

#[test]
fn searching() {
    let search = |rest: &str| vec![format!("GEOSEARCH map:pins:1:geo {rest}")];
    let around = "FROMLONLAT 13.5 -38.25 BYRADIUS 2.5 km";
    assert_eq!(text(PINS.geosearch(HERE, NEARBY, 5)).unwrap(), search(&format!("{around} ASC COUNT 5")));
    assert_eq!(text(PINS.geosearch(HERE, NEARBY, 5).desc()).unwrap(), search(&format!("{around} DESC COUNT 5")));
    assert_eq!(text(PINS.geosearch(HERE, NEARBY, 5).any()).unwrap(), search(&format!("{around} COUNT 5 ANY")));
    assert_eq!(text(PINS.geosearch(HERE, NEARBY, 5).any().asc()).unwrap(), search(&format!("{around} ASC COUNT 5")));
    let with = |rest: &str| search(&format!("{around} ASC COUNT 5 {rest}"));
    assert_eq!(text(PINS.geosearch(HERE, NEARBY, 5).with_dist()).unwrap(), with("WITHDIST"));
    assert_eq!(text(PINS.geosearch(HERE, NEARBY, 5).with_coord()).unwrap(), with("WITHCOORD"));
    assert_eq!(text(PINS.geosearch(HERE, NEARBY, 5).with_dist_and_coord()).unwrap(), with("WITHDIST WITHCOORD"));
    for (unit, name) in [(GeoUnit::Meters, "m"), (GeoUnit::Miles, "mi"), (GeoUnit::Feet, "ft")] {
        let rectangle = GeoArea::rectangle(1e20, 0.5, unit);
        let sent = text(PINS.geosearch_by_member("a", rectangle, 500).desc()).unwrap();
        assert_eq!(sent, search(&format!("FROMMEMBER a BYBOX 1e20 0.5 {name} DESC COUNT 500")));
    }
    assert!(run(|| PINS.geosearch(HERE, NEARBY, 0).with_dist().into(), []).0.unwrap().is_empty());
    assert_eq!(text(PINS.geosearch(HERE, NEARBY, 501)).unwrap_err().kind(), ErrorKind::TooMany);
    assert_eq!(text(PINS.geosearch_by_member("123456789", NEARBY, 5)).unwrap_err().kind(), ErrorKind::ValueSize);
    assert_eq!(
        text(Touched { id: 1 }.geosearch(HERE, NEARBY, 5).with_dist()).unwrap(),
        call(&lua::READ, &format!("map:touched:1:geo 3600000 GEOSEARCH {around} ASC COUNT 5 WITHDIST"))
    );
    assert_eq!(text(Fading { id: 1 }.geosearch(HERE, NEARBY, 5)).unwrap()[1], "PTTL map:fading:1:geo");
}

#[test]
fn replies_to_searches() {
    let member = || Value::BulkString(b"a".into());
    let coord = |text: &str| Value::BulkString(text.into());
    for point in [
        Value::Array(vec![coord("13.5"), coord("-38.25")]),
        Value::Array(vec![Value::Double(13.5), Value::Double(-38.25)]),
    ] {
        let list = |words: Vec<Value>| [Ok(Value::Array(vec![Value::Array(words)]))];
        let search = || PINS.geosearch(HERE, NEARBY, 5);
        assert_eq!(run(|| search().into(), [Ok(Value::Array(vec![member()]))]).0.unwrap(), ["a"]);
        assert_eq!(
            run(|| search().with_dist().into(), list(vec![member(), coord("0.5")])).0.unwrap(),
            [("a".to_owned(), 0.5)]
        );
        let members = run(|| search().with_coord().into(), list(vec![member(), point.clone()])).0;
        assert_eq!(members.unwrap(), [("a".to_owned(), HERE)]);
        let members =
            run(|| search().with_dist_and_coord().into(), list(vec![member(), coord("0.5"), point.clone()])).0;
        assert_eq!(members.unwrap(), [("a".to_owned(), 0.5, HERE)]);
        let wrong = run(|| search().with_dist().into(), list(vec![member(), coord("0.5"), point])).0;
        assert_eq!(wrong.unwrap_err().kind(), ErrorKind::UnexpectedReply);
    }
    for missing in ["ERR could not decode requested zset member", "ERR member secret does not exist"] {
        let error =
            run(|| PINS.geosearch_by_member("secret", NEARBY, 5).into(), [server_error(missing)]).0.unwrap_err();
        assert_eq!((error.kind(), error.sent()), (ErrorKind::NoMember, SendStatus::Yes));
        assert_eq!(error.to_string(), "search in `Pins` (map:pins:1:geo) starts from a member that does not exist");
    }
}

#[test]
fn other_commands() {
    for (sent, expected) in [
        (text(PINS.geopos("a")), "GEOPOS map:pins:1:geo a"),
        (text(PINS.geopos_many(["a", "b"])), "GEOPOS map:pins:1:geo a b"),
        (text(PINS.geodist("a", "b", GeoUnit::Miles)), "GEODIST map:pins:1:geo a b mi"),
        (text(PINS.geohash("a")), "GEOHASH map:pins:1:geo a"),
        (text(PINS.geohash_many(["a", "b"])), "GEOHASH map:pins:1:geo a b"),
        (text(PINS.zcard()), "ZCARD map:pins:1:geo"),
        (text(PINS.zrem("a")), "ZREM map:pins:1:geo a"),
        (text(PINS.zrem_many(["a", "b"])), "ZREM map:pins:1:geo a b"),
    ] {
        assert_eq!(sent.unwrap(), [expected]);
    }
    assert!(run(|| PINS.geopos_many(Vec::<String>::new()), []).0.unwrap().is_empty());
    assert!(run(|| PINS.geohash_many(Vec::<String>::new()), []).0.unwrap().is_empty());
    let members = || (0..501).map(|n| n.to_string());
    for refused in [
        text(PINS.geopos_many(members())).map(drop),
        text(PINS.geohash_many(members())).map(drop),
        text(PINS.geopos_many(iter::repeat("a"))).map(drop),
        text(PINS.geoadd_many(iter::repeat(("a", HERE)))).map(drop),
        text(PINS.zrem_many(members())).map(drop),
    ] {
        assert_eq!(refused.unwrap_err().kind(), ErrorKind::TooMany);
    }
}

#[test]
fn replies_with_positions() {
    let point = Value::Array(vec![Value::Double(13.5), Value::BulkString(b"-38.25".into())]);
    let list = |values: Vec<Value>| [Ok(Value::Array(values))];
    assert_eq!(run(|| PINS.geopos("a"), list(vec![point.clone()])).0.unwrap(), Some(HERE));
    assert_eq!(run(|| PINS.geopos("a"), list(vec![Value::Nil])).0.unwrap(), None);
    assert_eq!(run(|| PINS.geopos_many(["a", "b"]), list(vec![point, Value::Nil])).0.unwrap(), [Some(HERE), None]);
    assert_eq!(run(|| PINS.geopos("a"), list(Vec::new())).0.unwrap_err().kind(), ErrorKind::UnexpectedReply);
    for wrong in [vec![], vec![Value::Nil], vec![Value::Nil; 3]] {
        let error = run(|| PINS.geopos_many(["a", "b"]), list(wrong.clone())).0.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::UnexpectedReply);
        let error = run(|| PINS.geohash_many(["a", "b"]), list(wrong)).0.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::UnexpectedReply);
    }
    assert_eq!(run(|| PINS.geohash("a"), list(vec![Value::Nil])).0.unwrap(), None);
    assert_eq!(run(|| PINS.geodist("a", "b", GeoUnit::Feet), [bulk("166274.1516")]).0.unwrap(), Some(166_274.151_6));
    assert_eq!(run(|| PINS.geodist("a", "b", GeoUnit::Feet), [Ok(Value::Nil)]).0.unwrap(), None);
}

#[test]
fn cells() {
    // Palermo, from the documentation of GEOADD and GEOPOS.
    let palermo = GeoPoint::of_cell(3_479_099_956_230_698.0).unwrap();
    assert!((palermo.longitude - 13.361_389_338_970_184).abs() < 1e-14);
    assert!((palermo.latitude - 38.115_556_395_496_3).abs() < 1e-14);
    let corner = GeoPoint::of_cell(0.0).unwrap();
    assert!(corner.longitude < -179.999_99 && corner.latitude < -85.051_12);
    let opposite_corner = GeoPoint::of_cell(2_f64.powi(52) - 1.0).unwrap();
    assert!(opposite_corner.longitude > 179.999_99 && opposite_corner.latitude > 85.051_12);
    for no_cell in [-1.0, 0.5, 2_f64.powi(52), f64::INFINITY, f64::NAN] {
        assert_eq!(GeoPoint::of_cell(no_cell), None);
    }
}

#[test]
fn debug_shows_the_key_only() {
    assert_eq!(format!("{:?}", PINS.geoadd("secret", HERE)), "GeoAdd { key: Ok(\"map:pins:1:geo\"), .. }");
    assert_eq!(format!("{:?}", PINS.geosearch(HERE, NEARBY, 5)), "GeoSearch { key: Ok(\"map:pins:1:geo\"), .. }");
}

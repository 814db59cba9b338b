//! Keys of type `geo`. Every key of these tests expires.

mod add;
mod faults;
mod place;
mod search;

use redis_keys::prelude::*;
use redis_keys::types::geo::GeoPoint;

macro_rules! keys {
    ($($name:ident $word:ident ($($option:tt)*);)*) => {$(
        #[derive(RedisKey)]
        #[redis_key(map:$word:{id}:geo, $($option)*)]
        pub(crate) struct $name {
            pub(crate) id: u32,
        }
    )*};
}

keys! {
    Plain plain (value = String, ttl = 1h);
    Numbers numbers (value = u32, ttl = 1h);
    Capped capped (value = String, ttl = 1h, max_len = 3, max_member_bytes = 8B);
    Sliding sliding (value = String, ttl = 1h, renew = write);
    Touched touched (value = String, ttl = 1h, renew = read);
    Fading fading (value = String, ttl = 1h, renew = below(10m));
}

pub(crate) const HOUR: i64 = 3_600_000;
pub(crate) const MINUTE: i64 = 60_000;

pub(crate) const PALERMO: GeoPoint = GeoPoint { longitude: 13.361_389, latitude: 38.115_556 };
pub(crate) const CATANIA: GeoPoint = GeoPoint { longitude: 15.087_269, latitude: 37.502_669 };
/// A city between the two.
pub(crate) const ENNA: GeoPoint = GeoPoint { longitude: 14.279_1, latitude: 37.567_3 };
pub(crate) const ROME: GeoPoint = GeoPoint { longitude: 12.496_4, latitude: 41.902_8 };

/// The four cities for `geoadd_many`.
pub(crate) const CITIES: [(&str, GeoPoint); 4] =
    [("palermo", PALERMO), ("catania", CATANIA), ("enna", ENNA), ("rome", ROME)];

/// Asserts that two points are equal within the precision of Redis.
#[track_caller]
pub(crate) fn assert_near(found: GeoPoint, put: GeoPoint) {
    let near = |found: f64, put: f64| (found - put).abs() < 6e-6;
    assert!(near(found.longitude, put.longitude) && near(found.latitude, put.latitude), "{found:?} is not {put:?}");
}

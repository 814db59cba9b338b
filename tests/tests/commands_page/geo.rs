//! Keys of type `geo`.

use crate::row::{rows, scans};
use crate::section::{Section, keys, more};
use crate::server::{int, page};

use redis_keys::prelude::*;

/// The last known positions of the taxis of a city.
#[derive(RedisKey)]
#[redis_key(taxi:seen.at:{city}:geo, value = u64, ttl = 10m, max_len = 1000)]
struct SeenAt {
    city: u64,
}

pub(crate) fn section() -> Section {
    let seen = SeenAt { city: 1 };
    let here = GeoPoint { longitude: 13.5, latitude: 38.25 };
    let near = GeoArea::radius(2.0, GeoUnit::Kilometers);
    let block = GeoArea::rectangle(300.0, 200.0, GeoUnit::Meters);

    let sliding = Sliding { user: 42 };
    let touched = Touched { user: 42 };
    let fading = Fading { user: 42 };
    let eternal = Eternal { user: 42 };
    let page = |cursor| page(cursor, &["7", "3479447370796909"]);
    let mut rows = rows! {
        seen.geoadd(&7, here);
        seen.geoadd(&7, here).nx();
        seen.geoadd(&7, here).xx().ch();
        seen.geoadd_many([(7, here), (8, here)]);
        seen.geopos(&7);
        seen.geopos_many([7, 8]);
        seen.geodist(&7, &8, GeoUnit::Meters);
        seen.geohash(&7);
        seen.geohash_many([7, 8]);
        seen.geosearch(here, near, 5);
        seen.geosearch(here, block, 5).asc();
        seen.geosearch(here, near, 5).desc();
        seen.geosearch(here, near, 5).any();
        seen.geosearch(here, near, 5).with_dist();
        seen.geosearch(here, near, 5).with_coord();
        seen.geosearch(here, near, 5).with_dist_and_coord();
        seen.geosearch_by_member(&7, near, 5);
        seen.zcard();
        seen.zrem(&7);
        seen.zrem_many([7, 8]);
        seen.purge() => [150, 1000, 100, 1].map(int);
    };
    rows.extend(scans! {
        seen.zscan() => [page("17"), page("0")];
    });
    Section {
        title: "geo",
        summary: "places nearby",
        about: "\
Members with a position, to search by distance. Redis stores them as a sorted set, so some commands start with Z. An addition that
would exceed `max_len` is rejected.",
        file: include_str!("geo.rs"),
        schemas: vec![SeenAt::SCHEMA, Sliding::SCHEMA, Touched::SCHEMA, Fading::SCHEMA, Eternal::SCHEMA],
        types: &["GeoKey", "GeoAdd", "GeoSearch"],
        rows,
        more: more! {
            sliding: sliding.geoadd(&7, here);
            touched: touched.geopos(&7);
            fading: fading.zcard() => [int(1), int(1000), int(1)];
            eternal: eternal.geoadd(&7, here);
        },
    }
}

keys! {
    geo(value = u64) Sliding sliding (ttl = 1h, renew = write);
    geo(value = u64) Touched touched (ttl = 1h, renew = read);
    geo(value = u64) Fading fading (ttl = 1h, renew = below(10m));
    geo(value = u64) Eternal eternal (ttl = never, reason = "billing records", rebuild = "from the books");
}

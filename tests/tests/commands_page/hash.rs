//! Keys of type `hash` with fields of any name.

use std::time::Duration;

use crate::row::{rows, scans};
use crate::section::{Section, keys, more};
use crate::server::{array, bulk, int, page};

use redis_keys::prelude::*;

/// The votes of a user, by article.
#[derive(RedisKey)]
#[redis_key(user:votes:{user}:hash, field = u64, value = i32, ttl = 1d, max_len = 1000)]
struct Votes {
    user: u64,
}

/// The prices of articles, by name.
#[derive(RedisKey)]
#[redis_key(shop:prices:{shop}:hash, field = String, value = f64, ttl = 1d)]
struct Prices {
    shop: u64,
}

pub(crate) fn section() -> Section {
    let votes = Votes { user: 42 };
    let prices = Prices { shop: 1 };

    let sliding = Sliding { user: 42 };
    let touched = Touched { user: 42 };
    let fading = Fading { user: 42 };
    let eternal = Eternal { user: 42 };
    let minute = Duration::from_secs(60);
    let page = |cursor| page(cursor, &["7", "-1"]);
    let mut rows = rows! {
        votes.hget(&7);
        votes.hmget([7, 8]);
        votes.hset(&7, &-1);
        votes.hset_many([(7, -1), (8, 1)]);
        votes.hset_nx(&7, &-1);
        votes.hdel(&7);
        votes.hdel_many([7, 8]);
        votes.hexists(&7);
        votes.hlen();
        votes.hstrlen(&7);
        votes.hincr(&7, 2);
        votes.hdecr(&7, 2);
        prices.hincr_by_float("tea", 0.5);
        votes.entries() => [array(&[])];
        votes.hrandfield();
        votes.hrandfield_many(10);
        votes.hexpire(&7, minute);
        votes.httl(&7);
        votes.hpersist(&7);
        votes.purge() => [int(101), int(1000), page("17"), int(1), int(1)];
    };
    rows.extend(scans! {
        votes.hscan() => [page("17"), page("0")];
    });
    Section {
        title: "hash",
        summary: "values by name",
        about: "\
Values by name, where the names are data. A write that would exceed `max_len` fields is rejected; overwriting a field does not
count. Expiring fields need Redis 7.4 or Valkey 9.",
        file: include_str!("hash.rs"),
        schemas: vec![Votes::SCHEMA, Prices::SCHEMA, Sliding::SCHEMA, Touched::SCHEMA, Fading::SCHEMA, Eternal::SCHEMA],
        types: &["HashKey"],
        rows,
        more: more! {
            sliding: sliding.hset(&7, &-1);
            touched: touched.hget(&7);
            fading: fading.hget(&7) => [bulk("1"), int(1000), int(1)];
            eternal: eternal.hset(&7, &-1);
            eternal: eternal.hincr(&7, 2);
        },
    }
}

keys! {
    hash(field = u64, value = i32) Sliding sliding (ttl = 1h, renew = write);
    hash(field = u64, value = i32) Touched touched (ttl = 1h, renew = read);
    hash(field = u64, value = i32) Fading fading (ttl = 1h, renew = below(10m));
    hash(field = u64, value = i32) Eternal eternal (ttl = never, reason = "billing records", rebuild = "from the books");
}

//! Keys of type `hash` whose fields are open.

use std::time::Duration;

use redis::Value;

use super::{
    row::{rows, scans},
    section::{Section, keys, more},
};
use crate::testing::mock::bulk;

use redis_keys::prelude::*;

/// How a user has voted, by article.
#[derive(RedisKey)]
#[redis_key(user:votes:{user}:hash, field = u64, value = i32, ttl = 1d, max_len = 1000)]
struct Votes {
    user: u64,
}

/// What articles cost, by name.
#[derive(RedisKey)]
#[redis_key(shop:prices:{shop}:hash, field = String, value = f64, ttl = 1d)]
struct Prices {
    shop: u64,
}

pub(super) fn section() -> Section {
    let votes = Votes { user: 42 };
    let prices = Prices { shop: 1 };

    let sliding = Sliding { user: 42 };
    let touched = Touched { user: 42 };
    let fading = Fading { user: 42 };
    let eternal = Eternal { user: 42 };
    let minute = Duration::from_secs(60);
    let number = |number| Ok(Value::Int(number));
    let found = ["7", "-1"].map(|text| bulk(text).unwrap()).to_vec();
    let page = |cursor| Ok(Value::Array(vec![bulk(cursor).unwrap(), Value::Array(found.clone())]));
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
        votes.hrandfield();
        votes.hrandfield_many(10);
        votes.hexpire(&7, minute);
        votes.httl(&7);
        votes.hpersist(&7);
        votes.purge() => [number(101), number(1000), page("17"), number(1), number(1)];
    };
    rows.extend(scans! {
        votes.hscan() => [page("17"), page("0")];
    });
    Section {
        title: "hash with open fields",
        about: "\
Values by name, where the names are not known before. A write that would bring more fields than `max_len` is refused and changes
nothing; fields that are there already do not count. An expiry of fields needs Redis 7.4 or Valkey 9.",
        file: include_str!("hash.rs"),
        sources: &["types/hash/mod.rs"],
        rows,
        more: more! {
            sliding: sliding.hset(&7, &-1);
            touched: touched.hget(&7);
            fading: fading.hget(&7) => [bulk("1"), number(1000), number(1)];
            eternal: eternal.hset(&7, &-1);
            eternal: eternal.hincr(&7, 2);
        },
    }
}

keys! {
    hash(field = u64, value = i32) Sliding sliding (ttl = 1h, renew = write);
    hash(field = u64, value = i32) Touched touched (ttl = 1h, renew = read);
    hash(field = u64, value = i32) Fading fading (ttl = 1h, renew = below(10m));
    hash(field = u64, value = i32) Eternal eternal (ttl = never, reason = "the books");
}

//! Keys of type `zset`.

use crate::row::{rows, scans};
use crate::section::{Section, keys, more};
use crate::server::{WAIT, bulk, int, nil, page};

use redis_keys::prelude::*;

/// The best scores of a game.
#[derive(RedisKey)]
#[redis_key(game:scores:{game}:zset, value = u64, ttl = 7d, keep_top = 100)]
struct Scores {
    game: u64,
}

pub(crate) fn section() -> Section {
    let scores = Scores { game: 1 };

    let capped = Capped { user: 42 };
    let sliding = Sliding { user: 42 };
    let touched = Touched { user: 42 };
    let fading = Fading { user: 42 };
    let eternal = Eternal { user: 42 };
    let page = |cursor| page(cursor, &["42", "9.5"]);
    let mut rows = rows! {
        scores.zadd(&42, 9.5);
        scores.zadd(&42, 9.5).nx();
        scores.zadd(&42, 9.5).xx();
        scores.zadd(&42, 9.5).gt().ch();
        scores.zadd(&42, 9.5).xx().lt();
        scores.zadd_many([(42, 9.5), (43, 7.0)]);
        scores.zincr(&42, 0.5);
        scores.zscore(&42);
        scores.zmscore([42, 43]);
        scores.zrank(&42);
        scores.zrevrank(&42);
        scores.zrange(0..10);
        scores.zrange_withscores(0..10);
        scores.zrevrange(0..10);
        scores.zrevrange_withscores(0..10);
        scores.zrangebyscore(5.0.., 20);
        scores.zrangebyscore_withscores(5.0..9.5, 20);
        scores.zrevrangebyscore(..=9.5, 20);
        scores.zrevrangebyscore_withscores(5.0..9.5, 20);
        scores.zrandmember();
        scores.zrandmember_many(10);
        scores.zrandmember_many_withscores(10);
        scores.zpopmin();
        scores.zpopmin_many(10);
        scores.zpopmax();
        scores.zpopmax_many(10);
        scores.zcard();
        scores.zcount(5.0..9.5);
        scores.zrem(&42);
        scores.zrem_many([42, 43]);
        scores.zremrangebyscore(..5.0);
        scores.zremrangebyrank(0..10);
        scores.bzpopmin(WAIT) => [nil()];
        scores.bzpopmax(WAIT) => [nil()];
        scores.purge() => [150, 1000, 100, 1].map(int);
    };
    rows.extend(scans! {
        scores.zscan() => [page("17"), page("0")];
    });
    Section {
        title: "zset",
        summary: "a leaderboard, a schedule",
        about: "\
Members ordered by score: a leaderboard, or tasks by due time. With `max_len` an addition that would exceed it is rejected; with
`keep_top` it removes the members with the lowest scores.",
        file: include_str!("zset.rs"),
        schemas: vec![Scores::SCHEMA, Capped::SCHEMA, Sliding::SCHEMA, Touched::SCHEMA, Fading::SCHEMA, Eternal::SCHEMA],
        types: &["ZSetKey", "ZAdd"],
        rows,
        more: more! {
            capped: capped.zadd(&42, 9.5);
            capped: capped.zadd(&42, 9.5).gt().ch();
            capped: capped.zincr(&42, 0.5);
            sliding: sliding.zadd(&42, 9.5);
            touched: touched.zscore(&42);
            fading: fading.zscore(&42) => [bulk("9.5"), int(1000), int(1)];
            eternal: eternal.zadd(&42, 9.5);
        },
    }
}

keys! {
    zset(value = u64) Capped capped (ttl = 1h, max_len = 1000);
    zset(value = u64) Sliding sliding (ttl = 1h, renew = write);
    zset(value = u64) Touched touched (ttl = 1h, renew = read);
    zset(value = u64) Fading fading (ttl = 1h, renew = below(10m));
    zset(value = u64) Eternal eternal (ttl = never, reason = "billing records", rebuild = "from the books");
}

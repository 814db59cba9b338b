//! Keys of type `set`.

use crate::row::{rows, scans};
use crate::section::{Section, keys, more};
use crate::server::{array, int, nil, page};

use redis_keys::prelude::*;

/// The followers of a user.
#[derive(RedisKey)]
#[redis_key(user:followers:{user}:set, value = u64, ttl = 1d, max_len = 1000)]
struct Followers {
    user: u64,
}

pub(crate) fn section() -> Section {
    let followers = Followers { user: 42 };

    let sliding = Sliding { user: 42 };
    let touched = Touched { user: 42 };
    let fading = Fading { user: 42 };
    let eternal = Eternal { user: 42 };
    let page = |cursor| page(cursor, &["7"]);
    let hundred = array(&vec![nil(); 100]);
    let mut rows = rows! {
        followers.sadd(&7);
        followers.sadd_many([7, 8]);
        followers.srem(&7);
        followers.srem_many([7, 8]);
        followers.sismember(&7);
        followers.smismember([7, 8]);
        followers.scard();
        followers.members() => [array(&[int(7), int(8)])];
        followers.srandmember();
        followers.srandmember_many(10);
        followers.spop();
        followers.spop_many(10);
        followers.purge() => [int(150), int(1000), hundred, int(1)];
    };
    rows.extend(scans! {
        followers.sscan() => [page("17"), page("0")];
        followers.sscan().with_count(500).with_max_bytes(1 << 20) => [page("17"), page("0")];
    });
    Section {
        title: "set",
        summary: "distinct members",
        about: "\
Distinct members without order: followers, tags. An addition that would exceed `max_len` is rejected; existing members do not
count.",
        file: include_str!("set.rs"),
        schemas: vec![Followers::SCHEMA, Sliding::SCHEMA, Touched::SCHEMA, Fading::SCHEMA, Eternal::SCHEMA],
        types: &["SetKey", "Scan"],
        rows,
        more: more! {
            sliding: sliding.sadd(&7);
            touched: touched.sismember(&7);
            fading: fading.sismember(&7) => [int(1), int(1000), int(1)];
            eternal: eternal.sadd(&7);
        },
    }
}

keys! {
    set(value = u64) Sliding sliding (ttl = 1h, renew = write);
    set(value = u64) Touched touched (ttl = 1h, renew = read);
    set(value = u64) Fading fading (ttl = 1h, renew = below(10m));
    set(value = u64) Eternal eternal (ttl = never, reason = "billing records", rebuild = "from the books");
}

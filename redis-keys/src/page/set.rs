//! Keys of type `set`.

use redis::Value;

use super::{
    row::{rows, scans},
    section::{Section, keys, more},
};
use crate::testing::mock::bulk;

use redis_keys::prelude::*;

/// Who follows a user.
#[derive(RedisKey)]
#[redis_key(user:followers:{user}:set, value = u64, ttl = 1d, max_len = 1000)]
struct Followers {
    user: u64,
}

pub(super) fn section() -> Section {
    let followers = Followers { user: 42 };

    let sliding = Sliding { user: 42 };
    let touched = Touched { user: 42 };
    let fading = Fading { user: 42 };
    let eternal = Eternal { user: 42 };
    let page = |cursor| Ok(Value::Array(vec![bulk(cursor).unwrap(), Value::Array(vec![bulk("7").unwrap()])]));
    let hundred = Value::Array(vec![Value::Nil; 100]);
    let mut rows = rows! {
        followers.sadd(&7);
        followers.sadd_many([7, 8]);
        followers.srem(&7);
        followers.srem_many([7, 8]);
        followers.sismember(&7);
        followers.smismember([7, 8]);
        followers.scard();
        followers.srandmember();
        followers.srandmember_many(10);
        followers.spop();
        followers.spop_many(10);
        followers.purge() => [Ok(Value::Int(150)), Ok(Value::Int(1000)), Ok(hundred), Ok(Value::Int(1))];
    };
    rows.extend(scans! {
        followers.sscan() => [page("17"), page("0")];
        followers.sscan().count(500) => [page("17"), page("0")];
    });
    Section {
        title: "set",
        about: "\
Members, each once and in no order: who follows whom, which tags something has. An addition that would make it larger than
`max_len` is refused and changes nothing; members that are there already do not count.",
        file: include_str!("set.rs"),
        sources: &["types/set.rs", "scan/mod.rs"],
        rows,
        more: more! {
            sliding: sliding.sadd(&7);
            touched: touched.sismember(&7);
            fading: fading.sismember(&7) => [Ok(Value::Int(1)), Ok(Value::Int(1000)), Ok(Value::Int(1))];
            eternal: eternal.sadd(&7);
        },
    }
}

keys! {
    set(value = u64) Sliding sliding (ttl = 1h, renew = write);
    set(value = u64) Touched touched (ttl = 1h, renew = read);
    set(value = u64) Fading fading (ttl = 1h, renew = below(10m));
    set(value = u64) Eternal eternal (ttl = never, reason = "the books");
}

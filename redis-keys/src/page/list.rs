//! Keys of type `list`.

use std::time::Duration;

use redis::Value;

use super::{
    row::{rows, scans, waits},
    section::{Section, keys, more},
};
use crate::testing::mock::bulk;

use redis_keys::{list::ListEnd, prelude::*};

/// The articles that a user has read last.
#[derive(RedisKey)]
#[redis_key(user:recent:{user}:list, value = u64, ttl = 7d, keep_last = 100)]
struct Recent {
    user: u64,
}

/// What waits to be worked on.
#[derive(RedisKey)]
#[redis_key(queue:waiting:{#tenant}:list, value = u64, ttl = 1d, max_len = 1000)]
struct Waiting {
    tenant: u64,
}

/// What is being worked on.
#[derive(RedisKey)]
#[redis_key(queue:taken:{#tenant}:list, value = u64, ttl = 1d, max_len = 10)]
struct Taken {
    tenant: u64,
}

pub(super) fn section() -> Section {
    let recent = Recent { user: 42 };
    let waiting = Waiting { tenant: 1 };
    let taken = Taken { tenant: 1 };

    let sliding = Sliding { user: 42 };
    let touched = Touched { user: 42 };
    let fading = Fading { user: 42 };
    let eternal = Eternal { user: 42 };
    let pages = [Ok(Value::Array(vec![bulk("7").unwrap(), bulk("8").unwrap()])), Ok(Value::Array(Vec::new()))];
    let mut rows = rows! {
        recent.lpush(&7);
        recent.lpush_many([7, 8]);
        recent.rpush(&7);
        recent.rpush_many([7, 8]);
        waiting.rpush(&7);
        waiting.rpush_many([7, 8]);
        waiting.lpop();
        waiting.lpop_many(10);
        waiting.rpop();
        waiting.rpop_many(10);
        waiting.lmove(&taken, ListEnd::Left, ListEnd::Right);
        recent.lset(-1, &7);
        recent.lrem(0, &7);
        recent.lrange(0..10);
        recent.llen();
        recent.lindex(0);
        recent.lpos(&7);
        recent.ltrim(0..50);
        recent.purge() => [Ok(Value::Int(150)), Ok(Value::Int(1000)), Ok(Value::Okay), Ok(Value::Int(1))];
    };
    let wait = Duration::from_secs(30);
    rows.extend(waits! {
        waiting.blpop(wait);
        waiting.brpop(wait);
        waiting.blmove(&taken, ListEnd::Left, ListEnd::Right, wait);
    });
    rows.extend(scans! {
        recent.lpages(2) => pages;
    });
    Section {
        title: "list",
        about: "\
Items in their order, each perhaps several times: the last ones of something, or a queue. With `max_len` a push that would make
it longer is refused and changes nothing; with `keep_last` the oldest items go.",
        file: include_str!("list.rs"),
        sources: &["types/list.rs"],
        rows,
        more: more! {
            sliding: sliding.lpush(&7);
            touched: touched.lrange(0..10);
            fading: fading.lrange(0..10) => [Ok(Value::Array(Vec::new())), Ok(Value::Int(1000)), Ok(Value::Int(1))];
            eternal: eternal.lpush(&7);
        },
    }
}

keys! {
    list(value = u64) Sliding sliding (ttl = 1h, renew = write);
    list(value = u64) Touched touched (ttl = 1h, renew = read);
    list(value = u64) Fading fading (ttl = 1h, renew = below(10m));
    list(value = u64) Eternal eternal (ttl = never, reason = "the books");
}

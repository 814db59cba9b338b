//! Keys of type `list`.

use crate::row::{rows, scans};
use crate::section::{Section, keys, more};
use crate::server::{WAIT, array, bulk, int, nil, ok};

use redis_keys::prelude::*;
use redis_keys::types::list::ListEnd;

/// The articles a user has read most recently.
#[derive(RedisKey)]
#[redis_key(user:recent:{user}:list, value = u64, ttl = 7d, keep_last = 100)]
struct Recent {
    user: u64,
}

/// Jobs that no worker has started.
#[derive(RedisKey)]
#[redis_key(queue:waiting:{#tenant}:list, value = u64, ttl = 1d, max_len = 1000)]
struct Waiting {
    tenant: u64,
}

/// Jobs in progress.
#[derive(RedisKey)]
#[redis_key(queue:taken:{#tenant}:list, value = u64, ttl = 1d, max_len = 10)]
struct JobsInProgress {
    tenant: u64,
}

pub(crate) fn section() -> Section {
    let recent = Recent { user: 42 };
    let waiting = Waiting { tenant: 1 };
    let taken = JobsInProgress { tenant: 1 };

    let sliding = Sliding { user: 42 };
    let touched = Touched { user: 42 };
    let fading = Fading { user: 42 };
    let eternal = Eternal { user: 42 };
    let pages = [array(&[bulk("7"), bulk("8")]), array(&[])];
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
        recent.lrange(..10);
        recent.items() => [array(&[int(7), int(8)])];
        recent.llen();
        recent.lindex(0);
        recent.lpos(&7);
        recent.ltrim(0..50);
        waiting.blpop(WAIT) => [nil()];
        waiting.brpop(WAIT) => [nil()];
        waiting.blmove(&taken, ListEnd::Left, ListEnd::Right, WAIT) => [nil(), nil()];
        recent.purge() => [int(150), int(1000), ok(), int(1)];
    };
    rows.extend(scans! {
        recent.lpages(2) => pages;
    });
    Section {
        title: "list",
        summary: "the latest items, a queue",
        about: "\
Items in order, with repetitions: the most recent ones, or a queue. With `max_len` a push that would exceed it is rejected; with
`keep_last` it removes the oldest items.",
        file: include_str!("list.rs"),
        schemas: vec![Recent::SCHEMA, Waiting::SCHEMA, JobsInProgress::SCHEMA, Sliding::SCHEMA, Touched::SCHEMA, Fading::SCHEMA, Eternal::SCHEMA],
        types: &["ListKey"],
        rows,
        more: more! {
            sliding: sliding.lpush(&7);
            touched: touched.lrange(0..10);
            fading: fading.lrange(0..10) => [array(&[]), int(1000), int(1)];
            eternal: eternal.lpush(&7);
        },
    }
}

keys! {
    list(value = u64) Sliding sliding (ttl = 1h, renew = write);
    list(value = u64) Touched touched (ttl = 1h, renew = read);
    list(value = u64) Fading fading (ttl = 1h, renew = below(10m));
    list(value = u64) Eternal eternal (ttl = never, reason = "billing records", rebuild = "from the books");
}

//! Keys of type `hyperloglog`.

use crate::row::rows;
use crate::section::{Section, keys, more};
use crate::server::int;

use redis_keys::prelude::*;

/// The visitors of a page on a day.
#[derive(RedisKey)]
#[redis_key(page:visitors:{#page}:{day}:hyperloglog, value = u64, ttl = 8d)]
struct Visitors {
    page: u32,
    day: u32,
}

pub(crate) fn section() -> Section {
    let today = Visitors { page: 7, day: 2 };
    let yesterday = Visitors { page: 7, day: 1 };

    let sliding = Sliding { user: 42 };
    let touched = Touched { user: 42 };
    let fading = Fading { user: 42 };
    let eternal = Eternal { user: 42 };
    Section {
        title: "hyperloglog",
        summary: "an approximate count of distinct items",
        about: "\
An estimate of how many distinct members were added, such as the visitors of a page, in at most 12 KB. The members are not stored.
The standard error is 0.81 %.",
        file: include_str!("hyperloglog.rs"),
        schemas: vec![Visitors::SCHEMA, Sliding::SCHEMA, Touched::SCHEMA, Fading::SCHEMA, Eternal::SCHEMA],
        types: &["HyperLogLogKey"],
        rows: rows! {
            today.pfadd(&42);
            today.pfadd_many([42, 43]);
            today.pfcount();
            today.pfcount_with([&yesterday]);
            today.pfmerge([&yesterday]);
        },
        more: more! {
            sliding: sliding.pfadd(&42);
            touched: touched.pfcount();
            fading: fading.pfcount() => [int(5), int(1000), int(1)];
            eternal: eternal.pfadd(&42);
        },
    }
}

keys! {
    hyperloglog(value = u64) Sliding sliding (ttl = 1h, renew = write);
    hyperloglog(value = u64) Touched touched (ttl = 1h, renew = read);
    hyperloglog(value = u64) Fading fading (ttl = 1h, renew = below(10m));
    hyperloglog(value = u64) Eternal eternal (ttl = never, reason = "billing records", rebuild = "from the books");
}

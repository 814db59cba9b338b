//! Keys of type `hyperloglog`.

use redis::Value;

use super::{
    row::rows,
    section::{Section, keys, more},
};

use redis_keys::prelude::*;

/// Who has seen a page on a day.
#[derive(RedisKey)]
#[redis_key(page:visitors:{#page}:{day}:hyperloglog, value = u64, ttl = 8d)]
struct Visitors {
    page: u32,
    day: u32,
}

pub(super) fn section() -> Section {
    let today = Visitors { page: 7, day: 2 };
    let yesterday = Visitors { page: 7, day: 1 };

    let sliding = Sliding { user: 42 };
    let touched = Touched { user: 42 };
    let fading = Fading { user: 42 };
    let eternal = Eternal { user: 42 };
    Section {
        title: "hyperloglog",
        about: "\
About how many different ones there were, such as the visitors of a page, in 12 KB at most. The members are not kept, and the
estimate is off by 0.81 % on average.",
        file: include_str!("hyperloglog.rs"),
        sources: &["types/hyperloglog.rs"],
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
            fading: fading.pfcount() => [Ok(Value::Int(5)), Ok(Value::Int(1000)), Ok(Value::Int(1))];
            eternal: eternal.pfadd(&42);
        },
    }
}

keys! {
    hyperloglog(value = u64) Sliding sliding (ttl = 1h, renew = write);
    hyperloglog(value = u64) Touched touched (ttl = 1h, renew = read);
    hyperloglog(value = u64) Fading fading (ttl = 1h, renew = below(10m));
    hyperloglog(value = u64) Eternal eternal (ttl = never, reason = "the books");
}

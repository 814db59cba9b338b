//! Keys of type `string`.

use std::time::{Duration, SystemTime};

use redis::Value;

use super::{
    row::rows,
    section::{Section, keys, more},
};
use crate::testing::{fix_clock, mock::bulk};

use redis_keys::prelude::*;

/// What a user is called.
#[derive(RedisKey)]
#[redis_key(user:name:{user}:string, value = String, ttl = 1h)]
struct Name {
    user: u64,
}

/// How often a page was seen.
#[derive(RedisKey)]
#[redis_key(page:views:{page}:string, value = u64, ttl = 1d)]
struct Views {
    page: u64,
}

/// What an article costs.
#[derive(RedisKey)]
#[redis_key(shop:price:{article}:string, value = f64, ttl = 1d)]
struct Price {
    article: u64,
}

pub(super) fn section() -> Section {
    let name = Name { user: 42 };
    let views = Views { page: 7 };
    let price = Price { article: 1 };

    let half_an_hour = Duration::from_secs(1800);
    let midnight = SystemTime::UNIX_EPOCH + Duration::from_secs(1_767_225_600);
    let _evening = fix_clock(midnight - half_an_hour);
    let touched = Touched { user: 42 };
    let fading = Fading { user: 42 };
    let eternal = Eternal { user: 42 };
    let counter = Counter { user: 42 };
    let kept = Kept { user: 42 };
    let (found, short, long) = (|| bulk("Ada"), || Ok(Value::Int(1000)), || Ok(Value::Int(600_001)));
    Section {
        title: "string",
        about: "\
A text, a number, or an object that is read and written as a whole: what to take unless another type is clearly better. A value
has at most `max_bytes`. The expiry starts at each `set`, and of what is built up by counting or appending when it begins.",
        file: include_str!("string.rs"),
        sources: &["types/string/mod.rs", "types/string/set.rs"],
        rows: rows! {
            name.get();
            name.get_del();
            name.get_ex();
            Name::get_many([4, 2].map(|user| Name { user }));
            name.set("Ada");
            name.set("Ada").keep_ttl();
            name.set("Ada").expire_in(half_an_hour);
            name.set("Ada").expire_at(midnight);
            name.set("Ada").returning_old();
            name.set_nx("Ada");
            name.set_xx("Ada");
            name.update(|old| old.unwrap_or_default() + "!") => [found(), Ok(Value::Int(1))];
            name.append("!");
            name.strlen();
            name.getrange(0..80);
            views.incr();
            views.incr_by(10);
            views.decr();
            views.decr_by(10);
            price.incr_by_float(0.5);
        },
        more: more! {
            touched: touched.get();
            touched: Touched::get_many([&touched]);
            fading: fading.get() => [found(), long()];
            fading: fading.get() => [found(), short(), Ok(Value::Int(1))];
            eternal: eternal.set("Ada");
            eternal: eternal.set("Ada").keep_ttl();
            eternal: eternal.append("!");
            counter: counter.incr();
            kept: kept.incr();
        },
    }
}

keys! {
    string(value = String) Touched touched (ttl = 1h, renew = read);
    string(value = String) Fading fading (ttl = 1h, renew = below(10m));
    string(value = String) Eternal eternal (ttl = never, reason = "the books");
    string(value = u8) Counter counter (ttl = 1h, renew = write);
    string(value = u64) Kept kept (ttl = never, reason = "the books");
}

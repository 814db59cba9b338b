//! Keys of type `string`.

use std::time::{Duration, SystemTime};

use crate::row::rows;
use crate::section::{Section, keys, more};
use crate::server::{bulk, int};

use redis_keys::prelude::*;

/// The name of a user.
#[derive(RedisKey)]
#[redis_key(user:name:{user}:string, value = String, ttl = 1h)]
struct Name {
    user: u64,
}

/// The views of a page.
#[derive(RedisKey)]
#[redis_key(page:views:{page}:string, value = u64, ttl = 1d)]
struct Views {
    page: u64,
}

/// The price of an article.
#[derive(RedisKey)]
#[redis_key(shop:price:{article}:string, value = f64, ttl = 1d)]
struct Price {
    article: u64,
}

pub(crate) fn section() -> Section {
    let name = Name { user: 42 };
    let views = Views { page: 7 };
    let price = Price { article: 1 };

    let half_an_hour = Duration::from_secs(1800);
    let midnight = SystemTime::UNIX_EPOCH + Duration::from_secs(1_767_225_600);
    let _clock = redis_keys::testing::fix_clock(midnight - half_an_hour);
    let touched = Touched { user: 42 };
    let fading = Fading { user: 42 };
    let eternal = Eternal { user: 42 };
    let counter = Counter { user: 42 };
    let kept = Kept { user: 42 };
    Section {
        title: "string",
        summary: "text, a number, a whole object: the default choice",
        about: "\
Text, a number, or an object that is read and written as a whole: the default choice. Values are limited to `max_bytes`. Each
`set` starts the expiry; appending and counting start it when they create the key.",
        file: include_str!("string.rs"),
        schemas: vec![Name::SCHEMA, Views::SCHEMA, Price::SCHEMA, Touched::SCHEMA, Fading::SCHEMA, Eternal::SCHEMA, Counter::SCHEMA, Kept::SCHEMA],
        types: &["StringKey", "Set", "SetNew"],
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
            name.update(|old| old.unwrap_or_default() + "!") => [bulk("Ada"), int(1)];
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
            fading: fading.get() => [bulk("Ada"), int(600_001)];
            fading: fading.get() => [bulk("Ada"), int(1000), int(1)];
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
    string(value = String) Eternal eternal (ttl = never, reason = "billing records", rebuild = "from the books");
    string(value = u8) Counter counter (ttl = 1h, renew = write);
    string(value = u64) Kept kept (ttl = never, reason = "billing records", rebuild = "from the books");
}

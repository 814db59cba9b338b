//! Keys of type `string` that cache what is loaded from elsewhere.

use std::time::{Duration, SystemTime};

use crate::row::rows;
use crate::section::Section;

use redis_keys::cache::Token;
use redis_keys::prelude::*;

/// The profile of a user, from the database.
#[derive(RedisKey)]
#[redis_key(user:profile:{user}:string, value = Vec<u8>, ttl = 1h, jitter = 5m, cache(null_ttl = 5m, lease = 10s, refresh = 80%))]
struct Profile {
    user: u64,
}

/// The rate of a currency, from a service that is away at times.
#[derive(RedisKey)]
#[redis_key(rates:current:{currency}:string, value = f64, ttl = 1h, jitter = 5m, cache(null_ttl = 5m, stale = 30m))]
struct Rate<'a> {
    currency: &'a str,
}

pub(crate) fn section() -> Section {
    let profile = Profile { user: 42 };
    let rate = Rate { currency: "usd" };
    let token = Token::from(*b"TOKEN-OF-16-BYTE");

    let half_an_hour = Duration::from_secs(1800);
    let midnight = SystemTime::UNIX_EPOCH + Duration::from_secs(1_767_225_600);
    let _clock = redis_keys::testing::fix_clock(midnight - half_an_hour);
    let _jitter = redis_keys::testing::fix_jitter(0.0);
    Section {
        title: "cached",
        summary: "values that are loaded from elsewhere",
        about: "\
A string with `cache(…)` caches a value that is loaded from elsewhere. `claim` begins a load, and `fill` ends it if the token is
still there. `fail` returns an expired value instead, where `stale` keeps one. `claim_refresh` begins a load while the old
value can still be read. In asynchronous code `Cache` sends all of these for you.

Besides a value the key can hold markers, which read as `None` and do not exist for `exists` and `expire`: `\\xC1n`, there is no
value; `\\xC1l` with a token, a caller loads it; `\\xC1a` with tokens, callers have given it up. Because of them, a value that
begins with the byte `\\xC1` is stored behind `\\xC1v`. A random token is shown as `TOKEN-OF-16-BYTE`.",
        file: include_str!("cached.rs"),
        schemas: vec![Profile::SCHEMA, Rate::SCHEMA],
        types: &["CachedKey"],
        rows: rows! {
            profile.get();
            Profile::get_many([4, 2].map(|user| Profile { user }));
            profile.set(b"Ada");
            profile.set(b"\xC1");
            profile.set(b"Ada").expire_in(half_an_hour);
            profile.set(b"Ada").expire_at(midnight);
            profile.claim(&token);
            profile.claim_refresh(&token);
            profile.fill(&token, Some(b"Ada"));
            profile.fill(&token, None);
            profile.abandon(&token);
            profile.exists();
            profile.expire();
            profile.expire_in(half_an_hour);
            rate.get();
            rate.set(&1.08);
            rate.fail(&token);
            rate.ttl();
        },
        more: Vec::new(),
    }
}

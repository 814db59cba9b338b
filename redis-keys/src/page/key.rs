//! What every key can do.

use redis::Value;

use super::{
    row::rows,
    section::{Section, keys, more},
};

use redis_keys::prelude::*;

/// What a user is called.
#[derive(RedisKey)]
#[redis_key(user:name:{user}:string, value = String, ttl = 1h)]
struct Name {
    user: u64,
}

pub(super) fn section() -> Section {
    let name = Name { user: 42 };

    let eternal = Eternal { user: 42 };
    Section {
        title: "every key",
        about: "\
Whatever its type is, a key can be looked for, kept alive and removed. `name.key()` is its text; it sends nothing. `purge` removes
what can be large without a stall: what it sends stands with each type, here of keys that have a hundred elements and a few.",
        file: include_str!("key.rs"),
        sources: &["redis_key.rs"],
        rows: rows! {
            name.exists();
            name.ttl();
            name.expire();
            name.unlink();
            name.purge() => [Ok(Value::Int(1))];
        },
        more: more! {
            eternal: eternal.expire();
        },
    }
}

keys! {
    string(value = String) Eternal eternal (ttl = never, reason = "the books");
}

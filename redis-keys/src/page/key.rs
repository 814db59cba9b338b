//! What every key can do.

use redis::Value;

use crate::testing::mock::server_error;

use super::{
    row::{Row, rows},
    section::{Section, keys, more},
};

use redis_keys::prelude::*;

/// What a user is called.
#[derive(RedisKey)]
#[redis_key(user:nick:{user}:string, value = String, ttl = 1h)]
struct Name {
    user: u64,
}

pub(super) fn section() -> Section {
    let name = Name { user: 42 };

    let eternal = Eternal { user: 42 };
    let mut rows = rows! {
        name.exists();
        name.ttl();
        name.expire();
        name.unlink();
        name.purge() => [Ok(Value::Int(1))];
    };
    let page = |cursor: &str| {
        let keys = Value::Array(vec![Value::BulkString(b"user:nick:42:string".to_vec())]);
        Ok(Value::Array(vec![Value::BulkString(cursor.into()), keys]))
    };
    let replies = || [server_error("ERR This instance has cluster support disabled"), page("17"), page("0")];
    rows.push(Row::found("Name::scan()", replies(), Name::scan()));
    rows.push(Row::found("Name::scan().count(100)", replies(), Name::scan().count(100)));
    Section {
        title: "every key",
        about: "\
Whatever its type is, a key can be looked for, kept alive and removed. `name.key()` is its text and `Name::parse(text)` the key
back from it; they send nothing. `purge` removes what can be large without a stall: what it sends stands with each type, here of
keys that have a hundred elements and a few. `Name::scan()` finds all keys of the declaration: it asks whether the server is one of
a cluster's nodes, and then for each page; on a cluster it asks every primary.",
        file: include_str!("key.rs"),
        sources: &["key/redis_key.rs", "scan/keys.rs"],
        rows,
        more: more! {
            eternal: eternal.expire();
        },
    }
}

keys! {
    string(value = String) Eternal eternal (ttl = never, reason = "the books");
}

//! Accessors of every key.

use crate::row::{Row, rows};
use crate::section::{Section, keys, more};
use crate::server::{error, int, page};

use std::time::Duration;

use redis_keys::prelude::*;

/// The nickname of a user.
#[derive(RedisKey)]
#[redis_key(user:nick:{user}:string, value = String, ttl = 1h)]
struct Name {
    user: u64,
}

pub(crate) fn section() -> Section {
    let name = Name { user: 42 };

    let half_an_hour = Duration::from_secs(1800);

    let eternal = Eternal { user: 42 };
    let mut rows = rows! {
        name.exists();
        name.ttl();
        name.expire();
        name.expire_in(half_an_hour);
        name.unlink();
        name.purge() => [int(1)];
    };
    let page = |cursor| page(cursor, &["user:nick:42:string"]);
    let replies = || [error("ERR This instance has cluster support disabled"), page("17"), page("0")];
    rows.push(Row::found("Name::scan()", replies(), Name::scan()));
    rows.push(Row::found("Name::scan().with_count(100)", replies(), Name::scan().with_count(100)));
    Section {
        title: "every key",
        summary: "expiry, deletion and scans: every key has them",
        about: "\
Accessors of every key, whatever its type. `name.key()` is the text of the key, and `Name::parse(text)` parses it back; they send
nothing. `purge` deletes large keys in small steps; the section of each type shows what it sends, here for a key of about a hundred
elements. `Name::scan()` finds the keys of a declaration. It first asks whether the server is part of a cluster; on a cluster it
scans every primary.",
        file: include_str!("every_key.rs"),
        schemas: vec![Name::SCHEMA, Eternal::SCHEMA],
        types: &["RedisKey", "KeyScan"],
        rows,
        more: more! {
            eternal: eternal.expire();
        },
    }
}

keys! {
    string(value = String) Eternal eternal (ttl = never, reason = "billing records", rebuild = "from the books");
}

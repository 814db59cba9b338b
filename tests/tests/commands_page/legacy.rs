//! Accessors of keys with a legacy text.

use crate::row::rows;
use crate::section::Section;
use crate::server::{array, int};

use redis_keys::prelude::*;

/// How often a user has logged in.
#[derive(RedisKey)]
#[redis_key(user:logins:{user}:string, value = u64, ttl = 1h, formerly = "User:{user}:Logins")]
struct Logins {
    user: u64,
}

pub(crate) fn section() -> Section {
    let logins = Logins { user: 42 };

    let executed = array(&[array(&[int(2)]), array(&[int(8)])]);
    Section {
        title: "legacy text",
        summary: "keys with two names",
        about: "\
Keys that existed before they were declared have two names: the template's and a legacy text. `take_over` renames a key to the
name in use, and `take_over_and` runs a command with it, in one script. `logins.other_name()` has the accessors of the type under
the other name.",
        file: include_str!("legacy.rs"),
        schemas: vec![Logins::SCHEMA],
        types: &[],
        rows: rows! {
            logins.take_over() => [int(2)];
            logins.take_over_and(logins.incr()) => [executed];
            Logins { user: 42 }.other_name().get();
        },
        more: Vec::new(),
    }
}

//! Keys of type `string` with copies.

use crate::row::rows;
use crate::section::Section;
use crate::server::{bulk, nil};

use std::time::Duration;

use redis_keys::prelude::*;

/// The banner of a shop.
#[derive(RedisKey)]
#[redis_key(shop:banner:{shop}:{copy}:string, value = String, ttl = 10m, copies = 2)]
struct Banner {
    shop: u64,
}

pub(crate) fn section() -> Section {
    let banner = Banner { shop: 42 };

    let five_minutes = Duration::from_secs(300);

    let _first = redis_keys::testing::fix_jitter(0.0);
    Section {
        title: "string with copies",
        summary: "a hot value that one server cannot serve alone",
        about: "\
A string that is read more often than one server can handle: with `copies` and `{copy}` it is stored under several keys, in
different slots of a cluster. Each copy has its own command, which on a cluster goes to the copy's node. A read picks a random copy. If that
copy is missing, another one is read, which EXISTS finds if there are more than two. If its node does not answer, another copy is read as
well. `banner.key_of(1)` and `banner.keys()` are the texts of keys and send nothing.",
        file: include_str!("copies.rs"),
        schemas: vec![Banner::SCHEMA],
        types: &["CopiedKey"],
        rows: rows! {
            banner.get() => [bulk("All must go")];
            banner.get() => [nil(), bulk("All must go")];
            banner.set("All must go");
            banner.exists();
            banner.expire();
            banner.expire_in(five_minutes);
            banner.unlink();
            banner.copy(1).ttl();
            banner.any_copy().get();
        },
        more: Vec::new(),
    }
}

//! Hot keys with copies.

use redis::Value;

use super::{row::rows, section::Section};
use crate::testing::{fix_jitter, mock::bulk};

use redis_keys::prelude::*;

/// What everybody sees.
#[derive(RedisKey)]
#[redis_key(shop:banner:{shop}:{copy}:string, value = String, ttl = 10m, copies = 2)]
struct Banner {
    shop: u64,
}

pub(super) fn section() -> Section {
    let banner = Banner { shop: 42 };

    let _first = fix_jitter(0.0);
    let missing = || Ok(Value::Nil);
    Section {
        title: "string with copies",
        about: "\
A hot key, which so many read that one server can't answer them all: with `copies` and `{copy}` a string is kept under several keys,
in different slots of a cluster. Each copy is a redis command of its own, and on a cluster goes to its own node. A read asks one of
them, chosen at random. Where that is missing it is filled from another one, which PTTLs find among more than two: nothing is found
only where all are missing. Where its node does not answer, another one is asked.
`banner.key_of(1)` and `banner.keys()` are texts; they send nothing.",
        file: include_str!("copied.rs"),
        sources: &["types/copies/mod.rs"],
        rows: rows! {
            banner.get() => [bulk("All must go")];
            banner.get() => [missing(), bulk("All must go"), Ok(Value::Int(1234)), Ok(Value::Okay)];
            banner.set("All must go");
            banner.exists();
            banner.expire();
            banner.unlink();
            banner.copy(1).ttl();
            banner.any_copy().get();
        },
        more: Vec::new(),
    }
}

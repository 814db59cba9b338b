//! Rate limits: keys of type `string` with `limit(…)`.

use crate::row::rows;
use crate::section::{Section, keys, more};

use redis_keys::prelude::*;

/// The calls of a user.
#[derive(RedisKey)]
#[redis_key(rate:calls:{user}:string, limit(100 / 1m, burst = 20))]
struct Calls {
    user: u64,
}

pub(crate) fn section() -> Section {
    let calls = Calls { user: 42 };

    let thirds = Thirds { user: 42 };
    Section {
        title: "limit",
        summary: "how often something is allowed",
        about: "\
A string with `limit(…)`, which counts what is allowed in a period. It holds the time at which a whole burst is allowed again, and
expires then. `take` sends how long what is taken lasts, and how long a burst does, in microseconds: here one lasts 600 ms.
Where it is no whole number, it is rounded up. `unlink` resets the limit.",
        file: include_str!("limit.rs"),
        schemas: vec![Calls::SCHEMA, Thirds::SCHEMA],
        types: &["LimitKey"],
        rows: rows! {
            calls.take(1);
            calls.take(20);
            calls.take(0);
            calls.unlink();
        },
        more: more! {
            thirds: thirds.take(1);
        },
    }
}

keys! {
    string() Thirds thirds (limit(3 / 1s));
}

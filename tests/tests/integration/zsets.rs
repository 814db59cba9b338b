//! Sorted-set keys. Every key of these tests expires, except those of the module `never`.

mod add;
mod cap;
mod faults;
mod flags;
mod range;
mod read;
mod remove;
mod score;

use redis_keys::prelude::*;

macro_rules! keys {
    ($($name:ident $module:ident $word:ident ($($option:tt)*);)*) => {$(
        #[derive(RedisKey)]
        #[redis_key($module:$word:{id}:zset, $($option)*)]
        pub(crate) struct $name {
            pub(crate) id: u32,
        }
    )*};
}

keys! {
    Plain rank plain (value = String, ttl = 1h);
    Numbers rank numbers (value = u32, ttl = 1h);
    Capped rank capped (value = String, ttl = 1h, max_len = 3, max_member_bytes = 8B);
    Top rank top (value = String, ttl = 30m, keep_top = 3);
    Sliding rank sliding (value = String, ttl = 1h, renew = write);
    Touched rank touched (value = String, ttl = 1h, renew = read);
    Fading rank fading (value = String, ttl = 1h, renew = below(10m));
    Kept never rank (value = String, ttl = never, reason = "tests keys without expiry", rebuild = "by the test");
}

pub(crate) const HOUR: i64 = 3_600_000;
pub(crate) const MINUTE: i64 = 60_000;

/// Returns members with their scores, as reads do.
pub(crate) fn scored(members: &[(&str, f64)]) -> Vec<(String, f64)> {
    members.iter().map(|(member, score)| ((*member).to_owned(), *score)).collect()
}

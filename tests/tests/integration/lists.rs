//! List keys. Every key of these tests expires, except those of the module `never`.

mod change;
mod cluster;
mod faults;
mod push;
mod read;
mod relocate;

use redis_keys::prelude::*;

macro_rules! keys {
    ($($name:ident $module:ident $word:ident ($($option:tt)*);)*) => {$(
        #[derive(RedisKey)]
        #[redis_key($module:$word:{id}:list, $($option)*)]
        pub(crate) struct $name {
            pub(crate) id: u32,
        }
    )*};
}

keys! {
    Plain line plain (value = String, ttl = 1h);
    Capped line capped (value = String, ttl = 1h, max_len = 5, max_member_bytes = 8B);
    Recent line recent (value = String, ttl = 30m, keep_last = 3);
    Sliding line sliding (value = String, ttl = 1h, renew = write);
    Touched line touched (value = String, ttl = 1h, renew = read);
    Fading line fading (value = String, ttl = 1h, renew = below(10m));
    Kept never kept (value = String, ttl = never, reason = "tests keys without expiry", rebuild = "by the test");
    Numbers line numbers (value = i32, ttl = 1h);
}

/// Keys in one slot for each ID.
#[derive(RedisKey)]
#[redis_key(line:{#id}:tagged:list, value = u32, ttl = 1h, max_len = 3)]
pub(crate) struct TaggedKey {
    pub(crate) id: u32,
}

#[derive(RedisKey)]
#[redis_key(line:{#id}:last:list, value = u32, ttl = 30m, keep_last = 2)]
pub(crate) struct TaggedLast {
    pub(crate) id: u32,
}

pub(crate) const HOUR: i64 = 3_600_000;
pub(crate) const MINUTE: i64 = 60_000;

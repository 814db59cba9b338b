//! Set keys. Every key of these tests expires, except those of the module `never`.

mod add;
mod faults;
mod read;

use redis_keys::prelude::*;

macro_rules! keys {
    ($($name:ident $module:ident $word:ident ($($option:tt)*);)*) => {$(
        #[derive(RedisKey)]
        #[redis_key($module:$word:{id}:set, $($option)*)]
        pub(crate) struct $name {
            pub(crate) id: u32,
        }
    )*};
}

keys! {
    Plain bag plain (value = String, ttl = 1h);
    Numbers bag numbers (value = u32, ttl = 1h);
    Capped bag capped (value = String, ttl = 1h, max_len = 3, max_member_bytes = 8B);
    Sliding bag sliding (value = String, ttl = 1h, renew = write);
    Touched bag touched (value = String, ttl = 1h, renew = read);
    Fading bag fading (value = String, ttl = 1h, renew = below(10m));
    Kept never bag (value = String, ttl = never, reason = "tests keys without expiry", rebuild = "by the test");
}

pub(crate) const HOUR: i64 = 3_600_000;
pub(crate) const MINUTE: i64 = 60_000;

//! Keys of type `bitmap`. Every key of these tests expires, except those of the module `never`.

mod bits;
mod faults;
mod numbers;

use redis_keys::prelude::*;

macro_rules! keys {
    ($($name:ident $module:ident $word:ident ($($option:tt)*);)*) => {$(
        #[derive(RedisKey)]
        #[redis_key($module:$word:{id}:bitmap, $($option)*)]
        pub(crate) struct $name {
            pub(crate) id: u32,
        }
    )*};
}

keys! {
    Plain bits plain (ttl = 1h);
    Small bits small (ttl = 1h, max_bytes = 46B);
    Sliding bits sliding (ttl = 1h, renew = write);
    Touched bits touched (ttl = 1h, renew = read);
    Fading bits fading (ttl = 1h, renew = below(10m));
    Kept never bits (ttl = never, reason = "tests keys without expiry", rebuild = "by the test");
}

pub(crate) const HOUR: i64 = 3_600_000;
pub(crate) const MINUTE: i64 = 60_000;

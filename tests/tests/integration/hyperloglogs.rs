//! Keys of type `hyperloglog`. Every key of these tests expires, except those of the module `never`.

mod count;
mod faults;
mod merge;

use redis_keys::prelude::*;

macro_rules! keys {
    ($($name:ident $module:ident $word:ident ($($option:tt)*);)*) => {$(
        #[derive(RedisKey)]
        #[redis_key($module:{#id}:$word:hyperloglog, value = u32, $($option)*)]
        pub(crate) struct $name {
            pub(crate) id: u32,
        }
    )*};
}

keys! {
    Day seen day (ttl = 1h);
    Night seen night (ttl = 2h);
    Week seen week (ttl = 2h);
    Sliding seen sliding (ttl = 1h, renew = write);
    Touched seen touched (ttl = 1h, renew = read);
    Fading seen fading (ttl = 1h, renew = below(10m));
    Kept never seen (ttl = never, reason = "tests keys without expiry", rebuild = "by the test");
}

pub(crate) const HOUR: i64 = 3_600_000;
pub(crate) const MINUTE: i64 = 60_000;

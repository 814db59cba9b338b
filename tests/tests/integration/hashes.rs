//! Keys of type `hash` with open fields. Every key of these tests expires, except those of the module `never`.

mod batch;
mod count;
mod expiry;
mod faults;
mod read;
mod write;

use redis_keys::prelude::*;

macro_rules! keys {
    ($($name:ident $module:ident $word:ident ($($option:tt)*);)*) => {$(
        #[derive(RedisKey)]
        #[redis_key($module:$word:{id}:hash, $($option)*)]
        pub(crate) struct $name {
            pub(crate) id: u32,
        }
    )*};
}

keys! {
    Plain map plain (field = String, value = String, ttl = 1h);
    Numbers map numbers (field = u32, value = u32, ttl = 1h);
    Narrow map narrow (field = String, value = u8, ttl = 1h, max_len = 3);
    Whole map whole (field = String, value = i64, ttl = 1h);
    Natural map natural (field = String, value = u64, ttl = 1h);
    Floats map floats (field = String, value = f64, ttl = 1h, max_len = 3);
    Singles map singles (field = String, value = f32, ttl = 1h);
    Capped map capped (field = String, value = String, ttl = 1h, max_len = 3, max_member_bytes = 8B);
    Sliding map sliding (field = String, value = i64, ttl = 1h, renew = write);
    Touched map touched (field = u32, value = u32, ttl = 1h, renew = read);
    Fading map fading (field = u32, value = u32, ttl = 1h, renew = below(10m));
    Kept never map (field = String, value = i64, ttl = never, reason = "tests keys without expiry", rebuild = "by the test");
}

#[derive(RedisKey)]
#[redis_key(map:{#id}:tagged:hash, field = u32, value = u32, ttl = 1h, max_len = 3)]
pub(crate) struct TaggedKey {
    pub(crate) id: u32,
}

pub(crate) const HOUR: i64 = 3_600_000;
pub(crate) const MINUTE: i64 = 60_000;

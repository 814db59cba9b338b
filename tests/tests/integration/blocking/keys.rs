//! The keys of these tests.

use redis_keys::prelude::*;

macro_rules! keys {
    ($($name:ident $word:ident $kind:ident ($($option:tt)*);)*) => {$(
        #[derive(RedisKey)]
        #[redis_key(wait:{#id}:$word:$kind, value = u32, $($option)*)]
        pub(crate) struct $name {
            pub(crate) id: u32,
        }
    )*};
}

keys! {
    Jobs jobs list (ttl = 1h);
    Taken taken list (ttl = 2h);
    Few few list (ttl = 1h, max_len = 1);
    Last last list (ttl = 1h, keep_last = 2);
    Ranks ranks zset (ttl = 1h);
}

/// The entries of the streams.
#[derive(Clone, Copy, Debug, PartialEq, RedisHash)]
pub(crate) struct Message {
    pub(crate) number: u32,
}

macro_rules! streams {
    ($($name:ident $word:ident ($($option:tt)*);)*) => {$(
        #[derive(RedisKey)]
        #[redis_key(wait:{#id}:$word:stream, value = Message, $($option)*)]
        pub(crate) struct $name {
            pub(crate) id: u32,
        }
    )*};
}

streams! {
    Mail mail (ttl = 1h);
    Touched touched (ttl = 1h, renew = read);
    Fading fading (ttl = 1h, renew = below(10m));
}

pub(crate) const MAIL: Mail = Mail { id: 1 };
pub(crate) const MAIL_KEY: &str = "wait:{1}:mail:stream";

pub(crate) const JOBS: Jobs = Jobs { id: 1 };
pub(crate) const TAKEN: Taken = Taken { id: 1 };
pub(crate) const RANKS: Ranks = Ranks { id: 1 };

pub(crate) const JOBS_KEY: &str = "wait:{1}:jobs:list";
pub(crate) const TAKEN_KEY: &str = "wait:{1}:taken:list";

pub(crate) const HOUR: i64 = 3_600_000;
pub(crate) const MINUTE: i64 = 60_000;

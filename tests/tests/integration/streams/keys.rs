//! The keys of these tests, and their entries. Every key expires, except those of the module `never`.

use redis_keys::prelude::*;
use redis_keys::types::stream::{Entry, EntryId};
use redis_keys_tests::Con;

#[derive(Debug, PartialEq, RedisHash)]
pub(crate) struct Payment {
    pub(crate) order: u32,
    #[redis_hash(rename = "code")]
    pub(crate) coupon: Option<String>,
    #[redis_hash(default)]
    pub(crate) cents: u32,
}

pub(crate) fn paid(order: u32) -> Payment {
    Payment { order, coupon: None, cents: 100 }
}

macro_rules! keys {
    ($($name:ident $module:ident $word:ident ($($option:tt)*);)*) => {$(
        #[derive(RedisKey)]
        #[redis_key($module:$word:{id}:stream, value = Payment, $($option)*)]
        pub(crate) struct $name {
            pub(crate) id: u32,
        }
    )*};
}

keys! {
    Plain log plain (ttl = 1h);
    Capped log capped (ttl = 1h, max_len = 3, max_member_bytes = 8B);
    Last log last (ttl = 30m, keep_last = 3);
    AboutLast log about (ttl = 1h, keep_last = ~10);
    Sliding log sliding (ttl = 1h, renew = write);
    SlidingLast log slidinglast (ttl = 1h, renew = write, keep_last = 3);
    Touched log touched (ttl = 1h, renew = read);
    Fading log fading (ttl = 1h, renew = below(10m));
    Kept never kept (ttl = never, reason = "tests keys without expiry", rebuild = "by the test");
    KeptLast never last (ttl = never, reason = "tests keys without expiry", rebuild = "by the test", keep_last = 3);
}

/// Keys in one slot for each ID.
#[derive(RedisKey)]
#[redis_key(log:{#id}:tagged:stream, value = Payment, ttl = 1h, max_len = 5)]
pub(crate) struct TaggedKey {
    pub(crate) id: u32,
}

pub(crate) const HOUR: i64 = 3_600_000;
pub(crate) const MINUTE: i64 = 60_000;

pub(crate) fn id(ms: u64) -> EntryId {
    EntryId::new(ms, 0)
}

/// Adds entries with these numbers as IDs and orders.
pub(crate) fn add(con: &mut Con, key: &impl StreamKey<Value = Payment>, numbers: std::ops::RangeInclusive<u32>) {
    for number in numbers {
        con.ok(key.xadd(&paid(number)).id(id(number.into())));
    }
}

/// Returns the orders of entries, all of which must decode.
#[track_caller]
pub(crate) fn orders(entries: Vec<Entry<Payment>>) -> Vec<u32> {
    entries.into_iter().map(|entry| entry.value.expect("the entry decodes").order).collect()
}

/// Adds an entry that does not decode.
pub(crate) fn add_undecodable(con: &mut Con, key: &str, id: &str) {
    let _: String = con.raw(&["XADD", key, id, "order", "secret"]);
}

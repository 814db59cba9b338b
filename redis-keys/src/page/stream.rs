//! Keys of type `stream`.

use std::time::Duration;

use redis::Value;

use super::{
    row::{rows, scans, waits},
    section::{Section, keys, more},
};
use crate::testing::mock::bulk;

use redis_keys::{
    prelude::*,
    stream::{EntryId, GroupStart},
};

/// A payment.
#[derive(RedisHash)]
struct Paid {
    order: u64,
    coupon: Option<String>,
}

/// What has been paid in a shop.
#[derive(RedisKey)]
#[redis_key(shop:paid:{shop}:stream, value = Paid, ttl = 7d, keep_last = ~5000)]
struct Payments {
    shop: u64,
}

pub(super) fn section() -> Section {
    let payments = Payments { shop: 1 };
    let paid = Paid { order: 42, coupon: None };
    let id = EntryId::new(1_767_225_600_000, 3);

    let capped = Capped { user: 42 };
    let exact = Exact { user: 42 };
    let sliding = Sliding { user: 42 };
    let touched = Touched { user: 42 };
    let fading = Fading { user: 42 };
    let eternal = Eternal { user: 42 };
    let number = |number| Ok(Value::Int(number));
    let entry = |id| {
        let fields = Value::Array(vec![bulk("order").unwrap(), bulk("42").unwrap()]);
        Value::Array(vec![bulk(id).unwrap(), fields])
    };
    let pages = [Ok(Value::Array(vec![entry("7-0"), entry("8-0")])), Ok(Value::Array(Vec::new()))];
    let mut rows = rows! {
        payments.xadd(&paid);
        payments.xadd(&paid).id(id);
        payments.xlen();
        payments.xrange(.., 10);
        payments.xrange(id.., 10);
        payments.xrevrange(.., 10);
        payments.xread(id, 10);
        payments.xdel(id);
        payments.xdel_many([id]);
        payments.xtrim(100);
        payments.xtrim_about(100);
        payments.xtrim_before(id);
        payments.group("billing").create(GroupStart::Start);
        payments.purge() => [number(150), number(1000), number(100), number(1)];
    };
    let wait = Duration::from_secs(30);
    rows.extend(waits! {
        payments.xread_block(id, 10, wait);
    });
    rows.extend(scans! {
        payments.xpages(2) => pages;
    });
    Section {
        title: "stream",
        about: "\
A log of entries, each of them a record: what has happened, in its order. With `max_len` an entry too many is refused and changes
nothing; with `keep_last` the oldest entries go, with `~` those that cost the server little. `payments.group(name)` is a group of
consumers: see below.",
        file: include_str!("stream.rs"),
        sources: &["types/stream/mod.rs", "types/stream/add.rs"],
        rows,
        more: more! {
            exact: exact.xadd(&paid);
            capped: capped.xadd(&paid);
            sliding: sliding.xadd(&paid);
            touched: touched.xlen();
            touched: touched.xread(id, 10);
            fading: fading.xlen() => [number(5), number(1000), number(1)];
            eternal: eternal.xadd(&paid);
        },
    }
}

keys! {
    stream(value = Paid) Exact exact (ttl = 1h, keep_last = 1000);
    stream(value = Paid) Capped capped (ttl = 1h, max_len = 1000);
    stream(value = Paid) Sliding sliding (ttl = 1h, renew = write, keep_last = 1000);
    stream(value = Paid) Touched touched (ttl = 1h, renew = read, keep_last = 1000);
    stream(value = Paid) Fading fading (ttl = 1h, renew = below(10m), keep_last = 1000);
    stream(value = Paid) Eternal eternal (ttl = never, reason = "the books", keep_last = 1000);
}

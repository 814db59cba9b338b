//! Keys of type `stream`.

use crate::row::{rows, scans};
use crate::section::{Section, keys, more};
use crate::server::{WAIT, array, bulk, int, nil};

use redis_keys::prelude::*;
use redis_keys::types::stream::EntryId;

/// A payment.
#[derive(RedisHash)]
struct Payment {
    order: u64,
    coupon: Option<String>,
}

/// The payments in a shop.
#[derive(RedisKey)]
#[redis_key(shop:paid:{shop}:stream, value = Payment, ttl = 7d, keep_last = ~5000)]
struct Payments {
    shop: u64,
}

pub(crate) fn section() -> Section {
    let payments = Payments { shop: 1 };
    let paid = Payment { order: 42, coupon: None };
    let id = EntryId::new(1_767_225_600_000, 3);

    let capped = Capped { user: 42 };
    let exact = Exact { user: 42 };
    let sliding = Sliding { user: 42 };
    let touched = Touched { user: 42 };
    let fading = Fading { user: 42 };
    let eternal = Eternal { user: 42 };
    let entry = |id| {
        let fields = array(&[bulk("order"), bulk("42")]);
        array(&[bulk(id), fields])
    };
    let pages = [array(&[entry("7-0"), entry("8-0")]), array(&[])];
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
        payments.xread_block(id, 10, WAIT) => [nil()];
        payments.purge() => [int(150), int(1000), int(100), int(1)];
    };
    rows.extend(scans! {
        payments.xpages(2) => pages;
    });
    Section {
        title: "stream",
        summary: "a log of entries",
        about: "\
A log of entries, each of which is a record. With `max_len` an entry that would exceed it is rejected; with `keep_last` the oldest
entries are removed, and `~` lets the server keep some more, which is faster. `payments.group(name)` is a
[consumer group][consumer groups].",
        file: include_str!("stream.rs"),
        schemas: vec![Payments::SCHEMA, Exact::SCHEMA, Capped::SCHEMA, Sliding::SCHEMA, Touched::SCHEMA, Fading::SCHEMA, Eternal::SCHEMA],
        types: &["StreamKey", "XAdd"],
        rows,
        more: more! {
            exact: exact.xadd(&paid);
            capped: capped.xadd(&paid);
            sliding: sliding.xadd(&paid);
            touched: touched.xlen();
            touched: touched.xread(id, 10);
            fading: fading.xlen() => [int(5), int(1000), int(1)];
            eternal: eternal.xadd(&paid);
        },
    }
}

keys! {
    stream(value = Payment) Exact exact (ttl = 1h, keep_last = 1000);
    stream(value = Payment) Capped capped (ttl = 1h, max_len = 1000);
    stream(value = Payment) Sliding sliding (ttl = 1h, renew = write, keep_last = 1000);
    stream(value = Payment) Touched touched (ttl = 1h, renew = read, keep_last = 1000);
    stream(value = Payment) Fading fading (ttl = 1h, renew = below(10m), keep_last = 1000);
    stream(value = Payment) Eternal eternal (ttl = never, reason = "billing records", rebuild = "from the books", keep_last = 1000);
}

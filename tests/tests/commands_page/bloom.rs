//! Bloom filters: keys of type `bitmap` with `bloom(…)`.

use crate::row::rows;
use crate::section::Section;
use crate::server::record;

use redis_keys::prelude::*;

/// The numbers of the orders of a shop.
#[derive(RedisKey)]
#[redis_key(order:known:{shop}:bitmap, value = u64, ttl = 7d, bloom(expected = 50, false_positives = 10%))]
struct KnownOrders {
    shop: u32,
}

pub(crate) fn section() -> Section {
    let orders = KnownOrders { shop: 7 };

    let _jitter = redis_keys::testing::fix_jitter(0.0);
    let build = begun(&orders);
    Section {
        title: "bloom",
        summary: "items that were certainly not added",
        about: "\
A bitmap with `bloom(…)`, whose *no* is certain: the item was not added. `might_contain` reads the header, and the bits of each item.
`begin` empties the filter, and `finish` sends its bits; between the two, and if it is missing, it answers *maybe*.",
        file: include_str!("bloom.rs"),
        schemas: vec![KnownOrders::SCHEMA],
        types: &["BloomKey"],
        rows: rows! {
            orders.add(&42);
            orders.add_many([42, 43]);
            orders.might_contain(&42);
            orders.might_contain_many([42, 43]);
            orders.begin();
            orders.finish(build, [42, 43]);
        },
        more: Vec::new(),
    }
}

fn begun(orders: &KnownOrders) -> redis_keys::types::bloom::Build {
    let mut build = None;
    record(["+OK\r\n".to_owned()], |con| build = Some(orders.begin().query(con).unwrap()));
    build.unwrap()
}

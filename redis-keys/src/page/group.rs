//! Groups of consumers of a stream.

use std::time::Duration;

use redis::Value;

use super::{
    row::{rows, waits},
    section::{Section, keys, more, with},
};

use redis_keys::{
    prelude::*,
    stream::{EntryId, GroupStart},
};

/// A payment.
#[derive(RedisHash)]
struct Paid {
    order: u64,
}

/// What has been paid in a shop.
#[derive(RedisKey)]
#[redis_key(shop:orders:{shop}:stream, value = Paid, ttl = 7d, keep_last = ~5000)]
struct Payments {
    shop: u64,
}

pub(super) fn section() -> Section {
    let payments = Payments { shop: 1 };
    let billing = payments.group("billing");
    let id = EntryId::new(1_767_225_600_000, 3);

    let touched = Touched { user: 42 };
    let fading = Fading { user: 42 };
    let minute = Duration::from_secs(60);
    let wait = Duration::from_secs(30);
    let mut rows = rows! {
        billing.create(GroupStart::End);
        billing.set_id(GroupStart::After(id));
        billing.read("worker-1", 10);
        billing.ack(id);
        billing.ack_many([id]);
        billing.read_pending("worker-1", EntryId::MIN, 10);
        billing.claim("worker-1", minute, EntryId::MIN, 10);
        billing.pending(.., 10);
        billing.pending_summary();
        billing.consumers();
        billing.delete_consumer("worker-1");
        billing.destroy();
    };
    rows.extend(waits! {
        billing.read_block("worker-1", 10, wait);
    });
    let mut more = more! {
        touched: touched.group("billing").read("worker-1", 10);
        touched: touched.group("billing").claim("worker-1", minute, id, 10);
        fading: fading.group("billing").read("worker-1", 10) => [Ok(Value::Nil), Ok(Value::Int(1000)), Ok(Value::Int(1))];
    };
    more.extend(
        waits! { touched.group("billing").read_block("worker-1", 10, wait); }
            .into_iter()
            .map(|row| with(&touched, row)),
    );
    Section {
        title: "stream: groups of consumers",
        about: "\
The consumers of a group share the entries of a stream: each goes to one of them, and is pending for it until it is acknowledged.",
        file: include_str!("group.rs"),
        sources: &["types/stream/group.rs"],
        rows,
        more,
    }
}

keys! {
    stream(value = Paid) Touched touched (ttl = 1h, renew = read, keep_last = 1000);
    stream(value = Paid) Fading fading (ttl = 1h, renew = below(10m), keep_last = 1000);
}

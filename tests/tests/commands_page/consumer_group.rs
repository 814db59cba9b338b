//! Consumer groups of a stream.

use std::time::Duration;

use crate::row::rows;
use crate::section::{Section, keys, more};
use crate::server::{WAIT, int, nil};

use redis_keys::prelude::*;
use redis_keys::types::stream::EntryId;

/// A payment.
#[derive(RedisHash)]
struct Payment {
    order: u64,
}

/// The payments in a shop.
#[derive(RedisKey)]
#[redis_key(shop:orders:{shop}:stream, value = Payment, ttl = 7d, keep_last = ~5000)]
struct Payments {
    shop: u64,
}

pub(crate) fn section() -> Section {
    let payments = Payments { shop: 1 };
    let billing = payments.group("billing");
    let id = EntryId::new(1_767_225_600_000, 3);

    let touched = Touched { user: 42 };
    let fading = Fading { user: 42 };
    let minute = Duration::from_secs(60);
    let rows = rows! {
        billing.create(GroupStart::End);
        billing.set_id(GroupStart::After(id));
        billing.read("worker-1", 10);
        billing.read_block("worker-1", 10, WAIT) => [nil()];
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
    let more = more! {
        touched: touched.group("billing").read("worker-1", 10);
        touched: touched.group("billing").read_block("worker-1", 10, WAIT) => [nil(), nil(), int(1000), int(1)];
        touched: touched.group("billing").claim("worker-1", minute, id, 10);
        fading: fading.group("billing").read("worker-1", 10) => [nil(), int(1000), int(1)];
    };
    Section {
        title: "consumer groups",
        summary: "entries of a stream that several consumers share",
        about: "\
The consumers of a group share the entries of a stream: each entry is delivered to one of them, and is pending until that one
acknowledges it.",
        file: include_str!("consumer_group.rs"),
        schemas: vec![Payments::SCHEMA, Touched::SCHEMA, Fading::SCHEMA],
        types: &["Group"],
        rows,
        more,
    }
}

keys! {
    stream(value = Payment) Touched touched (ttl = 1h, renew = read, keep_last = 1000);
    stream(value = Payment) Fading fading (ttl = 1h, renew = below(10m), keep_last = 1000);
}

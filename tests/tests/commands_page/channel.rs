//! Channels.

use crate::row::rows;
use crate::section::Section;

use redis_keys::prelude::*;

/// The changes of the orders of a shop.
#[derive(RedisKey)]
#[redis_key(order:changes:{shop}:channel, value = u64)]
struct Changes {
    shop: u32,
}

pub(crate) fn section() -> Section {
    let changes = Changes { shop: 7 };

    Section {
        title: "channel",
        summary: "messages to subscribers",
        about: "\
Messages to those who subscribe at that moment. To a cluster `publish` sends `SPUBLISH`, but in an atomic group.",
        file: include_str!("channel.rs"),
        schemas: vec![Changes::SCHEMA],
        types: &["ChannelKey"],
        rows: rows! {
            changes.publish(&42);
        },
        more: Vec::new(),
    }
}

//! Batches and atomic groups.

use crate::row::rows;
use crate::section::Section;
use crate::server::{array, bulk, int, ok, queued};

use redis_keys::prelude::*;

/// The articles in a cart.
#[derive(RedisKey)]
#[redis_key(cart:items:{#user}:list, value = u64, ttl = 1d)]
struct Items {
    user: u64,
}

/// Their total price.
#[derive(RedisKey)]
#[redis_key(cart:sum:{#user}:string, value = u64, ttl = 1d)]
struct Sum {
    user: u64,
}

pub(crate) fn section() -> Section {
    let items = Items { user: 42 };
    let sum = Sum { user: 42 };

    let executed = array(&[int(1), int(1)]);
    Section {
        title: "batches",
        summary: "many commands in one round trip, and atomic groups",
        about: "\
`batch` sends commands in the fewest round trips possible, in pipelines of 50; each command is atomic on its own. On an asynchronous
cluster connection, commands on one key are sent in order, commands on different keys concurrently, and many reads node by node.
`atomic` runs commands without any other in between; all keys must have the same hash tag. A pipeline cannot retry one command
without reordering others, so the first call of each script in it sends the text, as does every call in an atomic group.",
        file: include_str!("batches.rs"),
        schemas: vec![Items::SCHEMA, Sum::SCHEMA],
        types: &[],
        rows: rows! {
            batch((items.llen(), sum.get())) => [int(1), bulk("5")];
            batch_iter((1..4).map(|user| Items { user }.llen())) => [int(1), int(1), int(1)];
            batch([items.rpush(&7), items.rpush(&8)]) => [int(1), int(1)];
            atomic((items.rpush(&7), sum.incr_by(5))) => [ok(), queued(), queued(), executed];
        },
        more: Vec::new(),
    }
}

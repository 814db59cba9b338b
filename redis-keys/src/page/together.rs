//! Several commands at once.

use redis::{Value, parse_redis_value};

use super::{row::rows, section::Section};
use crate::testing::mock::bulk;

use redis_keys::prelude::*;

/// The articles in a cart.
#[derive(RedisKey)]
#[redis_key(cart:items:{#user}:list, value = u64, ttl = 1d)]
struct Items {
    user: u64,
}

/// What they cost.
#[derive(RedisKey)]
#[redis_key(cart:sum:{#user}:string, value = u64, ttl = 1d)]
struct Sum {
    user: u64,
}

pub(super) fn section() -> Section {
    let items = Items { user: 42 };
    let sum = Sum { user: 42 };

    let (number, queued) = (|| Ok(Value::Int(1)), || parse_redis_value(b"+QUEUED\r\n"));
    let executed = Ok(Value::Array(vec![Value::Int(1), Value::Int(1)]));
    Section {
        title: "several at once",
        about: "\
`batch` sends any commands in as few round trips as there can be, in pipelines of 50; each stays an atom of its own. On a cluster
each goes by itself, those on one key in their order, others at the same time; of many reads those of a node go together. `atomic`
lets nothing come in between; all its keys have the same hash tag. Nothing in a pipeline can be tried again without overtaking others, so in each pipeline the first call of
a script brings its text, and in an atomic group each call does.",
        file: include_str!("together.rs"),
        sources: &[],
        rows: rows! {
            batch((items.llen(), sum.get())) => [number(), bulk("5")];
            batch_iter((1..4).map(|user| Items { user }.llen())) => [number(), number(), number()];
            batch([items.rpush(&7), items.rpush(&8)]) => [number(), number()];
            atomic((items.rpush(&7), sum.incr_by(5))) => [Ok(Value::Okay), queued(), queued(), executed];
        },
        more: Vec::new(),
    }
}

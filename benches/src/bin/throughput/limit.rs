//! Rate limits on one server: with redis-keys, and scripts that are called by hand.

use std::hint::black_box;

use redis::aio::MultiplexedConnection;
use redis::{RedisResult, Value};
use redis_keys::limit::Decision;
use redis_keys::prelude::*;

use crate::connections::{MultiplexedServer, share};
use crate::turns::{Side, take_turns};

/// The ids in a turn of many tasks, and of one.
const IDS: u64 = 1_024;
const IDS_ALONE: u64 = 64;

/// The number of users.
const USERS: u64 = 10_000;

/// A limit that no user reaches.
#[derive(RedisKey)]
#[redis_key(rate:api:{user}:string, limit(1000000 / 1m))]
struct ApiLimit {
    user: u64,
}

/// Decisions for tasks that share a connection: with redis-keys, with its script called by hand, and with an empty
/// script.
pub(crate) fn measure(name: &str, tasks: u64) {
    let server = MultiplexedServer::start();
    let con = server.connect();
    let mut load = redis::cmd("SCRIPT");
    load.arg("LOAD").arg("return 1");
    let empty = server.runtime.block_on(load.query_async(&mut con.clone())).expect("the server replies");
    let ours = async |id, con: &mut MultiplexedConnection| {
        let decision: Decision =
            ApiLimit { user: id % USERS }.take(1).query_async(con).await.expect("the server replies");
        assert!(black_box(decision).allowed, "nobody reaches the limit");
    };
    let by_hand = async |id, (con, script): &mut (MultiplexedConnection, Vec<String>)| {
        evalsha(id, script, con).await;
    };
    let ids = if tasks == 1 { IDS_ALONE } else { IDS };
    let runtime = &server.runtime;
    let side = |script: Vec<String>| {
        let con = (server.connect(), script);
        Side::new(1, ids, move |ids| share(runtime, tasks, &con, ids, by_hand))
    };
    let sides = [
        Side::new(1, ids, |ids| share(runtime, tasks, &con, ids, ours)),
        side(sha1_and_arguments()),
        side(vec![empty]),
    ];
    take_turns(name, 1, sides);
}

/// Returns the command of redis-keys, without the key.
fn sha1_and_arguments() -> Vec<String> {
    let sent = String::from_utf8(ApiLimit { user: 0 }.take(1).packed().expect("the key is valid")).expect("it is text");
    // The length of each argument is before it, and the number of arguments before all.
    let mut words = sent.lines().skip(2).step_by(2).map(str::to_owned).skip(1).collect::<Vec<_>>();
    // The number of keys and the key.
    words.drain(1..3);
    words
}

/// Calls a script for a user, by its SHA-1 and with its arguments.
async fn evalsha(id: u64, script: &[String], con: &mut MultiplexedConnection) {
    let (sha1, arguments) = script.split_first().expect("there is a script");
    let key = format!("rate:by.hand:{}:string", id % USERS);
    let reply: RedisResult<Value> =
        redis::cmd("EVALSHA").arg(sha1).arg(1).arg(key).arg(arguments).query_async(con).await;
    drop(black_box(reply.expect("the server replies")));
}

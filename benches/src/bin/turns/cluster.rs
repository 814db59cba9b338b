//! On a cluster.

use std::hint::black_box;

use futures_util::stream::{self, StreamExt as _};
use redis::{Cmd, Value, cluster::ClusterClient, cluster_async::ClusterConnection, pipe};
use redis_keys::{batch_iter, testing::Cluster};
use redis_keys_bench::{
    Work,
    strings::{Get, Set},
};
use tokio::runtime::Runtime;

use crate::{
    asynchronous::{one_by_one, runtime},
    turns::{Way, take_turns},
};

const COMMANDS: u64 = 1_000;

/// So many single commands are on their way at the same time, by hand.
const IN_FLIGHT: usize = 50;

pub(crate) fn run() {
    let cluster = Cluster::start().expect("a cluster starts");
    let runtime = runtime();
    let client = ClusterClient::new(cluster.urls()).expect("the addresses are good");
    let connect = || runtime.block_on(client.get_async_connection()).expect("it answers");
    batches("set", &Set, &runtime, connect);
    batches("get", &Get, &runtime, connect);
}

fn batches<W: Work>(name: &str, work: &W, runtime: &Runtime, connect: impl Fn() -> ClusterConnection) {
    let (mut ours, hand, mut alone) = (connect(), connect(), connect());
    take_turns(
        name,
        W::COMMANDS,
        [
            Way::new(5, COMMANDS, |ids| {
                let answers = batch_iter(ids.map(|id| work.ours(id))).query_async(&mut ours);
                drop(black_box(runtime.block_on(answers).expect("it answers")));
            }),
            Way::new(5, COMMANDS, |ids| {
                let mut pipe = pipe();
                ids.for_each(|id| work.by_hand(id, &mut pipe));
                runtime.block_on(unordered(pipe.cmd_iter(), &hand));
            }),
            Way::new(1, COMMANDS, |ids| {
                let mut pipe = pipe();
                ids.for_each(|id| work.by_hand(id, &mut pipe));
                runtime.block_on(one_by_one(pipe.cmd_iter(), &mut alone));
            }),
        ],
    );
}

/// Single commands, as many at the same time as is good by hand. The answers come in any order.
async fn unordered(commands: impl Iterator<Item = &Cmd>, con: &ClusterConnection) {
    let answers = commands.map(|command| {
        let mut con = con.clone();
        async move { command.query_async::<Value>(&mut con).await.expect("it answers") }
    });
    drop(black_box(stream::iter(answers).buffer_unordered(IN_FLIGHT).collect::<Vec<_>>().await));
}

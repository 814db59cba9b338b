//! On multiplexed connections, with one task.

use std::hint::black_box;

use redis::{Client, Cmd, Value, aio::MultiplexedConnection, pipe};
use redis_keys::{batch_iter, testing::Server};
use redis_keys_bench::Work;
use tokio::runtime::{Builder, Runtime};

use crate::turns::{Way, take_turns};

/// A server, and connections of its own for each way.
pub(crate) struct Multiplexed {
    server: Server,
    runtime: Runtime,
}

impl Multiplexed {
    pub(crate) fn start() -> Self {
        Self { server: Server::start().expect("a server starts"), runtime: runtime() }
    }

    fn connect(&self) -> MultiplexedConnection {
        let client = Client::open(self.server.url()).expect("the address is good");
        self.runtime.block_on(client.get_multiplexed_async_connection()).expect("it answers")
    }

    /// Batches of so many ids: by this library, by hand, and each command by itself.
    pub(crate) fn batches<W: Work>(&self, name: &str, work: &W, ids: u64) {
        let (mut ours, mut hand, mut alone) = (self.connect(), self.connect(), self.connect());
        let runtime = &self.runtime;
        take_turns(
            name,
            W::COMMANDS,
            [
                Way::new(4, ids, |ids| {
                    let answers = batch_iter(ids.map(|id| work.ours(id))).query_async(&mut ours);
                    drop(black_box(runtime.block_on(answers).expect("it answers")));
                }),
                Way::new(4, ids, |ids| {
                    let mut pipe = pipe();
                    ids.for_each(|id| work.by_hand(id, &mut pipe));
                    drop(black_box(W::read_all(runtime.block_on(pipe.query_async(&mut hand)).expect("it answers"))));
                }),
                Way::new(1, ids, |ids| {
                    let mut pipe = pipe();
                    ids.for_each(|id| work.one_by_one(id, &mut pipe));
                    runtime.block_on(one_by_one(pipe.cmd_iter(), &mut alone));
                }),
            ],
        );
    }
}

/// A runtime on one thread.
pub(crate) fn runtime() -> Runtime {
    Builder::new_current_thread().enable_all().build().expect("a runtime starts")
}

/// Each command after the answer to the one before.
pub(crate) async fn one_by_one(commands: impl Iterator<Item = &Cmd>, con: &mut impl redis::aio::ConnectionLike) {
    for command in commands {
        drop(black_box(command.query_async::<Value>(con).await.expect("it answers")));
    }
}

//! Workloads on the connections of redis-rs. Each side has connections of its own.

use std::hint::black_box;
use std::ops::Range;

use futures_util::stream::{self, StreamExt as _};
use redis::aio::MultiplexedConnection;
use redis::cluster::ClusterClient;
use redis::cluster_async::ClusterConnection;
use redis::{Client, Cmd, Connection, Value, aio, pipe};
use redis_keys::testing::{Cluster, Server};
use redis_keys::{Command, batch_iter, cluster};
use redis_keys_bench::Workload;
use redis_keys_bench::strings::SingleCommand;
use tokio::runtime::{Builder, Runtime};
use tokio::task::LocalSet;

use crate::turns::{Side, take_turns};

/// The number of tasks that share a multiplexed connection.
pub(crate) const TASKS: u64 = 64;

/// The size of a batch on a cluster.
const CLUSTER_BATCH: u64 = 1_000;

/// The number of single commands in flight on a cluster by hand.
const IN_FLIGHT: usize = 50;

/// A server with blocking connections.
pub(crate) struct BlockingServer {
    pub(crate) server: Server,
}

impl BlockingServer {
    pub(crate) fn start() -> Self {
        Self { server: Server::start().expect("a server starts") }
    }

    pub(crate) fn connect(&self) -> Connection {
        Client::open(self.server.url()).and_then(|client| client.get_connection()).expect("the server replies")
    }

    /// Single commands, one after the other.
    pub(crate) fn commands<T, W>(&self, name: &str, workload: &W)
    where
        W: SingleCommand + Workload<Ours = Command<T>>,
    {
        let (mut ours, mut hand) = (self.connect(), self.connect());
        let mut by_hand = |id| {
            let reply: W::Reply = workload.command(id).query(&mut hand).expect("the server replies");
            drop(black_box(W::read(reply)));
        };
        take_turns(name, 1, [our_singles(workload, &mut ours), Side::new(8, 1, |ids| ids.for_each(&mut by_hand))]);
    }

    /// Writes that are one command with redis-keys, and may be several by hand, one after the other.
    pub(crate) fn writes<T, W: Workload<Ours = Command<T>>>(&self, name: &str, workload: &W) {
        let (mut ours, mut hand) = (self.connect(), self.connect());
        let mut by_hand = |id| {
            let mut pipe = pipe();
            workload.by_hand(id, &mut pipe);
            let mut commands = pipe.cmd_iter();
            if let (Some(command), None) = (commands.next(), commands.next()) {
                drop(black_box(W::read(command.query(&mut hand).expect("the server replies"))));
            } else {
                drop(black_box(W::read_all(pipe.query(&mut hand).expect("the server replies"))));
            }
        };
        take_turns(name, 1, [our_singles(workload, &mut ours), Side::new(8, 1, |ids| ids.for_each(&mut by_hand))]);
    }

    /// Batches of `ids` ids: with redis-keys, by hand, and one by one.
    pub(crate) fn batches<W: Workload>(&self, name: &str, workload: &W, ids: u64) {
        let (mut ours, mut hand, mut single) = (self.connect(), self.connect(), self.connect());
        take_turns(
            name,
            W::COMMANDS,
            [
                Side::new(4, ids, |ids| {
                    let batch = batch_iter(ids.map(|id| workload.ours(id)));
                    drop(black_box(batch.query(&mut ours).expect("the server replies")));
                }),
                Side::new(4, ids, |ids| {
                    let mut pipe = pipe();
                    ids.for_each(|id| workload.by_hand(id, &mut pipe));
                    drop(black_box(W::read_all(pipe.query(&mut hand).expect("the server replies"))));
                }),
                Side::new(1, ids, |ids| {
                    let mut pipe = pipe();
                    ids.for_each(|id| workload.one_by_one(id, &mut pipe));
                    for command in pipe.cmd_iter() {
                        drop(black_box(command.query::<Value>(&mut single).expect("the server replies")));
                    }
                }),
            ],
        );
    }
}

fn our_singles<'a, T, W: Workload<Ours = Command<T>>>(workload: &'a W, con: &'a mut Connection) -> Side<'a> {
    Side::new(8, 1, |ids| {
        ids.for_each(|id| drop(black_box(workload.ours(id).query(con).expect("the server replies"))));
    })
}

/// A server with multiplexed connections.
pub(crate) struct MultiplexedServer {
    pub(crate) server: Server,
    pub(crate) runtime: Runtime,
}

impl MultiplexedServer {
    pub(crate) fn start() -> Self {
        Self { server: Server::start().expect("a server starts"), runtime: runtime() }
    }

    pub(crate) fn connect(&self) -> MultiplexedConnection {
        let client = Client::open(self.server.url()).expect("the address is valid");
        self.runtime.block_on(client.get_multiplexed_async_connection()).expect("the server replies")
    }

    /// The connection of redis-keys.
    pub(crate) fn connect_own(&self) -> redis_keys::Connection {
        redis_keys::connect(self.server.url()).expect("the address is valid")
    }

    /// Single commands of tasks that share a connection and each wait for one reply at a time: with redis-keys, by
    /// hand, and with redis-keys on its own connection.
    pub(crate) fn tasks<T, W>(&self, name: &str, tasks: u64, workload: W)
    where
        W: SingleCommand + Workload<Ours = Command<T>> + Copy + 'static,
    {
        let (con, own) = (self.connect(), self.connect_own());
        let ours = async move |id, con: &mut MultiplexedConnection| {
            drop(black_box(workload.ours(id).query_async(con).await.expect("the server replies")));
        };
        let on_own = async move |id, con: &mut redis_keys::Connection| {
            drop(black_box(workload.ours(id).query_async(con).await.expect("the server replies")));
        };
        let by_hand = async move |id, con: &mut MultiplexedConnection| {
            let reply: W::Reply = workload.command(id).query_async(con).await.expect("the server replies");
            drop(black_box(W::read(reply)));
        };
        let ids = 16 * tasks;
        let sides = [
            Side::new(1, ids, |ids| share(&self.runtime, tasks, &con, ids, ours)),
            Side::new(1, ids, |ids| share(&self.runtime, tasks, &con, ids, by_hand)),
            Side::new(1, ids, |ids| share(&self.runtime, tasks, &own, ids, on_own)),
        ];
        take_turns(name, 1, sides);
    }

    /// Batches of `ids` ids: with redis-keys, by hand, and one by one.
    pub(crate) fn batches<W: Workload>(&self, name: &str, workload: &W, ids: u64) {
        let (mut ours, mut hand, mut single) = (self.connect(), self.connect(), self.connect());
        let runtime = &self.runtime;
        take_turns(
            name,
            W::COMMANDS,
            [
                Side::new(4, ids, |ids| {
                    let replies = batch_iter(ids.map(|id| workload.ours(id))).query_async(&mut ours);
                    drop(black_box(runtime.block_on(replies).expect("the server replies")));
                }),
                Side::new(4, ids, |ids| {
                    let mut pipe = pipe();
                    ids.for_each(|id| workload.by_hand(id, &mut pipe));
                    let replies = runtime.block_on(pipe.query_async(&mut hand)).expect("the server replies");
                    drop(black_box(W::read_all(replies)));
                }),
                Side::new(1, ids, |ids| {
                    let mut pipe = pipe();
                    ids.for_each(|id| workload.one_by_one(id, &mut pipe));
                    runtime.block_on(one_by_one(pipe.cmd_iter(), &mut single));
                }),
            ],
        );
    }
}

fn runtime() -> Runtime {
    Builder::new_current_thread().enable_all().build().expect("a runtime starts")
}

/// Shares the ids among tasks on one thread, each with its own clone of a connection.
pub(crate) fn share<C, F>(runtime: &Runtime, tasks: u64, con: &C, ids: Range<u64>, work: F)
where
    C: Clone + 'static,
    F: AsyncFn(u64, &mut C) + Copy + 'static,
{
    let set = LocalSet::new();
    let spawn = |task| {
        let (mut con, ids) = (con.clone(), ids.clone());
        set.spawn_local(async move {
            let mut id = ids.start + task;
            while id < ids.end {
                work(id, &mut con).await;
                id += tasks;
            }
        })
    };
    let running = (0..tasks).map(spawn).collect::<Vec<_>>();
    runtime.block_on(set.run_until(async {
        for task in running {
            task.await.expect("no task panics");
        }
    }));
}

/// Sends each command after the reply to the previous one.
async fn one_by_one(commands: impl Iterator<Item = &Cmd>, con: &mut impl aio::ConnectionLike) {
    for command in commands {
        drop(black_box(command.query_async::<Value>(con).await.expect("the server replies")));
    }
}

/// A cluster with asynchronous connections.
pub(crate) struct ClusterConnections {
    cluster: Cluster,
    runtime: Runtime,
}

impl ClusterConnections {
    pub(crate) fn start() -> Self {
        Self { cluster: Cluster::start().expect("a cluster starts"), runtime: runtime() }
    }

    fn connect(&self) -> ClusterConnection {
        let client = ClusterClient::new(self.cluster.urls()).expect("the addresses are valid");
        self.runtime.block_on(client.get_async_connection()).expect("the cluster replies")
    }

    /// The connection of redis-keys.
    fn connect_nodes(&self) -> cluster::Connection {
        cluster::connect(self.cluster.urls().remove(0)).expect("the address is valid")
    }

    /// Batches: with redis-keys on its connection, single commands in flight by hand, one by one, and with redis-keys
    /// on the connection of redis-rs.
    pub(crate) fn batches<W: Workload>(&self, name: &str, workload: &W) {
        let (mut nodes, mut ours, hand, mut single) =
            (self.connect_nodes(), self.connect(), self.connect(), self.connect());
        let runtime = &self.runtime;
        let by_hand = |ids: Range<u64>| {
            let mut pipe = pipe();
            ids.for_each(|id| workload.by_hand(id, &mut pipe));
            pipe
        };
        take_turns(
            name,
            W::COMMANDS,
            [
                Side::new(5, CLUSTER_BATCH, |ids| {
                    let replies = batch_iter(ids.map(|id| workload.ours(id))).query_async(&mut nodes);
                    drop(black_box(runtime.block_on(replies).expect("the cluster replies")));
                }),
                Side::new(5, CLUSTER_BATCH, |ids| runtime.block_on(in_flight(by_hand(ids).cmd_iter(), &hand))),
                Side::new(1, CLUSTER_BATCH, |ids| runtime.block_on(one_by_one(by_hand(ids).cmd_iter(), &mut single))),
                Side::new(5, CLUSTER_BATCH, |ids| {
                    let replies = batch_iter(ids.map(|id| workload.ours(id))).query_async(&mut ours);
                    drop(black_box(runtime.block_on(replies).expect("the cluster replies")));
                }),
            ],
        );
    }
}

/// Sends single commands, many at the same time, and collects the replies in any order.
async fn in_flight(commands: impl Iterator<Item = &Cmd>, con: &ClusterConnection) {
    let replies = commands.map(|command| {
        let mut con = con.clone();
        async move { command.query_async::<Value>(&mut con).await.expect("the cluster replies") }
    });
    drop(black_box(stream::iter(replies).buffer_unordered(IN_FLIGHT).collect::<Vec<_>>().await));
}

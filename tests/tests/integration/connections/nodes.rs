//! This crate's connection to a cluster. The tests of commands run on it as on any other; here is what only it does.

use std::time::Duration;

use redis::{Client, Cmd};
use redis_keys::cluster::{self, Connection};
use redis_keys::prelude::*;
use redis_keys::testing::{self, Cluster, ClusterNode};
use redis_keys::{ConnectOptions, ErrorKind, SendStatus, batch, batch_iter};
use redis_keys_tests::{FakeServer, MovingSlot, join, shared_cluster};

use super::block_on;
use super::commands::{Clicks, InCart, Name, count_in_a_moving_slot, run_all};

const VALID: &str = "the address is valid";

fn connect(cluster: &Cluster) -> Connection {
    connect_within(cluster, Duration::from_secs(20))
}

fn connect_within(cluster: &Cluster, time: Duration) -> Connection {
    let clients: Vec<_> = cluster.urls().into_iter().map(|url| Client::open(url).expect(VALID)).collect();
    cluster::connect_with(&clients, ConnectOptions::new().with_time_limit(time)).expect(VALID)
}

/// Runs a command on each primary.
async fn on_each_node(cluster: &Cluster, words: &[&str]) {
    for url in cluster.urls() {
        let mut con =
            Client::open(url).expect(VALID).get_multiplexed_async_connection().await.expect("the node replies");
        Cmd::new().arg(words).exec_async(&mut con).await.expect("the node does so");
    }
}

/// The manager that pools need.
struct Manager(Client);

impl bb8::ManageConnection for Manager {
    type Connection = Connection;
    type Error = redis::RedisError;

    async fn connect(&self) -> Result<Connection, Self::Error> {
        cluster::connect_with([&self.0], ConnectOptions::new())
    }

    async fn is_valid(&self, con: &mut Connection) -> Result<(), Self::Error> {
        redis::cmd("PING").exec_async(con).await
    }

    fn has_broken(&self, _: &mut Connection) -> bool {
        false
    }
}

#[test]
fn guards_of_pools_hold_it() {
    let cluster = shared_cluster();
    block_on(async {
        let manager = Manager(Client::open(cluster.urls().remove(0)).expect(VALID));
        let pool = bb8::Pool::builder().max_size(2).build(manager).await.expect("the cluster replies");
        let mut con = pool.get().await.expect("the pool is not exhausted");
        run_all(&mut *con).await.expect("every command succeeds");
        count_in_a_moving_slot(&cluster, &mut *con).await;
        testing::assert_all_expire_async(&*con, "").await;
    });
}

/// A type of the user's own, which cannot be recognized.
struct WrappedConnection(Connection);

impl redis::aio::ConnectionLike for WrappedConnection {
    fn req_packed_command<'a>(&'a mut self, cmd: &'a Cmd) -> redis::RedisFuture<'a, redis::Value> {
        self.0.req_packed_command(cmd)
    }

    fn req_packed_commands<'a>(
        &'a mut self,
        cmds: &'a redis::Pipeline,
        offset: usize,
        count: usize,
    ) -> redis::RedisFuture<'a, Vec<redis::Value>> {
        self.0.req_packed_commands(cmds, offset, count)
    }

    fn get_db(&self) -> i64 {
        self.0.get_db()
    }
}

/// Its pipelines go to the nodes of their keys, and nothing of them is repeated.
#[test]
fn batches_work_inside_another_type() {
    let cluster = shared_cluster();
    block_on(async {
        on_each_node(&cluster, &["SCRIPT", "FLUSH"]).await;
        let mut con = WrappedConnection(connect(&cluster));
        run_all(&mut con).await.expect("every command succeeds");
        count_in_a_moving_slot(&cluster, &mut con).await;
    });
}

#[test]
fn pipelines_of_redis_rs_reach_all_nodes() {
    let cluster = shared_cluster();
    block_on(async {
        let mut con = connect(&cluster);
        let mut pipe = redis::pipe();
        for key in 0..200 {
            pipe.cmd("INCR").arg(key).cmd("EXPIRE").arg(key).arg(100).ignore();
        }
        let counts: Vec<u64> = pipe.query_async(&mut con).await.expect("the cluster replies");
        assert_eq!(counts, vec![1; 200]);
        let values: Vec<u64> =
            redis::cmd("MGET").arg((0..200).collect::<Vec<_>>()).query_async(&mut con).await.expect("it is split");
        assert_eq!(values, vec![1; 200]);
    });
}

#[test]
fn transactions_follow_a_slot() {
    let cluster = shared_cluster();
    block_on(async {
        let mut con = connect(&cluster);
        let count = InCart { visitor: 1, item: 1 };
        let key = count.key().expect("it is a key").to_string();
        for round in 0..3 {
            let mut slot = MovingSlot::open(&cluster, &key);
            if round > 0 {
                // It has gone: ASK.
                slot.send(&key);
            }
            let ours = redis_keys::atomic((count.incr(), count.incr())).query_async(&mut con).await;
            assert_eq!(ours.expect("it is executed once"), (1 + 4 * round, 2 + 4 * round));
            slot.finish(&cluster);
            // It is elsewhere: MOVED.
            let (by_hand, also): (u64, u64) = redis::pipe()
                .atomic()
                .cmd("INCR")
                .arg(&key)
                .cmd("INCR")
                .arg(&key)
                .query_async(&mut con)
                .await
                .expect("it is executed once");
            assert_eq!((by_hand, also), (3 + 4 * round, 4 + 4 * round));
        }
    });
}

/// Each command that finds its script gone is sent again with its text, behind those before it on its key.
#[test]
fn scripts_that_are_forgotten_all_the_time_are_sent_again() {
    let cluster = shared_cluster();
    block_on(async {
        let con = connect(&cluster);
        let flood = async {
            loop {
                on_each_node(&cluster, &["SCRIPT", "FLUSH"]).await;
            }
        };
        let mut own = con.clone();
        let batches = async {
            for round in 0..50 {
                let commands =
                    (0..100).map(|id| (Name { id }.append("ab"), Clicks { id }.incr(), Name { id }.append("c")));
                let found = batch_iter(commands).query_async(&mut own).await.expect("every command succeeds");
                assert!(found.iter().all(|found| *found == (round * 3 + 2, round + 1, round * 3 + 3)), "{found:?}");
            }
        };
        tokio::select! {
            () = flood => {}
            () = batches => {}
        }
        let names = batch_iter((0..100).map(|id| Name { id }.get())).query_async(&mut con.clone()).await;
        assert_eq!(names.expect("the cluster replies"), vec![Some("abc".repeat(50)); 100]);
    });
}

/// Whatever was sent is executed once, and the rest never is.
#[test]
fn a_dropped_batch_keeps_the_order_of_each_key() {
    let cluster = shared_cluster();
    block_on(async {
        let mut con = connect(&cluster);
        let appends = |digit: u32| {
            let key = |id| Name { id };
            batch_iter((0..200).map(move |id| (key(id).append(&digit.to_string()), key(id).append("-"))))
        };
        for digit in 0..10 {
            let mut own = con.clone();
            let mut running = Box::pin(appends(digit).query_each_async(&mut own));
            for _ in 0..digit {
                if futures_util::poll!(&mut running).is_ready() {
                    break;
                }
                tokio::task::yield_now().await;
            }
        }
        appends(0).query_async(&mut con).await.expect("the connection still works");
        let names = batch_iter((0..200).map(|id| Name { id }.get())).query_async(&mut con).await;
        for name in names.expect("the cluster replies").into_iter().flatten() {
            let digits: Vec<_> = name.strip_suffix("0-").expect("the last batch was run").replace('-', "").into_bytes();
            assert!(digits.is_sorted() && digits.windows(2).all(|pair| pair[0] != pair[1]), "{name}");
            assert!(!name.contains("--"), "{name}");
        }
    });
}

/// A node that does not answer: its commands may have been executed, and what follows on their keys is not sent.
#[test]
fn a_time_out_ends_what_follows_on_its_key() {
    let cluster = shared_cluster();
    block_on(async {
        let mut con = connect_within(&cluster, Duration::from_millis(300));
        let (slow, fast) = on_two_nodes(&cluster);
        batch((slow.incr(), fast.incr())).query_async(&mut con).await.expect("the cluster replies");
        let node = cluster.primary_of(&slow.key().expect("it is a key")).expect("the cluster is whole");
        let mut beside = Client::open(node.url()).expect(VALID).get_connection().expect("the node replies");
        redis::cmd("CLIENT").arg(&["PAUSE", "60000", "WRITE"]).exec(&mut beside).expect("the node waits");

        let (first, second, other) =
            batch((slow.incr(), slow.incr_by(10), fast.incr())).query_each_async(&mut con).await;
        assert_eq!(first.expect_err("nothing comes").sent(), SendStatus::Maybe);
        let error = second.expect_err("nothing was sent");
        assert_eq!((error.kind(), error.sent()), (ErrorKind::Connection, SendStatus::No), "{error}");
        assert_eq!(other.expect("the other node replies"), 2);
        redis::cmd("CLIENT").arg("UNPAUSE").exec(&mut beside).expect("the node goes on");
        let count = slow.incr().query_async(&mut con).await.expect("the connection still works");
        assert!([2, 3].contains(&count), "the first command was executed once or not at all: {count}");
    });
}

fn on_two_nodes(cluster: &Cluster) -> (Clicks, Clicks) {
    let primary = |id| cluster.primary_of(&Clicks { id }.key().expect("it is a key")).expect("the cluster is whole");
    let first = primary(0);
    let other = (1..1_000).find(|id| primary(*id) != first).expect("there are others");
    (Clicks { id: 0 }, Clicks { id: other })
}

#[test]
fn of_a_node_that_is_gone_nothing_was_sent() {
    let mut cluster = Cluster::start().expect("a cluster starts");
    block_on(async {
        let mut con = connect(&cluster);
        let (lost, kept) = on_two_nodes(&cluster);
        batch((lost.incr(), kept.incr())).query_async(&mut con).await.expect("the cluster replies");
        let gone = cluster.primary_of(&lost.key().expect("it is a key")).expect("the cluster is whole");
        // No replica takes over, and the others go on.
        on_each_node(&cluster, &["CONFIG", "SET", "cluster-require-full-coverage", "no"]).await;
        cluster.kill(gone.port()).expect("it is a node");
        // The first one finds the connection broken.
        assert_ne!(lost.incr().query_async(&mut con).await.expect_err("it is gone").sent(), SendStatus::Yes);
        let (error, count) = batch((lost.incr(), kept.incr())).query_each_async(&mut con).await;
        let error = error.expect_err("it is gone");
        // As soon as the others know it, they report that the slot is not served.
        assert!(error.sent() == SendStatus::No || error.to_string().contains("CLUSTERDOWN"), "{error}");
        assert_eq!(count.expect("it is there"), 2);
    });
}

#[test]
fn a_node_that_joins_gets_its_share() {
    let cluster = Cluster::start_with_replicas(1).expect("a cluster starts");
    block_on(async {
        let mut con = connect(&cluster);
        Name { id: 1 }.set("Ada").query_async(&mut con).await.expect("the cluster replies");
        let key = Name { id: 1 }.key().expect("it is a key");
        let new: ClusterNode = join(&cluster);
        MovingSlot::open_to(&cluster, &key, new).finish(&cluster);
        let name = Name { id: 1 }.append("!").query_async(&mut con).await;
        assert_eq!(name.expect("it is found"), 4);
    });
}

#[test]
fn a_password_is_used_for_every_node() {
    let cluster = Cluster::start().expect("a cluster starts");
    block_on(async {
        on_each_node(&cluster, &["CONFIG", "SET", "requirepass", "sesame"]).await;
        let url = cluster.urls().remove(0).replace("redis://", "redis://:sesame@");
        for protocol in ["resp2", "resp3"] {
            let mut con = cluster::connect(format!("{url}?protocol={protocol}")).expect(VALID);
            let counts = batch_iter((0..100).map(|id| Clicks { id }.incr())).query_async(&mut con).await;
            counts.expect("every node takes the password");
        }
        // At once, and not after the time limit.
        let con = connect_within(&cluster, Duration::MAX);
        let error = Clicks { id: 1 }.incr().run(&con).await.expect_err("there is no password");
        assert_eq!(error.sent(), SendStatus::No);
        assert!(error.to_string().contains("cannot connect to the cluster: "), "{error}");
    });
}

/// As behind a load balancer.
#[test]
fn nodes_that_do_not_know_their_addresses_are_found() {
    let cluster = Cluster::start().expect("a cluster starts");
    block_on(async {
        for url in cluster.urls() {
            let mut con = Client::open(url).expect(VALID).get_connection().expect("the node replies");
            let words = ["CONFIG", "SET", "cluster-preferred-endpoint-type", "unknown-endpoint"];
            // Redis 6.2 always returns the address.
            drop(Cmd::new().arg(&words).exec(&mut con));
        }
        let mut con = connect(&cluster);
        run_all(&mut con).await.expect("every command succeeds");
        count_in_a_moving_slot(&cluster, &mut con).await;
    });
}

#[test]
fn commands_for_all_nodes_and_for_one_connection_are_rejected() {
    let cluster = shared_cluster();
    block_on(async {
        let mut con = connect(&cluster);
        for words in [&["KEYS", "*"][..], &["flushall"], &["SCRIPT", "FLUSH"], &["MULTI"], &["WATCH", "a"]] {
            let mut cmd = Cmd::new();
            let error = cmd.arg(words).exec_async(&mut con).await.expect_err("it cannot be sent to one node");
            assert_eq!(error.kind(), redis::ErrorKind::Client, "{error}");
            let (mut plain, mut atomic) = (redis::pipe(), redis::pipe());
            let pipelines = [plain.get("a").add_command(cmd.clone()), atomic.atomic().add_command(cmd)];
            for pipeline in pipelines {
                let error = pipeline.exec_async(&mut con).await.expect_err("nor in a pipeline");
                assert_eq!(error.kind(), redis::ErrorKind::Client, "{error}");
            }
        }
        redis::cmd("PING").exec_async(&mut con).await.expect("any node will do");
        run_all(&mut con).await.expect("no node is within a transaction");
    });
}

#[test]
fn a_pipeline_of_redis_rs_keeps_its_order() {
    let cluster = shared_cluster();
    block_on(async {
        let mut con = connect(&cluster);
        let (members,): (Vec<i64>,) = redis::pipe()
            .sadd("{order}a", 1)
            .ignore()
            .sadd("{order}a", 2)
            .ignore()
            .cmd("SUNIONSTORE")
            .arg("{order}b")
            .arg("{order}a")
            .ignore()
            .expire("{order}a", 60)
            .ignore()
            .expire("{order}b", 60)
            .ignore()
            .smembers("{order}b")
            .query_async(&mut con)
            .await
            .expect("all keys are in one slot");
        assert_eq!(members, [1, 2]);
    });
}

/// As in a loop of `select!`.
#[test]
fn a_command_that_is_not_polled_any_more_stops_no_other() {
    let cluster = shared_cluster();
    block_on(async {
        let con = connect(&cluster);
        let (mut first, mut second) = (con.clone(), con);
        for page in 0..20 {
            let clicks = Clicks { id: page };
            let mut not_polled = Box::pin(clicks.get().query_async(&mut first));
            _ = futures_util::poll!(&mut not_polled);
            let other = Clicks { id: page }.get().query_async(&mut second);
            let reply = tokio::time::timeout(Duration::from_secs(10), other).await;
            reply.expect("it does not wait for the other one").expect("the node replies");
        }
    });
}

#[test]
fn a_node_without_slots_is_passed_over() {
    let cluster = shared_cluster();
    let lonely = FakeServer::start(|_| b"*0\r\n".to_vec());
    let clients = [lonely.url(), cluster.urls().remove(0)].map(|url| Client::open(url).expect(VALID));
    block_on(async {
        for _ in 0..10 {
            let con = cluster::connect_with(&clients, ConnectOptions::new()).expect(VALID);
            Clicks { id: 1 }.get().run(&con).await.expect("the other node belongs to a cluster");
        }
    });
}

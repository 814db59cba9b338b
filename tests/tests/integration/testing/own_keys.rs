//! `redis_keys::testing::own_keys` and the search for keys without an expiry.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use redis::{Client, Connection, ProtocolVersion};
use redis_keys::prelude::*;
use redis_keys::testing::{self, Server};
use redis_keys_tests::{Con, shared_cluster};
use tokio::runtime::Builder;
use tokio::task::JoinSet;

use crate::namespace::Changes;
use crate::strings::keys::{CountI64, CountU8, KeptText, NamedText, Note};

fn server() -> (Server, Connection) {
    let server = Server::start().expect("a server starts");
    let con = Client::open(server.url()).and_then(|client| client.get_connection()).expect("the server replies");
    (server, con)
}

/// Writes keys with a prefix of its own while other threads do the same, and finds exactly these.
fn count_to_a_hundred(con: &mut Con) {
    let keys = testing::own_keys();
    for number in 1..=100 {
        // A native command, and scripts by text and by digest.
        assert_eq!(con.ok(CountI64 { id: 1 }.incr()), number);
        con.ok(Note { id: 1 }.append("a"));
        assert_eq!(con.ok(CountU8 { id: 1 }.incr()), u8::try_from(number).expect("the number is small"));
    }
    assert_eq!(con.ok(Note { id: 1 }.strlen()), 100);
    assert_eq!(con.ok(Note::get_many([Note { id: 1 }, Note { id: 2 }])), [Some("a".repeat(100)), None]);
    let channel = Changes { id: 1 }.channel().expect("it is valid");
    assert_eq!(channel, format!("{}note:changes:1:channel", keys.prefix()).as_str());
    let error = con.error(CountI64 { id: 1 }.incr_by(i64::MAX));
    assert_eq!(error.key(), Some(format!("{}count:long:1:string", keys.prefix()).as_str()));
    let mut own: Vec<String> = con.raw(&["KEYS", &format!("{}*", keys.prefix())]);
    own.sort();
    let expected = ["count:long", "count:narrow", "text:note"].map(|name| format!("{}{name}:1:string", keys.prefix()));
    assert_eq!(own, expected);
}

#[test]
fn threads_share_a_server() {
    let (server, mut con) = server();
    let url = server.url();
    thread::scope(|scope| {
        for connect in [Con::blocking, Con::multiplexed, Con::manager, Con::blocking] {
            let url = &url;
            scope.spawn(move || count_to_a_hundred(&mut connect(url)));
        }
    });
    assert_eq!(redis::cmd("DBSIZE").query::<u64>(&mut con).expect("the server replies"), 12);
    testing::assert_all_expire(&mut con, "");
}

#[test]
fn threads_share_a_cluster() {
    let cluster = shared_cluster();
    for connect in [Con::blocking_cluster, Con::async_cluster, Con::nodes] {
        count_to_a_hundred(&mut connect(&cluster, ProtocolVersion::RESP3));
    }
}

#[test]
fn a_prefix_can_be_passed_to_tasks() {
    let (server, _) = server();
    let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime starts");
    let keys = testing::own_keys();
    let prefix = keys.prefix();
    runtime.block_on(async {
        let client = Client::open(server.url()).expect("the address is valid");
        let con = client.get_multiplexed_async_connection().await.expect("the server replies");
        let mut tasks = JoinSet::new();
        for id in 0..50 {
            let mut con = con.clone();
            let write = async move {
                for _ in 0..20 {
                    CountI64 { id }.incr().query_async(&mut con).await?;
                }
                Ok::<_, redis_keys::Error>(())
            };
            tasks.spawn(prefix.scope(write));
        }
        while let Some(task) = tasks.join_next().await {
            task.expect("no task panics").expect("no command fails");
        }
        let mut con = con.clone();
        for id in 0..50 {
            assert_eq!(CountI64 { id }.get().query_async(&mut con).await.expect("the server replies"), Some(20));
        }
        testing::assert_all_expire_async(&con, prefix).await;
    });
    drop(keys);
    assert_eq!(Con::blocking(&server.url()).ok(CountI64 { id: 0 }.get()), None, "no key exists without the prefix");
}

#[test]
fn the_prefix_does_not_count_towards_the_key_length() {
    let (server, mut con) = server();
    let keys = testing::own_keys();
    let name = "a".repeat(128 - "text:named::string".len());
    Con::blocking(&server.url()).ok(NamedText { name: &name }.set("x"));
    let found: String = redis::cmd("RANDOMKEY").query(&mut con).expect("the server replies");
    assert_eq!(found, format!("{}text:named:{name}:string", keys.prefix()));
}

#[test]
fn keys_without_an_expiry_are_named() {
    let (_server, mut con) = server();
    for id in 0..2_000 {
        Note { id }.set("x").query(&mut con).expect("the server replies");
    }
    testing::assert_all_expire(&mut con, "");
    let keys = testing::own_keys();
    testing::assert_all_expire(&mut con, keys.prefix());
    for id in [77, 3] {
        KeptText { id }.set("x").query(&mut con).expect("the server replies");
    }
    let kept = [3, 77].map(|id| KeptText { id }.key().expect("the key is valid").to_string()).to_vec();
    for prefix in ["", &keys.prefix(), "t", &kept[0][..10]] {
        assert_eq!(testing::without_expiry(&mut con, prefix).expect("the server replies"), kept);
    }
    assert_eq!(testing::without_expiry(&mut con, &kept[1]).expect("the server replies"), kept[1..]);
    let assertion_message = |con: &mut Connection, prefix: &str| {
        let panic = catch_unwind(AssertUnwindSafe(|| testing::assert_all_expire(con, prefix)))
            .expect_err("the assertion fails");
        *panic.downcast::<String>().expect("the panic has a message")
    };
    assert_eq!(assertion_message(&mut con, &keys.prefix()), format!("2 without an expiry: {}, {}", kept[0], kept[1]));
    testing::assert_all_expire(&mut con, testing::own_keys().prefix());
}

#[test]
fn a_prefix_is_not_a_pattern() {
    let (_server, mut con) = server();
    for key in ["a*b", "axb", "a?c", "a[b]", "ab", "a\\b", "ä"] {
        let _: () = redis::cmd("SET").arg(key).arg("x").query(&mut con).expect("the server replies");
    }
    for prefix in ["a*", "a?", "a[b", "a\\", "ab", "ä"] {
        let found = testing::without_expiry(&mut con, prefix).expect("the server replies");
        assert!(matches!(&found[..], [key] if key.starts_with(prefix)), "{prefix}: {found:?}");
    }
}

#[test]
fn every_primary_of_a_cluster_is_searched() {
    let cluster = shared_cluster();
    let keys = testing::own_keys();
    let mut con = Con::blocking_cluster(&cluster, ProtocolVersion::RESP3);
    let mut kept: Vec<String> = (0..50).map(|id| KeptText { id }.key().expect("the key is valid").into()).collect();
    kept.sort();
    for id in 0..50 {
        con.ok(KeptText { id }.set("x"));
        con.ok(Note { id }.set("x"));
    }
    let client = redis::cluster::ClusterClient::new(cluster.urls()).expect("the addresses are valid");
    let mut con = client.get_connection().expect("the cluster replies");
    assert_eq!(testing::without_expiry(&mut con, keys.prefix()).expect("the server replies"), kept);
    let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime starts");
    let found = runtime.block_on(async {
        let con = client.get_async_connection().await.expect("the cluster replies");
        testing::without_expiry_async(&con, keys.prefix()).await
    });
    assert_eq!(found.expect("the server replies"), kept);
    // A connection to one node finds the others.
    let node = cluster.nodes().expect("the server replies").remove(0);
    let mut con = Client::open(node.url()).and_then(|client| client.get_connection()).expect("the server replies");
    assert_eq!(testing::without_expiry(&mut con, keys.prefix()).expect("the server replies"), kept);
}

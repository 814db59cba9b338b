//! Keys with copies.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;

use redis::ProtocolVersion;
use redis::cluster::ClusterClient;
use redis_keys::ErrorKind;
use redis_keys::prelude::*;
use redis_keys::testing::{Cluster, Server, fix_jitter};
use redis_keys_tests::{Con, everywhere, on_a_cluster, shared_cluster};
use tokio::runtime::Builder;

#[derive(RedisKey)]
#[redis_key(shop:banner:{shop}:{copy}:string, value = String, ttl = 1h, jitter = 10m, copies = 4)]
struct Banner {
    shop: u32,
}

const BANNER: Banner = Banner { shop: 1 };

fn key(copy: u32) -> String {
    format!("shop:banner:1:{copy}:string")
}

#[test]
fn a_write_goes_to_every_copy_and_each_expires() {
    everywhere(|con| {
        assert_eq!(con.ok(BANNER.exists()), 0);
        con.ok(BANNER.set("a"));
        for copy in 0..4 {
            assert_eq!(con.raw::<String>(&["GET", &key(copy)]), "a");
            let left = con.pttl(&key(copy));
            assert!(left > 3_595_000 && left <= 4_200_000, "{left}");
        }
        assert_eq!(con.ok(BANNER.exists()), 4);
        assert_eq!(con.get_copy(BANNER.get()).ok().flatten().as_deref(), Some("a"));
        let _: i64 = con.raw(&["PEXPIRE", &key(2), "1000"]);
        let _: i64 = con.raw(&["DEL", &key(3)]);
        assert_eq!(con.ok(BANNER.expire()), 3);
        assert!(con.pttl(&key(2)) > 3_595_000);
        assert_eq!(con.ok(BANNER.unlink()), 3);
        assert_eq!(con.ok(BANNER.exists()), 0);
    });
}

#[test]
fn copies_expire_together() {
    everywhere(|con| {
        for write in [BANNER.set("a"), BANNER.set("b")] {
            con.ok(write);
            let left = (0..Banner::COPIES).map(|copy| con.pttl(&key(copy))).collect::<Vec<_>>();
            assert!(left.iter().all(|ms| ms.abs_diff(left[0]) < 5_000), "{left:?}");
        }
    });
}

#[test]
fn a_read_leaves_a_missing_copy_missing() {
    let _first = fix_jitter(0.0);
    everywhere(|con| {
        con.ok(BANNER.set("a"));
        let _: i64 = con.raw(&["DEL", &key(0)]);
        assert_eq!(con.get_copy(BANNER.get()).ok().flatten().as_deref(), Some("a"));
        assert_eq!(con.ok(BANNER.exists()), 3);
    });
}

#[test]
fn no_copy_is_readable_after_a_removal() {
    let server = Server::start().expect("a server starts");
    remove_beside_readers(|| Con::own(&server.url()));
    let cluster = shared_cluster();
    remove_beside_readers(|| Con::nodes(&cluster, ProtocolVersion::RESP3));
}

/// The readers find missing copies all the time, and other ones that exist until the removal.
fn remove_beside_readers(connect: impl Fn() -> Con) {
    const ROUNDS: u32 = 1000;
    let is_over = AtomicBool::new(false);
    let mut con = connect();
    let mut readable = 0;
    thread::scope(|scope| {
        for mut reader in [connect(), connect(), connect()] {
            let is_over = &is_over;
            scope.spawn(move || {
                while !is_over.load(Relaxed) {
                    reader.get_copy(BANNER.get()).expect("the read succeeds");
                }
            });
        }
        for round in 0..ROUNDS {
            con.ok(BANNER.set("a"));
            con.ok(BANNER.copy(round % Banner::COPIES).unlink());
            con.ok(BANNER.unlink());
            readable += u32::from((0..3).any(|_| con.ok(BANNER.exists()) > 0));
        }
        is_over.store(true, Relaxed);
    });
    assert_eq!(readable, 0, "of {ROUNDS} values");
}

#[test]
fn a_single_remaining_copy_is_found() {
    everywhere(|con| {
        for present in 0..3 {
            con.ok(BANNER.set("a"));
            for missing in (0..3).filter(|copy| *copy != present) {
                let _: i64 = con.raw(&["DEL", &key(missing)]);
            }
            assert_eq!(con.get_copy(BANNER.get()).ok().flatten().as_deref(), Some("a"));
        }
    });
}

#[test]
fn reading_without_any_copy_creates_none() {
    everywhere(|con| {
        assert_eq!(con.get_copy(BANNER.get()).ok().flatten(), None);
        assert_eq!(con.ok(BANNER.exists()), 0);
    });
}

#[test]
fn the_copy_of_another_type_is_named() {
    let _first = fix_jitter(0.0);
    everywhere(|con| {
        con.ok(BANNER.set("a"));
        let _: i64 = con.raw(&["DEL", &key(0)]);
        let _: i64 = con.raw(&["RPUSH", &key(0), "x"]);
        let _: i64 = con.raw(&["PEXPIRE", &key(0), "60000"]);
        let error = con.get_copy(BANNER.get()).expect_err("the key is a list");
        assert_eq!((error.kind(), error.key()), (ErrorKind::WrongType, Some(key(0).as_str())));
        // Also if another copy is read because the first is missing.
        let _: i64 = con.raw(&["DEL", &key(0)]);
        let _: i64 = con.raw(&["DEL", &key(1)]);
        let _: i64 = con.raw(&["RPUSH", &key(1), "x"]);
        let _: i64 = con.raw(&["PEXPIRE", &key(1), "60000"]);
        let error = con.get_copy(BANNER.get()).expect_err("the key is a list");
        assert_eq!((error.kind(), error.key()), (ErrorKind::WrongType, Some(key(1).as_str())));
        // A write replaces the list.
        con.ok(BANNER.set("b"));
        assert_eq!(con.get_copy(BANNER.get()).ok().flatten().as_deref(), Some("b"));
    });
}

#[test]
fn another_copy_is_read_when_a_node_is_lost() {
    let _first = fix_jitter(0.0);
    let mut cluster = Cluster::start().expect("a cluster starts");
    for url in cluster.urls() {
        // The other nodes keep serving their slots.
        let _: String = Con::blocking(&url).raw(&["CONFIG", "SET", "cluster-require-full-coverage", "no"]);
    }
    let client = ClusterClient::builder(cluster.urls()).retries(2).build().expect("the addresses are valid");
    let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime starts");
    let mut blocking = client.get_connection().expect("the cluster replies");
    let mut asynchronous = runtime.block_on(client.get_async_connection()).expect("the cluster replies");

    let node = |banner: &Banner, copy| {
        cluster.primary_of(&banner.key_of(copy).expect("the key is valid")).expect("the cluster is whole").port()
    };
    let mut banners = (0..).map(|shop| Banner { shop });
    let banner = banners.find(|banner| node(banner, 0) != node(banner, 1)).expect("there are enough keys");
    let lost = node(&banner, 0);
    let both =
        banners.find(|banner| node(banner, 0) == lost && node(banner, 1) == lost).expect("there are enough keys");
    let other_lost = |banner: &Banner| node(banner, 2) == lost && node(banner, 0) != lost && node(banner, 1) != lost;
    let half = banners.find(other_lost).expect("there are enough keys");
    half.copy(1).set("a").query(&mut blocking).expect("the write succeeds");
    let missing =
        banners.find(|banner| node(banner, 0) == lost && node(banner, 1) != lost).expect("there are enough keys");
    for banner in [&banner, &both] {
        banner.set("a").query(&mut blocking).expect("the write succeeds");
    }
    cluster.kill(lost).expect("the node exists");

    assert_eq!(banner.get().query(&mut blocking).expect("the read succeeds").as_deref(), Some("a"));
    assert_eq!(
        runtime.block_on(banner.get().query_async(&mut asynchronous)).expect("the read succeeds").as_deref(),
        Some("a")
    );
    // The first copy is missing, and the node of another one is lost.
    for _ in 0..2 {
        assert_eq!(half.get().query(&mut blocking).expect("the read succeeds").as_deref(), Some("a"));
        let found = runtime.block_on(half.get().query_async(&mut asynchronous)).expect("the read succeeds");
        assert_eq!(found.as_deref(), Some("a"));
    }
    for banner in [both, missing] {
        let errors = [
            banner.get().query(&mut blocking).expect_err("no copy can be read"),
            runtime.block_on(banner.get().query_async(&mut asynchronous)).expect_err("no copy can be read"),
        ];
        let first = banner.key_of(0).expect("the key is valid");
        for error in errors {
            // Whether the other nodes already know that the node is lost depends on the time.
            assert!([ErrorKind::Connection, ErrorKind::Server].contains(&error.kind()), "{error}");
            assert_eq!(error.key(), Some(first.as_str()), "{error}");
        }
    }
}

#[test]
fn copies_are_written_and_read_in_batches() {
    everywhere(|con| {
        let other = Banner { shop: 2 };
        con.batch((BANNER.set("a"), other.set("b"))).expect("the batch succeeds");
        let found =
            con.batch((BANNER.any_copy().get(), other.any_copy().get(), other.exists())).expect("the batch succeeds");
        assert_eq!(found, (Some("a".to_owned()), Some("b".to_owned()), 4));
    });
}

#[test]
fn copies_are_in_different_slots() {
    on_a_cluster(|con| {
        con.ok(BANNER.set("a"));
        let slots: std::collections::BTreeSet<i64> =
            (0..4).map(|copy| con.raw(&["CLUSTER", "KEYSLOT", &key(copy)])).collect();
        assert_eq!(slots.len(), 4);
    });
}

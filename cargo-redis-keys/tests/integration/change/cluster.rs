//! Clusters.

use std::process::Stdio;

use redis::cluster::{ClusterClient, ClusterConnection};
use redis_keys::testing::Cluster;
use redis_keys_tests::{MovingSlot, fail_over, wait_until};

use super::run::{Folder, Ran, act, calls, command, connect, number_of, plan, planned, run};

const KEYS: u64 = 900;

/// A cluster with keys.
fn start() -> (Cluster, ClusterConnection) {
    let cluster = Cluster::start_with_replicas(1).unwrap();
    let mut con = ClusterClient::new(cluster.urls()).and_then(|client| client.get_connection()).unwrap();
    for id in 0..KEYS {
        redis::cmd("SET").arg(format!("user:name:{id}:string")).arg("x").exec(&mut con).unwrap();
    }
    redis::cmd("SET").arg("app:settings:1:string").arg("x").exec(&mut con).unwrap();
    (cluster, con)
}

/// The number of keys on all primaries, and of those with an expiry.
fn keys(cluster: &Cluster) -> (u64, u64) {
    let mut all = (0, 0);
    for node in cluster.nodes().unwrap().iter().filter(|node| node.is_primary()) {
        let mut con = connect(&node.url());
        let names: Vec<String> = run(&mut con, &["KEYS", "*"]);
        for name in names {
            let left: i64 = redis::cmd("PTTL").arg(name).query(&mut con).unwrap_or(-1);
            all = (all.0 + 1, all.1 + u64::from(left >= 0));
        }
    }
    all
}

#[test]
fn every_primary_and_no_replica_is_written_to() {
    let (cluster, _con) = start();
    let folder = Folder::new();
    let urls = cluster.urls();
    let file = plan(&folder, &["purge", &urls[0], "--schema", "Name", "--without-last-use"]);
    let lines = planned(&file);
    assert_eq!(lines.len() as u64, KEYS);
    // Any node will do: also a replica.
    let nodes = cluster.nodes().unwrap();
    let replica = nodes.iter().find(|node| !node.is_primary()).unwrap();
    let ran = act(&folder, "purge", &replica.url(), &file, &[]);
    assert_eq!((ran.status, number_of(&ran, "removed")), (Some(0), KEYS), "{ran:?}");
    assert_eq!(keys(&cluster), (1, 0));
    for node in &nodes {
        let evals = calls(&mut connect(&node.url()), "eval");
        assert_eq!(evals > 0, node.is_primary(), "{evals}");
    }
}

/// Some servers crash at a command of a client with `CLIENT NO-TOUCH` for a key whose slot moves.
#[test]
fn no_node_crashes_while_a_slot_moves() {
    let (cluster, _con) = start();
    let folder = Folder::new();
    let url = &cluster.urls()[0];
    let moving = MovingSlot::open(&cluster, "user:name:7:string");
    let arguments = ["purge", url, "--schema", "Name", "--without-last-use"];
    let file = plan(&folder, &arguments);
    assert_eq!(planned(&file).len() as u64, KEYS);
    std::fs::remove_file(&file).unwrap();
    let named = plan(&folder, &["purge", url, "--key", "user:name:7:string", "--without-last-use"]);
    let audit = super::run::change(&folder, &["audit", url, "--full-speed"]);
    assert_eq!((audit.status, audit.keys()), (Some(1), KEYS + 1), "{audit:?}");
    let ran = act(&folder, "purge", url, &named, &["--without-last-use"]);
    assert_eq!((ran.status, number_of(&ran, "removed")), (Some(0), 1), "{ran:?}");
    moving.finish(&cluster);
    assert_eq!(keys(&cluster).0, KEYS);
}

/// Between the plan and the act a slot moves, and another one is about to.
#[test]
fn slots_that_move_are_followed() {
    let (cluster, _con) = start();
    let folder = Folder::new();
    let url = &cluster.urls()[0];
    let file = plan(&folder, &["expire", url, "--schema", "Name"]);
    MovingSlot::open(&cluster, "user:name:7:string").finish(&cluster);
    let mut moving = MovingSlot::open(&cluster, "user:name:8:string");
    moving.send("user:name:8:string");
    let ran = act(&folder, "expire", url, &file, &[]);
    assert_eq!((ran.status, number_of(&ran, "given an expiry")), (Some(0), KEYS), "{ran:?}");
    moving.finish(&cluster);
    assert_eq!(keys(&cluster), (KEYS + 1, KEYS));
}

/// The server that has a slot by then has not noted what happened before.
#[test]
fn keys_of_slots_that_moved_are_not_removed() {
    let (cluster, mut con) = start();
    let folder = Folder::new();
    let url = &cluster.urls()[0];
    let moved = "user:name:7:string";
    for key in [moved, "user:name:8:string"] {
        let value: Vec<u8> = redis::cmd("DUMP").arg(key).query(&mut con).unwrap();
        let restore = ["REPLACE", "IDLETIME", "1000"];
        redis::cmd("RESTORE").arg(key).arg(0).arg(value).arg(&restore).exec(&mut con).unwrap();
    }
    let file = plan(&folder, &["purge", url, "--schema", "Name", "--match", "user:name:[78]:*"]);
    assert_eq!(planned(&file).len(), 2);
    MovingSlot::open(&cluster, moved).finish(&cluster);
    let ran = act(&folder, "purge", url, &file, &[]);
    assert_eq!((ran.status, number_of(&ran, "removed")), (Some(1), 1), "{ran:?}");
    assert!(ran.stdout.contains("user:name:7:string: another server has it since the plan was made"), "{ran:?}");
}

#[test]
fn a_failover_half_way_is_followed() {
    let (cluster, _con) = start();
    let folder = Folder::new();
    let url = &cluster.urls()[0];
    let file = plan(&folder, &["expire", url, "--schema", "Name"]);
    let arguments = ["expire", url, "--plan", &file, "--yes", "--rate", "500", "--max-latency", "1s"];
    let primary = cluster.primary_of("user:name:7:string").unwrap();
    let child = command(&folder, &arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut con = connect(&primary.url());
    wait_until("some keys are done", || calls(&mut con, "eval") > 0);
    fail_over(&cluster, "user:name:7:string", None);
    let ran = Ran::new(child.wait_with_output().unwrap());
    assert_eq!((ran.status, number_of(&ran, "given an expiry")), (Some(0), KEYS), "{ran:?}");
    assert_eq!(keys(&cluster), (KEYS + 1, KEYS));
}

#[test]
fn a_killed_primary_is_replaced() {
    let (mut cluster, _con) = start();
    for node in cluster.nodes().unwrap().iter().filter(|node| node.is_primary()) {
        let replicas: u64 = run(&mut connect(&node.url()), &["WAIT", "1", "5000"]);
        assert_eq!(replicas, 1);
    }
    let folder = Folder::new();
    let primary = cluster.primary_of("user:name:7:string").unwrap();
    let url = cluster.urls().into_iter().find(|url| *url != primary.url()).unwrap();
    let file = plan(&folder, &["expire", &url, "--schema", "Name"]);
    cluster.kill(primary.port()).unwrap();
    let ran = act(&folder, "expire", &url, &file, &[]);
    assert_eq!((ran.status, number_of(&ran, "given an expiry")), (Some(0), KEYS), "{ran:?}");
    cluster.wait_until_whole().unwrap();
    let mut con = ClusterClient::new(cluster.urls()).and_then(|client| client.get_connection()).unwrap();
    for id in 0..KEYS {
        let left: i64 = redis::cmd("PTTL").arg(format!("user:name:{id}:string")).query(&mut con).unwrap();
        assert!(left > 0, "{id}");
    }
}

#[test]
fn a_named_key_is_found_on_its_node() {
    let (cluster, _con) = start();
    let folder = Folder::new();
    let mut arguments = vec!["purge".to_owned(), cluster.urls()[0].clone(), "--yes".to_owned()];
    for id in 0..20 {
        arguments.extend(["--key".to_owned(), format!("user:name:{id}:string")]);
    }
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let ran = super::run::change(&folder, &arguments);
    assert_eq!((ran.status, number_of(&ran, "removed")), (Some(0), 20), "{ran:?}");
    assert_eq!(keys(&cluster).0, KEYS - 19);
}

//! Clusters.

use std::sync::{Arc, OnceLock};

use redis::cluster::ClusterClient;
use redis_keys::testing::Cluster;
use redis_keys_tests::{FakeServer, MovingSlot, fail_over, wait_until};

use super::run::{Folder, Running, audit, command, connect, run};

const KEYS: u32 = 6_000;

/// Writes keys, and returns their number.
pub(crate) fn fill(cluster: &Cluster) -> u64 {
    let mut con = ClusterClient::new(cluster.urls()).and_then(|client| client.get_connection()).unwrap();
    for number in 0..KEYS {
        let key = format!("user:name:{number}:string");
        redis::cmd("SET").arg(key).arg("x").arg("PX").arg(3_600_000).exec(&mut con).unwrap();
    }
    u64::from(KEYS)
}

#[test]
fn every_primary_is_read() {
    let cluster = Cluster::start().unwrap();
    fill(&cluster);
    for url in cluster.urls() {
        let ran = audit(&[&url, "--full-speed"]);
        assert_eq!(ran.keys(), u64::from(KEYS));
        assert!(ran.stderr.contains("keys of 3 servers"), "{ran:?}");
    }
    let urls = cluster.urls();
    let mut all: Vec<&str> = urls.iter().map(String::as_str).collect();
    all.push("--full-speed");
    assert_eq!(audit(&all).keys(), u64::from(KEYS));
}

#[test]
fn replicas_are_read_on_request() {
    let cluster = Cluster::start_with_replicas(1).unwrap();
    fill(&cluster);
    let nodes = cluster.nodes().unwrap();
    let mut cons: Vec<_> = nodes.iter().map(|node| (node.is_primary(), connect(&node.url()))).collect();
    for (_, con) in &mut cons {
        let _: String = run(con, &["CONFIG", "RESETSTAT"]);
    }
    let url = &cluster.urls()[0];
    wait_until("the node lists all replicas", || {
        let ranges: Vec<Vec<redis::Value>> = run(&mut connect(url), &["CLUSTER", "SLOTS"]);
        ranges.iter().all(|range| range.len() == 4)
    });
    let ran = audit(&[url, "--full-speed", "--replicas"]);
    assert_eq!(ran.keys(), u64::from(KEYS), "{ran:?}");
    for (is_primary, con) in &mut cons {
        assert_eq!(super::run::calls(con, "type") == 0, *is_primary);
    }
}

/// Keys of a slot that is on its way are counted where the slot is.
#[test]
fn a_slot_that_moves_is_counted_once() {
    let cluster = Cluster::start().unwrap();
    fill(&cluster);
    let mut moving = MovingSlot::open(&cluster, "user:name:7:string");
    moving.send("user:name:7:string");
    let ran = audit(&[&cluster.urls()[0], "--full-speed"]);
    assert_eq!(ran.keys(), u64::from(KEYS) - 1);
    moving.finish(&cluster);
    assert_eq!(audit(&[&cluster.urls()[0], "--full-speed"]).keys(), u64::from(KEYS));
}

/// A node that replies to commands on keys of a slot that it got after the start: another node has counted them.
#[test]
fn keys_of_foreign_slots_are_not_counted() {
    let own_port = Arc::new(OnceLock::new());
    let port = Arc::clone(&own_port);
    let server = FakeServer::start(move |command| {
        let words: Vec<_> = command.iter().map(|word| String::from_utf8_lossy(word).to_uppercase()).collect();
        let port = port.get().copied().unwrap_or(0);
        let slots = format!("*1\r\n*3\r\n:0\r\n:8191\r\n*3\r\n$9\r\n127.0.0.1\r\n:{port}\r\n$2\r\nid\r\n");
        let reply = match words[0].as_str() {
            "INFO" => "$29\r\ncluster_enabled:1\r\nrun_id:abc\r\n",
            "CLUSTER" => &slots,
            // `foo` is in slot 12182, `bar` in slot 5061.
            "SCAN" => "*2\r\n$1\r\n0\r\n*2\r\n$3\r\nfoo\r\n$3\r\nbar\r\n",
            "TYPE" => "+string\r\n",
            "PTTL" | "MEMORY" | "STRLEN" | "DBSIZE" => ":60\r\n",
            "CONFIG" | "OBJECT" => "-NOPERM no permissions\r\n",
            _ => "+OK\r\n",
        };
        reply.as_bytes().to_vec()
    });
    own_port.set(server.port()).unwrap();
    let ran = audit(&[&server.url(), "--full-speed", "--show-keys", "--json", "-"]);
    assert_eq!(ran.keys(), 1, "{ran:?}");
    assert!(ran.stdout.contains("\"bar\"") && !ran.stdout.contains("\"foo\""), "{ran:?}");
}

#[test]
fn slots_that_move_meanwhile_are_named() {
    let cluster = Cluster::start().unwrap();
    fill(&cluster);
    let moving = MovingSlot::open(&cluster, "user:name:7:string");
    let slot = moving.slot();
    let mut con = connect(&moving.nodes()[0].url());
    let folder = Folder::new();
    let report = folder.file("report.json");
    let running = Running::start(command(&folder, &[&cluster.urls()[0], "--json", &report]), &mut con);
    moving.finish(&cluster);
    let ran = running.finish();
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(ran.keys() <= u64::from(KEYS), "{ran:?}");
    let report: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(report).unwrap()).unwrap();
    let moved = |node: &serde_json::Value| node["moved_slots"] == serde_json::json!([[slot, slot]]);
    assert_eq!(report["nodes"].as_array().unwrap().iter().filter(|node| moved(node)).count(), 2, "{}", report["nodes"]);
}

#[test]
fn a_failover_restarts_the_node() {
    let cluster = Cluster::start_with_replicas(1).unwrap();
    fill(&cluster);
    let mut con = connect(&cluster.primary_of("user:name:7:string").unwrap().url());
    let folder = Folder::new();
    let running = Running::start(command(&folder, &[&cluster.urls()[0]]), &mut con);
    fail_over(&cluster, "user:name:7:string", None);
    let ran = running.finish();
    assert_eq!((ran.status, ran.keys()), (Some(0), u64::from(KEYS)), "{ran:?}");
    assert!(ran.stderr.contains("has taken the place of"), "{ran:?}");
}

#[test]
fn a_replica_takes_the_place_of_a_killed_primary() {
    let mut cluster = Cluster::start_with_replicas(1).unwrap();
    fill(&cluster);
    let primary = cluster.primary_of("user:name:7:string").unwrap();
    let other = cluster.nodes().unwrap().into_iter().find(|node| node.is_primary() && *node != primary).unwrap();
    let mut con = connect(&primary.url());
    let folder = Folder::new();
    let running = Running::start(command(&folder, &[&other.url()]), &mut con);
    cluster.kill(primary.port()).unwrap();
    cluster.wait_until_whole().unwrap();
    let ran = running.finish();
    assert_eq!((ran.status, ran.keys()), (Some(0), u64::from(KEYS)), "{ran:?}");
}

//! `redis_keys::testing::Cluster`.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::thread::sleep;
use std::time::Duration;

use redis::cluster::{ClusterClient, ClusterConnection};
use redis_keys::testing::{Cluster, ClusterNode};
use redis_keys_tests::{Child, Con, wait_until};

use super::server::{answers, folder};

fn client(cluster: &Cluster) -> ClusterConnection {
    ClusterClient::new(cluster.urls()).and_then(|client| client.get_connection()).expect("the cluster replies")
}

/// Runs a command on keys of every node.
fn on_many_keys(con: &mut ClusterConnection, command: &str) -> Vec<u64> {
    (0..100).map(|key| redis::cmd(command).arg(key).query(con).expect("the cluster replies")).collect()
}

#[test]
fn three_primaries_serve_every_slot() {
    let cluster = Cluster::start().expect("a cluster starts");
    let nodes = cluster.nodes().expect("the server replies");
    assert_eq!(nodes.len(), 3);
    assert_eq!(cluster.urls().len(), 3);
    for slot in 0..16_384 {
        assert_eq!(nodes.iter().filter(|node| node.serves(slot)).count(), 1, "slot {slot}");
    }
    let mut con = client(&cluster);
    assert_eq!(on_many_keys(&mut con, "INCR"), [1; 100]);
    let counts = nodes.iter().map(|node| Con::blocking(&node.url()).raw::<u64>(&["DBSIZE"]));
    assert_eq!(counts.inspect(|count| assert_ne!(*count, 0)).sum::<u64>(), 100);
}

#[test]
fn clusters_started_at_once_are_independent() {
    let clusters = std::thread::scope(|scope| {
        let start = || Cluster::start().expect("a cluster starts");
        [(); 2].map(|()| scope.spawn(start)).map(|thread| thread.join().expect("the thread does not panic"))
    });
    let [mut first, mut second] = clusters.each_ref().map(client);
    on_many_keys(&mut first, "INCR");
    assert_eq!(on_many_keys(&mut second, "EXISTS"), [0; 100]);
    assert_eq!(on_many_keys(&mut first, "EXISTS"), [1; 100]);
    for cluster in &clusters {
        assert_eq!(cluster.nodes().expect("the server replies").len(), 3);
    }
}

#[test]
fn a_replica_takes_over_when_its_primary_is_killed() {
    let mut cluster = Cluster::start_with_replicas(1).expect("a cluster starts");
    let nodes = cluster.nodes().expect("the server replies");
    assert_eq!(nodes.len(), 6);
    for primary in nodes.iter().filter(|node| node.is_primary()) {
        assert_eq!(nodes.iter().filter(|node| node.is_replica_of(primary)).count(), 1);
    }
    for node in &nodes {
        let mut con = Con::blocking(&node.url());
        assert!(con.raw::<String>(&["CLUSTER", "INFO"]).contains("cluster_state:ok"));
        assert_eq!(con.info("replication").contains("master_link_status:up"), !node.is_primary());
    }
    let mut con = client(&cluster);
    on_many_keys(&mut con, "INCR");
    let lost = cluster.primary_of("user:name:42:string").expect("the server replies");
    let replica = nodes.iter().find(|node| node.is_replica_of(&lost)).expect("the primary has a replica");
    let keys = |node: &ClusterNode| Con::blocking(&node.url()).raw::<u64>(&["DBSIZE"]);
    wait_until("the replica is in sync", || keys(replica) == keys(&lost));
    cluster.kill(1).expect_err("no node has this port");
    cluster.kill(lost.port()).expect("it is a node of the cluster");
    assert!(!answers(lost.port()) && !cluster.urls().contains(&lost.url()));
    cluster.wait_until_whole().expect("a replica takes over");
    let now = cluster.primary_of("user:name:42:string").expect("the server replies");
    assert_eq!(now.id(), replica.id());
    assert_eq!(cluster.nodes().expect("the server replies").len(), 5);
    assert_eq!(on_many_keys(&mut client(&cluster), "INCR"), [2; 100], "the replica has every write");
}

#[test]
fn dropping_a_cluster_removes_it() {
    let cluster = Cluster::start_with_replicas(1).expect("a cluster starts");
    let folders: Vec<_> = cluster.urls().iter().map(|url| folder(url)).collect();
    let ports: Vec<_> = cluster.nodes().expect("the server replies").iter().map(ClusterNode::port).collect();
    assert!(folders.iter().all(|folder| folder.exists()) && ports.iter().all(|port| answers(*port)));
    drop(cluster);
    assert!(!folders.iter().any(|folder| folder.exists()) && !ports.iter().any(|port| answers(*port)));
}

/// Not a test: the process that [`a_cluster_is_removed_when_its_process_is_killed`] kills.
#[test]
#[ignore = "runs inside another test"]
fn hold_a_cluster_until_killed() {
    let cluster = Cluster::start_with_replicas(1).expect("a cluster starts");
    println!("\nnodes at {}", cluster.urls().join(" "));
    sleep(Duration::from_secs(60));
}

#[test]
fn a_cluster_is_removed_when_its_process_is_killed() {
    let mut child = Child::start("testing::cluster::hold_a_cluster_until_killed", &[]);
    let urls = child.wait_for_line("nodes at ");
    let folders: Vec<PathBuf> = urls.split(' ').map(folder).collect();
    assert!(folders.len() == 6 && folders.iter().all(|folder| folder.exists()));
    child.kill();
    wait_until("the folders are removed", || !folders.iter().any(|folder| folder.exists()));
}

#[test]
fn a_program_that_forms_no_cluster_is_reported() {
    for program in ["/no/such/server", "false"] {
        let error = Cluster::start_with(program, 0).expect_err("the program is not a server").to_string();
        assert!(error.contains(&format!("`{program}` does not form a cluster")), "{error}");
    }
}

#[test]
fn a_server_without_cluster_support_is_reported() {
    let script = std::env::temp_dir().join(format!("redis-keys-lonely-{}", std::process::id()));
    let server = r"${REDIS_KEYS_SERVER:-$(command -v valkey-server || command -v redis-server)}";
    fs::write(&script, format!("#!/bin/sh\nexec \"{server}\" \"$@\" --cluster-enabled no\n"))
        .expect("the file can be written");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).expect("the mode can be set");
    let error = Cluster::start_with(&script, 0).expect_err("clusters are disabled").to_string();
    fs::remove_file(&script).expect("the file can be removed");
    assert!(error.contains("does not form a cluster") && error.contains("cluster support disabled"), "{error}");
}

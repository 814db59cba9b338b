//! Batches on a cluster that changes all the time: each command is executed as its reply or its error says.

use std::future::Future;
use std::time::Duration;

use redis::cluster::ClusterClient;
use redis::{Client, RedisResult};
use redis_keys::{ConnectOptions, cluster};
use redis_keys_tests::{ClusterReport, ClusterSoak, seed};

const TIMEOUT: Duration = Duration::from_secs(20);

const VALID: &str = "the addresses are valid";

/// Slots that move, for a few seconds.
fn moves(seconds: u64) -> ClusterSoak {
    ClusterSoak { seed: seed(), time: Duration::from_secs(seconds), cancels: true, cuts: false, kills: false }
}

/// Slots that move, connections that are cut, and a primary that is killed.
fn all_changes() -> ClusterSoak {
    ClusterSoak { cuts: true, kills: true, ..moves(25) }
}

/// Runs it on the connection of this crate.
fn run(soak: ClusterSoak) -> ClusterReport {
    let report = soak.run(|urls: Vec<String>| async move {
        let clients: Vec<_> = urls.into_iter().map(|url| Client::open(url).expect(VALID)).collect();
        cluster::connect_with(&clients, ConnectOptions::new().with_time_limit(TIMEOUT)).expect(VALID)
    });
    println!("soak: {report}");
    report
}

/// Runs it on the connection of redis-rs.
fn run_on_redis_rs(soak: ClusterSoak) -> ClusterReport {
    let report = soak.run(|urls: Vec<String>| async move {
        let client = ClusterClient::builder(urls).response_timeout(TIMEOUT).build().expect(VALID);
        until_ok(|| client.get_async_connection()).await
    });
    println!("soak: {report}");
    report
}

/// Connects again if the connection is cut immediately.
async fn until_ok<C, F: Future<Output = RedisResult<C>>>(connect: impl Fn() -> F) -> C {
    for _ in 0..20 {
        if let Ok(con) = connect().await {
            return con;
        }
    }
    connect().await.expect("the cluster replies")
}

#[test]
fn batches_are_exact_while_slots_move() {
    let report = run(moves(5));
    assert!(report.is_exact() && report.frozen + report.unknown + report.not_sent == 0, "{report}");
}

#[test]
#[ignore = "takes long: `cargo xtask soak` runs it"]
fn long_batches_are_exact_while_slots_move() {
    let report = run(moves(15));
    assert!(report.is_exact() && report.frozen + report.unknown + report.not_sent == 0, "{report}");
}

#[test]
#[ignore = "takes long: `cargo xtask soak` runs it"]
fn long_batches_are_exact_while_everything_changes() {
    let report = run(all_changes());
    assert!(report.is_exact() && report.frozen == 0, "{report}");
}

#[test]
#[ignore = "takes long: `cargo xtask soak` runs it"]
fn long_batches_on_redis_rs_are_exact_while_slots_move() {
    let report = run_on_redis_rs(moves(15));
    assert!(report.is_exact() && report.frozen == 0, "{report}");
}

/// redis-rs sends a write again whose reply was lost.
#[test]
#[ignore = "takes long: `cargo xtask soak` runs it"]
fn long_batches_on_redis_rs_are_only_repeated_while_everything_changes() {
    let report = run_on_redis_rs(all_changes());
    assert!(report.frozen + report.lost + report.disordered + report.denied == 0, "{report}");
}

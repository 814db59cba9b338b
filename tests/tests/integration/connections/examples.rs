//! The examples of the crate.

use redis_keys::testing::Server;
use redis_keys_tests::{Con, shared_cluster};

use super::block_on;

#[allow(dead_code, reason = "`main` is not called")]
#[path = "../../../../examples/bb8.rs"]
mod bb8;
#[allow(dead_code, reason = "`main` is not called")]
#[path = "../../../../examples/cache.rs"]
mod cache;
#[allow(dead_code, reason = "`main` is not called")]
#[path = "../../../../examples/cluster.rs"]
mod cluster;
#[allow(dead_code, reason = "`main` is not called")]
#[path = "../../../../examples/connection_manager.rs"]
mod connection_manager;
#[cfg(not(redis_rs_2))]
#[allow(dead_code, reason = "`main` is not called")]
#[path = "../../../../examples/deadpool.rs"]
mod deadpool;
#[allow(dead_code, reason = "`main` is not called")]
#[path = "../../../../examples/jobs.rs"]
mod jobs;
#[allow(dead_code, reason = "`main` is not called")]
#[path = "../../../../examples/limit.rs"]
mod limit;
#[allow(dead_code, reason = "`main` is not called")]
#[path = "../../../../examples/lock.rs"]
mod lock;

/// Runs an example twice, at an address with a user and a password, and asserts the number of keys.
fn on_a_server<E: std::fmt::Debug>(run: &impl AsyncFn(&str) -> Result<(), E>, keys: u64) {
    let server = Server::start().expect("a server starts");
    let mut con = Con::blocking(&server.url());
    let _: String = con.raw(&["ACL", "SETUSER", "ada", "on", ">lovelace", "~*", "+@all"]);
    let url = format!("redis://ada:lovelace@127.0.0.1:{}/", server.port());
    for _ in 0..2 {
        block_on(run(&url)).expect("the example works");
        assert_eq!(con.raw::<u64>(&["DBSIZE"]), keys);
    }
    con.assert_all_expire();
}

#[test]
fn the_connection_manager_example_works() {
    on_a_server(&connection_manager::run, 20);
}

#[test]
fn the_bb8_example_works() {
    on_a_server(&bb8::run, 10);
}

#[cfg(not(redis_rs_2))]
#[test]
fn the_deadpool_example_works() {
    on_a_server(&deadpool::run, 10);
}

#[test]
fn the_cache_example_works() {
    let server = Server::start().expect("a server starts");
    let url = server.url();
    block_on(cache::run(&url, Some(server))).expect("the example works");
}

#[test]
fn the_jobs_example_works() {
    on_a_server(&jobs::run, 1);
}

#[test]
fn the_lock_example_works() {
    let server = Server::start().expect("a server starts");
    block_on(lock::run(&server.url())).expect("the example works");
}

#[test]
fn the_limit_example_works() {
    let server = Server::start().expect("a server starts");
    let url = server.url();
    block_on(limit::run(&url, Some(server))).expect("the example works");
}

#[test]
fn the_cluster_example_works() {
    let cluster = shared_cluster();
    let mut con = Con::blocking_cluster(&cluster, redis::ProtocolVersion::RESP3);
    for _ in 0..2 {
        block_on(cluster::run(&cluster.urls().join(","))).expect("the example works");
        assert_eq!(con.raw::<u64>(&["DBSIZE"]), 102);
    }
    con.assert_all_expire();
}

//! Guards of the pools `bb8`, `deadpool-redis` and `r2d2`.

use redis::Client;
use redis::cluster::ClusterClient;
use redis_keys::testing::{self, Server};
use redis_keys_tests::shared_cluster;

use super::block_on;
use super::commands::{count_in_a_moving_slot, run_all, run_all_blocking};

#[test]
fn a_bb8_guard_runs_commands_on_a_server() {
    let server = Server::start().expect("a server starts");
    let client = Client::open(server.url()).expect("the address is valid");
    block_on(async {
        let pool = bb8::Pool::builder().max_size(2).build(client).await.expect("the server replies");
        let mut con = pool.get().await.expect("the pool has a connection");
        run_all(&mut *con).await.expect("every command succeeds");
        testing::assert_all_expire_async(&*con, "").await;
    });
}

#[test]
fn a_bb8_guard_runs_commands_on_a_cluster() {
    let cluster = shared_cluster();
    let client = ClusterClient::new(cluster.urls()).expect("the addresses are valid");
    block_on(async {
        let pool = bb8::Pool::builder().max_size(2).build(client).await.expect("the cluster replies");
        let mut con = pool.get().await.expect("the pool has a connection");
        run_all(&mut *con).await.expect("every command succeeds");
        count_in_a_moving_slot(&cluster, &mut *con).await;
        testing::assert_all_expire_async(&*con, "").await;
    });
}

#[cfg(not(redis_rs_2))]
#[test]
fn a_deadpool_guard_runs_commands_on_a_server() {
    let server = Server::start().expect("a server starts");
    block_on(async {
        let pool = deadpool_redis::Config::from_url(server.url())
            .create_pool(Some(deadpool_redis::Runtime::Tokio1))
            .expect("the address is valid");
        let mut con = pool.get().await.expect("the server replies");
        run_all(&mut con).await.expect("every command succeeds");
        testing::assert_all_expire_async(&*con, "").await;
    });
}

#[cfg(not(redis_rs_2))]
#[test]
fn a_deadpool_guard_runs_commands_on_a_cluster() {
    let cluster = shared_cluster();
    block_on(async {
        let config = deadpool_redis::cluster::Config::from_urls(cluster.urls());
        let pool = config.create_pool(Some(deadpool_redis::Runtime::Tokio1)).expect("the addresses are valid");
        let mut con = pool.get().await.expect("the cluster replies");
        run_all(&mut con).await.expect("every command succeeds");
        count_in_a_moving_slot(&cluster, &mut con).await;
        testing::assert_all_expire_async(&*con, "").await;
    });
}

#[test]
fn an_r2d2_guard_runs_commands_on_a_server() {
    let server = Server::start().expect("a server starts");
    let client = Client::open(server.url()).expect("the address is valid");
    let pool = r2d2::Pool::builder().max_size(2).build(client).expect("the server replies");
    let mut con = pool.get().expect("the pool has a connection");
    run_all_blocking(&mut con).expect("every command succeeds");
}

#[test]
fn an_r2d2_guard_runs_commands_on_a_cluster() {
    let cluster = shared_cluster();
    let client = ClusterClient::new(cluster.urls()).expect("the addresses are valid");
    let pool = r2d2::Pool::builder().max_size(2).build(client).expect("the cluster replies");
    let mut con = pool.get().expect("the pool has a connection");
    run_all_blocking(&mut con).expect("every command succeeds");
}

//! Guards of `deadpool-redis`. A cluster's is recognised as one.

use deadpool_redis::{Config, Runtime, cluster};
use redis_keys::testing::{self, Server};
use redis_keys_tests::shared_cluster;

use super::block_on;
use super::work::{count_in_a_moving_slot, work};

#[test]
fn a_server() {
    let server = Server::start().expect("a server starts");
    block_on(async {
        let pool = Config::from_url(server.url()).create_pool(Some(Runtime::Tokio1)).expect("the address is good");
        let mut con = pool.get().await.expect("the server answers");
        work(&mut con).await.expect("every command is done");
        testing::assert_all_expire_async(&mut con, "").await;
    });
}

#[test]
fn a_cluster() {
    let cluster = shared_cluster();
    block_on(async {
        let config = cluster::Config::from_urls(cluster.urls());
        let pool = config.create_pool(Some(Runtime::Tokio1)).expect("the addresses are good");
        let mut con = pool.get().await.expect("the cluster answers");
        work(&mut con).await.expect("every command is done");
        count_in_a_moving_slot(&cluster, &mut con).await;
        testing::assert_all_expire_async(&mut con, "").await;
    });
}

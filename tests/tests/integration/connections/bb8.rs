//! Guards of `bb8`, which are lent as the connection that they hold: `&mut *con`.

use bb8::Pool;
use redis::Client;
use redis::cluster::ClusterClient;
use redis_keys::testing::{self, Server};
use redis_keys_tests::shared_cluster;

use super::block_on;
use super::work::{count_in_a_moving_slot, work};

#[test]
fn a_server() {
    let server = Server::start().expect("a server starts");
    let client = Client::open(server.url()).expect("the address is good");
    block_on(async {
        let pool = Pool::builder().max_size(2).build(client).await.expect("the server answers");
        let mut con = pool.get().await.expect("nobody else wants one");
        work(&mut *con).await.expect("every command is done");
        testing::assert_all_expire_async(&mut *con, "").await;
    });
}

#[test]
fn a_cluster() {
    let cluster = shared_cluster();
    let client = ClusterClient::new(cluster.urls()).expect("the addresses are good");
    block_on(async {
        let pool = Pool::builder().max_size(2).build(client).await.expect("the cluster answers");
        let mut con = pool.get().await.expect("nobody else wants one");
        work(&mut *con).await.expect("every command is done");
        count_in_a_moving_slot(&cluster, &mut *con).await;
        testing::assert_all_expire_async(&mut *con, "").await;
    });
}

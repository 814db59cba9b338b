//! Guards of `r2d2`.

use r2d2::Pool;
use redis::Client;
use redis::cluster::ClusterClient;
use redis_keys::testing::Server;
use redis_keys_tests::shared_cluster;

use super::work::work_blocking;

#[test]
fn a_server() {
    let server = Server::start().expect("a server starts");
    let client = Client::open(server.url()).expect("the address is good");
    let pool = Pool::builder().max_size(2).build(client).expect("the server answers");
    let mut con = pool.get().expect("nobody else wants one");
    work_blocking(&mut con).expect("every command is done");
}

#[test]
fn a_cluster() {
    let cluster = shared_cluster();
    let client = ClusterClient::new(cluster.urls()).expect("the addresses are good");
    let pool = Pool::builder().max_size(2).build(client).expect("the cluster answers");
    let mut con = pool.get().expect("nobody else wants one");
    work_blocking(&mut con).expect("every command is done");
}

//! Many callers, and one load.

use std::sync::Arc;

use redis::cluster::ClusterClient;
use redis_keys::cache::Cache;
use redis_keys::prelude::*;
use redis_keys::testing::Server;
use redis_keys::{AsyncConnection, ConnectOptions, cluster};
use redis_keys_tests::shared_cluster;

use super::keys::{Document, DocumentOf};
use super::load_source::{PATIENCE, Source};
use super::{NO_ERROR, NO_LIMIT, client, finished, manager, multiplexed};

/// A thousand tasks ask for a value that is not `Clone`, with loaders that borrow.
async fn assert_one_load<C>(con: C)
where
    C: AsyncConnection + Clone + Send + Sync + 'static,
{
    let cache = Cache::new(con).with_time_limit(NO_LIMIT);
    let source = Arc::new(Source::closed());
    let tasks: Vec<_> = (0..1000)
        .map(|number| {
            let (cache, source) = (cache.clone(), Arc::clone(&source));
            tokio::spawn(async move {
                let (key, title) = (DocumentOf { id: 1 }, "Notes".to_owned());
                let load = || async {
                    source.load(&title).await.map(|title| title.map(|title| Document { title, score: None }))
                };
                if number % 2 == 0 {
                    return cache.get_or_load(&key, load).await.map_err(|error| error.to_string());
                }
                let source = Arc::clone(&source);
                let load = move || async move {
                    source.load("Notes").await.map(|title| title.map(|title| Document { title, score: None }))
                };
                cache.get_or_load_detached(key, load).await.map_err(|error| error.to_string())
            })
        })
        .collect();
    source.wait_for_loads(1).await;
    source.let_all_end();
    for task in tasks {
        assert_eq!(finished(task).await.expect(NO_ERROR), Some(Document { title: "Notes".to_owned(), score: None }));
    }
    let stats = cache.stats();
    assert_eq!((source.loads(), stats.loads, stats.overtaken), (1, 1, 0), "{stats:?}");
    assert_eq!(stats.shared + stats.hits, 999, "{stats:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn on_a_single_server() {
    let server = Server::start().expect("a server starts");
    assert_one_load(manager(&server.url()).await).await;
    let mut con = multiplexed(&server.url()).await;
    DocumentOf { id: 1 }.unlink().query_async(&mut con).await.expect("the server replies");
    assert_one_load(con).await;
}

#[test]
fn on_a_cluster() {
    let cluster = shared_cluster();
    let runtime = tokio::runtime::Runtime::new().expect("a runtime starts");
    runtime.block_on(async {
        let client_of_cluster =
            ClusterClient::builder(cluster.urls()).response_timeout(NO_LIMIT).build().expect("the addresses are valid");
        let mut con = client_of_cluster.get_async_connection().await.expect("the cluster replies");
        assert_one_load(con.clone()).await;
        DocumentOf { id: 1 }.unlink().query_async(&mut con).await.expect("the cluster replies");
        let clients: Vec<_> = cluster.urls().iter().map(|url| client(url)).collect();
        let options = ConnectOptions::new().with_time_limit(PATIENCE);
        assert_one_load(cluster::connect_with(&clients, options).expect("the addresses are valid")).await;
    });
}

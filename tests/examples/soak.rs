//! `soak SECONDS SEED [cancels] [kills] [redis-rs]`: batches on a cluster that changes, on this crate's connection or redis-rs's.

#![allow(clippy::expect_used, clippy::panic, reason = "nothing can go on when these fail")]

use std::time::Duration;

use redis::{AsyncConnectionConfig, cluster::ClusterClient};
use redis_keys::cluster;
use redis_keys_tests::ClusterSoak;

const TIMEOUT: Duration = Duration::from_secs(2);

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, usual| words.get(at).and_then(|word| word.parse().ok()).unwrap_or(usual);
    let has = |option: &str| words.iter().any(|word| word == option);
    let soak = ClusterSoak {
        time: Duration::from_secs(number(0, 60)),
        seed: number(1, 1),
        cancels: has("cancels"),
        kills: has("kills"),
    };
    println!("{soak:?}");
    let report = if has("redis-rs") {
        soak.run(|urls: Vec<String>| async move {
            let client = ClusterClient::builder(urls).response_timeout(TIMEOUT).build();
            client.expect("the addresses are valid").get_async_connection().await.expect("the cluster replies")
        })
    } else {
        soak.run(|urls: Vec<String>| async move {
            let clients = urls.into_iter().map(redis::Client::open).collect::<Result<Vec<_>, _>>();
            let config = AsyncConnectionConfig::new().set_response_timeout(Some(TIMEOUT));
            let con = cluster::connect_with(&clients.expect("the addresses are valid"), config).await;
            con.expect("the cluster replies")
        })
    };
    println!("{report}");
}

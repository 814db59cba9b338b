//! Cached keys.

mod reports;

use redis_keys::{cache::Cache, prelude::*, testing::Server};
use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering::Relaxed},
    },
    time::Duration,
};

#[derive(RedisKey)]
#[redis_key(cached:name:{id}:string, value = String, ttl = 1h, jitter = 5m, null_ttl = 5m, lease = 2s)]
struct Name {
    id: u32,
}

#[allow(clippy::unwrap_used, reason = "a test")]
#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_misses_are_one_load() {
    let server = Server::start().expect("a server starts");
    let client = redis::Client::open(server.url()).unwrap();
    let cache = Cache::new(client.get_connection_manager().await.unwrap());
    let loads = Arc::new(AtomicU32::new(0));
    let calls: Vec<_> = (0..1000)
        .map(|_| {
            let (cache, loads) = (cache.clone(), loads.clone());
            tokio::spawn(async move {
                cache
                    .get_or_load(&Name { id: 1 }, || async {
                        loads.fetch_add(1, Relaxed);
                        tokio::time::sleep(Duration::from_millis(50)).await;
                        Ok::<_, std::io::Error>(Some("Ada".to_owned()))
                    })
                    .await
                    .unwrap()
            })
        })
        .collect();
    for call in calls {
        assert_eq!(call.await.unwrap().as_deref(), Some("Ada"));
    }
    assert_eq!(loads.load(Relaxed), 1);
    println!("{:?}", cache.stats());
    let keys: Vec<_> = [1, 2, 3, 2].map(|id| Name { id }).into();
    let found = cache
        .get_or_load_many(&keys, |missing| {
            assert_eq!(missing.len(), 2);
            async move { Ok::<_, std::io::Error>(vec![(Name { id: 2 }, "Bob".to_owned())]) }
        })
        .await
        .unwrap();
    assert_eq!(found, [Some("Ada".to_owned()), Some("Bob".to_owned()), None, Some("Bob".to_owned())]);
    println!("{:?}", cache.stats());
    let found = cache
        .get_or_load_many(&keys, |_| async move { Ok::<Vec<(Name, String)>, std::io::Error>(vec![]) })
        .await
        .unwrap();
    println!("{found:?} {:?}", cache.stats());
    assert!(cache.invalidate(&Name { id: 2 }).await.unwrap());
    let d = cache.get_or_load_detached(Name { id: 2 }, || async { Ok::<_, std::io::Error>(None) }).await.unwrap();
    assert_eq!(d, None);
    println!("{:?}", cache.stats());
}

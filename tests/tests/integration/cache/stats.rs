//! Counts of a cache. The tests of each subject compare numbers; here is that no field stays zero.

use redis_keys::cache::{LoadedValue, Stats};
use redis_keys::prelude::*;
use redis_keys::testing::{Server, fix_jitter};
use redis_keys_tests::Con;

use super::keys::{Name, RefreshedText, Small};
use super::load_source::load;
use super::{NO_ERROR, cache, is_leased};

#[tokio::test]
async fn each_field_counts_what_it_says() {
    let _each_hit = fix_jitter(0.0);
    let server = Server::start().expect("a server starts");
    let (cache, mut con) = (cache(&server.url()).await, Con::blocking(&server.url()));
    let clone = cache.clone();
    assert_eq!(cache.stats(), Stats::default());
    let key = Name { id: 1 };
    let text = key.key().expect("the key is valid");

    assert!(cache.get_or_load(&key, || load("Ada")).await.is_ok());
    assert_eq!(counts(&clone.stats()), ["loads 1"]);
    assert!(cache.get_or_load(&key, || load("Ada")).await.is_ok());
    assert_eq!(counts(&clone.stats()), ["hits 1", "loads 1"]);

    assert!(cache.get_or_load(&Name { id: 2 }, || async { Ok::<_, ()>(None) }).await.is_ok());
    assert!(cache.get_or_load(&Name { id: 2 }, || load("Ada")).await.is_ok());
    assert_eq!(counts(&cache.stats()), ["hits 1", "absent_hits 1", "loads 2"]);

    let failed = cache.get_or_load(&Name { id: 3 }, || async { Err::<Option<String>, _>(()) }).await;
    assert!(failed.is_err());
    assert_eq!(counts(&cache.stats()), ["hits 1", "absent_hits 1", "loads 3", "failed_loads 1"]);

    // Two calls at the same time.
    let both = [Name { id: 4 }, Name { id: 4 }];
    let [first, second] = &both;
    let results = tokio::join!(cache.get_or_load(first, || load("Ada")), cache.get_or_load(second, || load("Ada")));
    assert!(results.0.is_ok() && results.1.is_ok());
    assert_eq!(counts(&cache.stats())[4..], ["shared 1"]);

    con.ok(RefreshedText { id: 1 }.set("Ada").expire_in(std::time::Duration::from_secs(60)));
    assert!(cache.get_or_load(&RefreshedText { id: 1 }, || load("Ada")).await.is_ok());
    assert_eq!(counts(&cache.stats())[5..], ["refreshes 1"]);

    let overtaken = || {
        con.ok(Name { id: 5 }.set("Bob"));
        load("Ada")
    };
    assert!(cache.get_or_load(&Name { id: 5 }, overtaken).await.is_ok());
    assert_eq!(counts(&cache.stats())[6..], ["overtaken 1"]);

    assert!(cache.get_or_load(&Small { id: 1 }, || load("more than ten bytes")).await.is_ok());
    assert_eq!(counts(&cache.stats())[7..], ["unstorable 1"]);

    let mut plain = super::client(&server.url()).get_connection().expect("the server replies");
    redis::cmd("SET").arg(&*text).arg(b"\xC1?").arg("EX").arg(60).exec(&mut plain).expect("the server replies");
    assert!(cache.get_or_load(&key, || load("Ada")).await.is_ok());
    assert_eq!(counts(&cache.stats())[8..], ["undecodable 1"]);

    let list = Name { id: 6 }.key().expect("the key is valid");
    let _: u8 = con.raw(&["RPUSH", &list, "a"]);
    assert!(cache.get_or_load(&Name { id: 6 }, || load("Ada")).await.is_ok());
    assert_eq!(counts(&cache.stats())[9..], ["server_errors 1"]);

    // A value that expires immediately is not stored, and that is no fault.
    let now = || async { Ok::<_, ()>(LoadedValue::found("Ada".to_owned()).expire_in(std::time::Duration::ZERO)) };
    assert_eq!(cache.get_or_load(&Name { id: 7 }, now).await.expect(NO_ERROR).as_deref(), Some("Ada"));
    assert_eq!(counts(&cache.stats())[7..], ["unstorable 1", "undecodable 1", "server_errors 1"]);
    super::until("the lease is given up", || !is_leased(&mut con, &Name { id: 7 })).await;

    drop(server);
    for _ in 0..5 {
        assert!(!cache.stats().breaker_is_open);
        assert!(cache.get_or_load(&key, || load("Ada")).await.is_ok());
    }
    assert_eq!(counts(&cache.stats())[10..], ["unanswered 5"]);
    assert!(clone.stats().breaker_is_open);
}

/// The fields that are not zero.
fn counts(stats: &Stats) -> Vec<String> {
    let fields = [
        ("hits", stats.hits),
        ("absent_hits", stats.absent_hits),
        ("loads", stats.loads),
        ("failed_loads", stats.failed_loads),
        ("shared", stats.shared),
        ("refreshes", stats.refreshes),
        ("overtaken", stats.overtaken),
        ("unstorable", stats.unstorable),
        ("undecodable", stats.undecodable),
        ("server_errors", stats.server_errors),
        ("unanswered", stats.unanswered),
    ];
    fields.iter().filter(|(_, count)| *count != 0).map(|(name, count)| format!("{name} {count}")).collect()
}

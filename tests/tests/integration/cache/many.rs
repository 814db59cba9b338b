//! Many keys read together.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex};

use redis::cluster::ClusterClient;
use redis_keys::cache::{Cache, LoadError, Token, WarmProgress};
use redis_keys::prelude::*;
use redis_keys::testing::Server;
use redis_keys::{AsyncConnection, ConnectOptions, cluster};
use redis_keys_tests::{Con, shared_cluster};

use super::keys::{Document, DocumentOf, Name};
use super::load_source::{PATIENCE, Source, load};
use super::{NO_ERROR, NO_LIMIT, cache, client, finished, is_leased, until};
use crate::proxy::Proxy;

fn keys(ids: &[u32]) -> Vec<Name> {
    ids.iter().map(|id| Name { id: *id }).collect()
}

#[allow(clippy::unnecessary_wraps, reason = "what a call returns")]
fn text(id: u32) -> Option<String> {
    Some(format!("name {id}"))
}

/// Loads names of even numbers, and notes what was asked for.
struct Names {
    calls: Mutex<Vec<Vec<u32>>>,
}

impl Names {
    fn new() -> Self {
        Self { calls: Mutex::default() }
    }

    #[allow(clippy::needless_pass_by_value, reason = "a loader")]
    fn load(&self, missing: Vec<&Name>) -> impl Future<Output = Result<HashMap<Name, String>, Infallible>> + use<> {
        self.calls.lock().expect("nothing panics").push(missing.iter().map(|key| key.id).collect());
        let even = missing.iter().filter(|key| key.id % 2 == 0);
        let found = even.filter_map(|key| Some((Name { id: key.id }, text(key.id)?))).collect();
        async { Ok(found) }
    }

    fn calls(&self) -> Vec<Vec<u32>> {
        std::mem::take(&mut *self.calls.lock().expect("nothing panics"))
    }
}

/// Mixed hits and misses, in their order, on any connection.
async fn assert_loads_what_is_missing<C>(con: C)
where
    C: AsyncConnection + Clone + Send + Sync + 'static,
{
    let (cache, names) = (Cache::new(con).with_time_limit(NO_LIMIT), Names::new());
    assert_eq!(cache.get_or_load_many(&[], |missing| names.load(missing)).await.expect(NO_ERROR), []);
    assert_eq!(names.calls(), [[0; 0]; 0]);

    assert!(cache.get_or_load(&Name { id: 6 }, || load("Ada")).await.is_ok());
    let asked = keys(&[4, 1, 6, 4, 2, 1]);
    let ada = Some("Ada".to_owned());
    let expected = [text(4), None, ada.clone(), text(4), text(2), None];
    let found = cache.get_or_load_many(&asked, |missing| names.load(missing)).await.expect(NO_ERROR);
    assert_eq!((&found[..], names.calls()), (&expected[..], vec![vec![4, 1, 2]]));
    // All of them are hits now.
    let found = cache.get_or_load_many(&asked, |missing| names.load(missing)).await.expect(NO_ERROR);
    assert_eq!((&found[..], names.calls()), (&expected[..], vec![]));
    assert_eq!((cache.stats().hits, cache.stats().absent_hits, cache.stats().loads), (5, 2, 4));

    let asked: Vec<_> = (0..250).map(|id| Name { id }).collect();
    let found = cache.get_or_load_many(&asked, |missing| names.load(missing)).await.expect(NO_ERROR);
    let expected = |id| if id == 6 { ada.clone() } else { text(id).filter(|_| id % 2 == 0) };
    assert_eq!(found, (0..250).map(expected).collect::<Vec<_>>());
    assert_eq!((names.calls()[0].len(), cache.stats().overtaken, cache.stats().unanswered), (246, 0, 0));
}

#[tokio::test]
async fn what_is_missing_is_loaded() {
    let server = Server::start().expect("a server starts");
    assert_loads_what_is_missing(super::manager(&server.url()).await).await;
    Con::blocking(&server.url()).assert_all_expire();
}

#[test]
fn what_is_missing_is_loaded_on_a_cluster() {
    let cluster = shared_cluster();
    let runtime = tokio::runtime::Runtime::new().expect("a runtime starts");
    runtime.block_on(async {
        let clients: Vec<_> = cluster.urls().iter().map(|url| client(url)).collect();
        let options = ConnectOptions::new().with_time_limit(PATIENCE);
        let mut con = cluster::connect_with(&clients, options).expect("the addresses are valid");
        assert_loads_what_is_missing(con.clone()).await;
        for id in 0..250 {
            Name { id }.unlink().query_async(&mut con).await.expect("the cluster replies");
        }
        let client = ClusterClient::builder(cluster.urls()).response_timeout(NO_LIMIT).build();
        let client = client.expect("the addresses are valid");
        assert_loads_what_is_missing(client.get_async_connection().await.expect("the cluster replies")).await;
    });
}

#[tokio::test]
async fn a_hundred_keys_are_one_command() {
    let server = Server::start().expect("a server starts");
    let proxy = Proxy::start(&server);
    let (cache, names) = (cache(&proxy.url()).await, Names::new());
    let asked: Vec<_> = (0..101).map(|id| Name { id }).collect();
    assert!(cache.get_or_load_many(&asked, |missing| names.load(missing)).await.is_ok());
    assert_eq!(proxy.count("MGET"), 2);
    assert_eq!((proxy.count("claim"), proxy.count("fill"), proxy.take().len()), (101, 101, 204));
    assert!(cache.get_or_load_many(&asked, |missing| names.load(missing)).await.is_ok());
    assert_eq!(proxy.take(), ["MGET", "MGET"]);
}

#[tokio::test]
async fn what_others_load_is_waited_for_after_ones_own_is_stored() {
    let server = Server::start().expect("a server starts");
    let (cache, names) = (cache(&server.url()).await, Names::new());
    let (mut other, token) = (Con::blocking(&server.url()), Token::random());
    other.ok(Name { id: 2 }.claim(&token));
    let asked = keys(&[2, 4, 2, 1]);
    let call = cache.get_or_load_many(&asked, |missing| names.load(missing));
    let fill = async {
        until("the other keys are stored", || other.ok(Name { id: 4 }.get()).is_some()).await;
        assert!(other.ok(Name { id: 2 }.fill(&token, Some("theirs"))));
    };
    let (found, ()) = tokio::join!(call, fill);
    let theirs = Some("theirs".to_owned());
    assert_eq!(found.expect(NO_ERROR), [theirs.clone(), text(4), theirs, None]);
    assert_eq!(names.calls(), [[4, 1]]);
}

#[tokio::test]
async fn what_others_fail_to_load_is_loaded() {
    let server = Server::start().expect("a server starts");
    let (cache, names) = (cache(&server.url()).await, Names::new());
    let (mut other, token) = (Con::blocking(&server.url()), Token::random());
    other.ok(Name { id: 2 }.claim(&token));
    let asked = keys(&[2, 4]);
    let call = cache.get_or_load_many(&asked, |missing| names.load(missing));
    let abandon = async {
        until("the other key is stored", || other.ok(Name { id: 4 }.get()).is_some()).await;
        assert!(other.ok(Name { id: 2 }.abandon(&token)));
    };
    let (found, ()) = tokio::join!(call, abandon);
    assert_eq!(found.expect(NO_ERROR), [text(2), text(4)]);
    assert_eq!(names.calls(), [[4], [2]]);
    assert_eq!(other.ok(Name { id: 2 }.get()), text(2));
}

#[tokio::test]
async fn calls_of_one_process_load_each_key_once() {
    let server = Server::start().expect("a server starts");
    let (cache, names) = (cache(&server.url()).await, Arc::new(Names::new()));
    let calls: Vec<_> = (0..20)
        .map(|first| {
            let (cache, names) = (cache.clone(), Arc::clone(&names));
            tokio::spawn(async move {
                let asked: Vec<_> = (first..first + 10).map(|id| Name { id }).collect();
                cache.get_or_load_many(&asked, |missing| names.load(missing)).await.expect(NO_ERROR)
            })
        })
        .collect();
    for (first, call) in (0..20).zip(calls) {
        let expected: Vec<_> = (first..first + 10).map(|id| text(id).filter(|_| id % 2 == 0)).collect();
        assert_eq!(finished(call).await, expected);
    }
    let mut loaded = names.calls().concat();
    loaded.sort_unstable();
    assert_eq!(loaded, (0..29).collect::<Vec<_>>());
}

#[tokio::test]
async fn after_an_error_or_a_cancelled_call_the_leases_are_given_up() {
    let server = Server::start().expect("a server starts");
    let (cache, mut con) = (cache(&server.url()).await, Con::blocking(&server.url()));
    let asked = keys(&[1, 2, 3]);
    let none = |_: Vec<&Name>| async { Err::<Vec<(Name, String)>, _>("no database") };
    let failed = cache.get_or_load_many(&asked, none).await.expect_err("the load fails");
    assert_eq!((failed.loader(), cache.stats().failed_loads), (Some(&"no database"), 3));
    let are_given_up = |con: &mut Con| asked.iter().all(|key| !is_leased(con, key));
    until("the leases are given up", || are_given_up(&mut con)).await;

    let source = Arc::new(Source::closed());
    let call = tokio::spawn({
        let (cache, source) = (cache.clone(), Arc::clone(&source));
        async move {
            let load = |_: Vec<&Name>| async {
                source.begin().await;
                Ok::<Vec<(Name, String)>, ()>(vec![])
            };
            cache.get_or_load_many(&keys(&[1, 2, 3]), load).await.map(|found| found.len())
        }
    });
    source.wait_for_loads(1).await;
    assert!(asked.iter().all(|key| is_leased(&mut con, key)));
    call.abort();
    assert!(call.await.is_err());
    until("the leases are given up", || are_given_up(&mut con)).await;
}

#[tokio::test]
async fn a_key_that_is_written_meanwhile_is_not_overwritten() {
    let server = Server::start().expect("a server starts");
    let (cache, names) = (cache(&server.url()).await, Names::new());
    let mut other = Con::blocking(&server.url());
    let asked = keys(&[2, 4]);
    let load = |missing| {
        other.ok(Name { id: 2 }.set("written"));
        names.load(missing)
    };
    assert_eq!(cache.get_or_load_many(&asked, load).await.expect(NO_ERROR), [text(2), text(4)]);
    assert_eq!((other.ok(Name { id: 2 }.get()).as_deref(), cache.stats().overtaken), (Some("written"), 1));
}

#[tokio::test]
async fn bytes_that_do_not_decode_are_replaced() {
    let server = Server::start().expect("a server starts");
    let (cache, mut con) = (cache(&server.url()).await, Con::blocking(&server.url()));
    let key = Name { id: 2 }.key().expect("the key is valid");
    let mut plain = client(&server.url()).get_connection().expect("the server replies");
    redis::cmd("SET").arg(&*key).arg(b"\xC1?").arg("EX").arg(60).exec(&mut plain).expect("the server replies");
    let names = Names::new();
    let asked = keys(&[2, 4]);
    let found = cache.get_or_load_many(&asked, |missing| names.load(missing)).await.expect(NO_ERROR);
    assert_eq!((found, names.calls()), (vec![text(2), text(4)], vec![vec![2, 4]]));
    assert_eq!((con.ok(Name { id: 2 }.get()), cache.stats().undecodable), (text(2), 1));
}

#[tokio::test]
async fn warming_loads_what_is_missing_and_overwrites_nothing() {
    let server = Server::start().expect("a server starts");
    let (cache, names, mut con) = (cache(&server.url()).await, Names::new(), Con::blocking(&server.url()));
    con.ok(Name { id: 2 }.set("Ada"));
    assert_eq!(cache.get_or_load(&Name { id: 4 }, || async { Ok::<_, ()>(None) }).await.expect(NO_ERROR), None);
    let asked: Vec<_> = (0..250).map(|id| Name { id }).collect();
    let mut progress = Vec::new();
    let warmed = cache.warm(&asked, |missing| names.load(missing), |warmed| progress.push(warmed)).await;
    let numbers = |warmed: &WarmProgress| (warmed.keys, warmed.loaded, warmed.stored);
    assert_eq!(progress.iter().map(numbers).collect::<Vec<_>>(), [(100, 98, 98), (200, 198, 198), (250, 248, 248)]);
    assert_eq!(warmed.expect(NO_ERROR), progress[2]);
    assert_eq!((con.ok(Name { id: 2 }.get()).as_deref(), con.ok(Name { id: 4 }.get())), (Some("Ada"), None));
    assert_eq!(con.ok(Name { id: 6 }.get()), text(6));
    assert_eq!(names.calls().iter().map(Vec::len).collect::<Vec<_>>(), [98, 100, 50]);
    let again = cache.warm(&asked, |missing| names.load(missing), |_| {}).await.expect(NO_ERROR);
    assert_eq!(numbers(&again), (250, 0, 0));
    con.assert_all_expire();
}

#[tokio::test]
async fn warming_stops_when_the_server_is_away() {
    let server = Server::start().expect("a server starts");
    let (cache, names) = (cache(&server.url()).await, Names::new());
    let asked: Vec<_> = (0..250).map(|id| Name { id }).collect();
    let mut server = Some(server);
    let warm = cache.warm(&asked, |missing| names.load(missing), |_| server = None);
    let stopped = tokio::time::timeout(PATIENCE, warm).await.expect("it ends").expect_err("the server is away");
    assert!(matches!(stopped, LoadError::NotStored(_)), "{stopped:?}");
    assert_eq!(names.calls().len(), 1);
}

#[tokio::test]
async fn values_of_a_repeated_key_are_copies_or_loaded_again() {
    let server = Server::start().expect("a server starts");
    let cache = cache(&server.url()).await;
    let calls = Arc::new(Source::open());
    let storable = [1, 1, 1].map(|id| DocumentOf { id });
    let load = |_: Vec<&DocumentOf>| async {
        calls.begin().await;
        Ok::<_, ()>([(DocumentOf { id: 1 }, Document { title: "Notes".to_owned(), score: None })])
    };
    let found = cache.get_or_load_many(&storable, load).await.expect(NO_ERROR);
    assert!(found.iter().all(|found| found.as_ref().is_some_and(|found| found.title == "Notes")), "{found:?}");
    assert_eq!(calls.loads(), 1);

    let unstorable = [2, 3, 2].map(|id| DocumentOf { id });
    let load = |missing: Vec<&DocumentOf>| {
        let nan = || Document { title: "Notes".to_owned(), score: Some(f64::NAN) };
        let found: Vec<_> = missing.iter().map(|key| (DocumentOf { id: key.id }, nan())).collect();
        let calls = Arc::clone(&calls);
        async move {
            calls.begin().await;
            Ok::<_, ()>(found)
        }
    };
    let found = cache.get_or_load_many(&unstorable, load).await.expect(NO_ERROR);
    assert!(found.iter().all(|found| found.as_ref().is_some_and(|found| found.score.is_some())), "{found:?}");
    assert_eq!(calls.loads(), 3);
}

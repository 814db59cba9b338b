//! Round trips of a cache.

use std::convert::Infallible;

use redis_keys::cache::Token;
use redis_keys::prelude::*;
use redis_keys::testing::{Server, fix_jitter};
use redis_keys_tests::Con;

use super::keys::{Name, RefreshedText};
use super::load_source::Source;
use super::{NO_ERROR, cache, until};
use crate::proxy::Proxy;

#[tokio::test]
async fn a_hit_is_one_command() {
    let server = Server::start().expect("a server starts");
    let proxy = Proxy::start(&server);
    let cache = cache(&proxy.url()).await;
    Con::blocking(&server.url()).ok(Name { id: 1 }.set("Ada"));
    let source = Source::open();
    let found = cache.get_or_load(&Name { id: 1 }, || source.load("Bob")).await;
    assert_eq!(found.expect(NO_ERROR), Some("Ada".to_owned()));
    assert_eq!((proxy.take(), source.loads()), (vec!["GET".to_owned()], 0));
}

#[tokio::test]
async fn a_miss_is_three_commands() {
    let server = Server::start().expect("a server starts");
    let proxy = Proxy::start(&server);
    let cache = cache(&proxy.url()).await;
    let source = Source::open();
    let found = cache.get_or_load(&Name { id: 1 }, || source.load("Ada")).await;
    assert_eq!(found.expect(NO_ERROR), Some("Ada".to_owned()));
    assert_eq!(proxy.take(), ["GET", "claim", "fill"]);

    let found = cache.get_or_load(&Name { id: 2 }, || async { Ok::<_, Infallible>(None) }).await;
    assert_eq!((found.expect(NO_ERROR), &proxy.take()[..]), (None, &["GET", "claim", "fill"].map(str::to_owned)[..]));
    let found = cache.get_or_load(&Name { id: 2 }, || source.load("Bob")).await;
    assert_eq!((found.expect(NO_ERROR), proxy.take()), (None, vec!["GET".to_owned()]));
    Con::blocking(&server.url()).assert_all_expire();
}

#[tokio::test]
async fn a_failed_load_gives_the_lease_up() {
    let server = Server::start().expect("a server starts");
    let proxy = Proxy::start(&server);
    let cache = cache(&proxy.url()).await;
    let failed = cache.get_or_load(&Name { id: 1 }, || async { Err::<Option<String>, _>("no database") }).await;
    assert_eq!(failed.expect_err("the load fails").loader(), Some(&"no database"));
    proxy.wait_for("abandon", 1).await;
    assert_eq!(proxy.take(), ["GET", "claim", "abandon"]);
}

#[tokio::test]
async fn who_waits_for_another_program_claims_once_and_reads() {
    let server = Server::start().expect("a server starts");
    let proxy = Proxy::start(&server);
    let cache = cache(&proxy.url()).await;
    let (mut other, token) = (Con::blocking(&server.url()), Token::random());
    other.ok(Name { id: 1 }.claim(&token));
    let source = Source::open();
    let key = Name { id: 1 };
    let wait = cache.get_or_load(&key, || source.load("Bob"));
    let fill = async {
        proxy.wait_for("GET", 4).await;
        assert!(other.ok(Name { id: 1 }.fill(&token, Some("Ada"))));
    };
    assert_eq!(tokio::join!(wait, fill).0.expect(NO_ERROR).as_deref(), Some("Ada"));
    let commands = proxy.take();
    assert_eq!(commands[..2], ["GET", "claim"]);
    assert!(commands[2..].iter().all(|command| command == "GET" || command == "PTTL"), "{commands:?}");
    assert_eq!(source.loads(), 0);
}

#[tokio::test]
async fn only_hits_that_look_ask_how_long_the_value_lives() {
    let server = Server::start().expect("a server starts");
    let proxy = Proxy::start(&server);
    let cache = cache(&proxy.url()).await;
    let mut con = Con::blocking(&server.url());
    con.ok(RefreshedText { id: 1 }.set("Ada"));
    con.ok(RefreshedText { id: 2 }.set("Ada").expire_in(std::time::Duration::from_secs(600)));
    let source = Source::open();
    for (jitter, id, expected) in [
        (1.0, 1, &["GET"][..]),
        (1.0, 2, &["GET"]),
        (0.0, 1, &["PTTL", "GET"]),
        (0.0, 2, &["PTTL", "GET", "claim_refresh", "fill"]),
    ] {
        let _fixed = fix_jitter(jitter);
        let found = cache.get_or_load(&RefreshedText { id }, || source.load("Eve")).await;
        assert!(found.is_ok(), "{found:?}");
        assert_eq!(proxy.take(), expected, "jitter {jitter}, {id}");
    }
}

#[tokio::test]
async fn one_hit_in_eight_looks_whether_the_value_expires_soon() {
    let server = Server::start().expect("a server starts");
    let proxy = Proxy::start(&server);
    let cache = cache(&proxy.url()).await;
    Con::blocking(&server.url()).ok(RefreshedText { id: 1 }.set("Ada"));
    let source = Source::open();
    fastrand::seed(redis_keys_tests::seed());
    for _ in 0..400 {
        let found = cache.get_or_load(&RefreshedText { id: 1 }, || source.load("Bob")).await;
        assert_eq!(found.expect(NO_ERROR), Some("Ada".to_owned()));
    }
    until("all commands are counted", || proxy.count("GET") == 400).await;
    assert!((25..90).contains(&proxy.count("PTTL")), "{}", proxy.count("PTTL"));
}

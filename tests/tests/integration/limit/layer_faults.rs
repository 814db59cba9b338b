//! The layer, on servers that fail.

use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use redis::Client;
use redis_keys::limit::LimitLayer;
use redis_keys::prelude::*;
use redis_keys::testing::Server;
use redis_keys_tests::{Con, StoppedServer};

use super::layer::{NO_LIMIT, Requests, counter, requests};
use super::web::{PATIENCE, Web, manager};

#[tokio::test(flavor = "multi_thread")]
async fn requests_are_limited_while_the_server_does_not_reply_and_by_the_server_when_it_does_again() {
    let server = Server::start().expect("a server starts");
    let (router, calls) = counter();
    // With the time limit that a layer has by itself, and a connection that waits forever.
    let web = Web::start(router.layer(LimitLayer::new(manager(&server.url()).await, requests))).await;
    let stopped = StoppedServer::new(&server);
    let policy = &["\"default\";q=100;w=360000"];
    for remaining in [2, 1, 0] {
        let reply = web.get("/", "ada").await;
        assert_eq!(reply.status, 200);
        reply.assert_limits(policy, &[&format!("\"default\";r={remaining};t=3600")], &[]);
    }
    let reply = web.get("/", "ada").await;
    assert_eq!((reply.status, &*reply.body), (429, ""));
    reply.assert_limits(policy, &["\"default\";r=0;t=3600"], &["3600"]);
    assert_eq!(web.get_many("/", "ada", 100).await, [429; 100]);
    assert_eq!(calls.load(Relaxed), 3);
    drop(stopped);
    // One request a second tries the server again, which has counted some of those that it did not reply to.
    let mut con = Con::blocking(&server.url());
    let mut is_asked = async || {
        while con.raw::<u64>(&["EXISTS", "web:requests:bob:string"]) == 0 {
            web.get("/", "bob").await;
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, is_asked()).await.expect("the server decides again");
    assert!(web.get_many("/", "ada", 5).await.contains(&429));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_layer_that_fails_closed_refuses_what_it_cannot_decide_on() {
    let server = Server::start().expect("a server starts");
    let (router, calls) = counter();
    let limit = LimitLayer::new(manager(&server.url()).await, requests).fail_closed();
    let web = Web::start(router.layer(limit)).await;
    let stopped = StoppedServer::new(&server);
    for _ in 0..10 {
        let reply = web.get("/", "ada").await;
        assert_eq!((reply.status, &*reply.body), (503, ""));
        reply.assert_limits(&[], &[], &[]);
    }
    assert_eq!(calls.load(Relaxed), 0);
    assert_eq!(web.get("/", "").await.status, 200, "without a user there is no limit");
    assert_eq!(web.get("/", "a b").await.status, 400);
    drop(stopped);
}

#[tokio::test(flavor = "multi_thread")]
async fn after_five_requests_without_a_reply_nothing_is_sent() {
    let server = Server::start().expect("a server starts");
    let (router, _) = counter();
    let mut con = manager(&server.url()).await;
    let limit = LimitLayer::new(con.clone(), requests).with_time_limit(Duration::from_millis(1));
    let web = Web::start(router.layer(limit)).await;
    let stopped = StoppedServer::new(&server);
    for status in [200, 200, 200, 429, 429] {
        assert_eq!(web.get("/", "ada").await.status, status);
    }
    // Far fewer than one a request: they take less than a minute, and one a second is sent.
    let statuses = web.get_many("/", "bob", 500).await;
    assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 3);
    drop(stopped);
    let scripts = || {
        let info = Con::blocking(&server.url()).info("commandstats");
        let calls = info
            .lines()
            .filter_map(|line| line.strip_prefix("cmdstat_eval")?.split_once(":calls=")?.1.split(',').next());
        calls.map(|calls| calls.parse::<u32>().expect("it is a number")).sum::<u32>()
    };
    // On the same connection: its reply follows the replies to all that was sent.
    redis::cmd("PING").exec_async(&mut con).await.expect("the server replies");
    assert!(scripts() < 100, "{} scripts", scripts());
}

#[tokio::test(flavor = "multi_thread")]
async fn on_errors_of_the_server_the_layer_decides() {
    let server = Server::start().expect("a server starts");
    let mut con = Client::open(server.url()).and_then(|client| client.get_connection()).expect("the server replies");
    let key = Requests { user: "ada".to_owned() }.key().expect("it is valid");
    for command in [["RPUSH", &key, "x"], ["SET", &key, "x"]] {
        redis::cmd("DEL").arg(key.as_str()).exec(&mut con).expect("the server replies");
        redis::Cmd::new().arg(&command).exec(&mut con).expect("the server replies");
        for (closed, statuses) in [(false, [200, 200, 200, 429]), (true, [503; 4])] {
            let limit = LimitLayer::new(manager(&server.url()).await, requests).with_time_limit(NO_LIMIT);
            let limit = if closed { limit.fail_closed() } else { limit };
            let web = Web::start(counter().0.layer(limit)).await;
            // An error is a reply: more than five do not end the limit of others.
            for status in statuses.into_iter().chain([statuses[3]; 4]) {
                assert_eq!(web.get("/", "ada").await.status, status, "{command:?}");
            }
            let other = Requests { user: format!("bob{closed}") };
            assert_eq!(web.get("/", &other.user).await.status, 200);
            assert!(other.exists().query(&mut con).expect("the server replies"), "it has decided");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_gone_does_not_decide() {
    let server = Server::start().expect("a server starts");
    let con = manager(&server.url()).await;
    drop(server);
    let open = Web::start(counter().0.layer(LimitLayer::new(con.clone(), requests))).await;
    let closed = Web::start(counter().0.layer(LimitLayer::new(con, requests).fail_closed())).await;
    for status in [[200; 3], [429; 3]].concat() {
        assert_eq!(open.get("/", "ada").await.status, status);
        assert_eq!(closed.get("/", "ada").await.status, 503);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_is_invalid_does_not_get_around_the_limit() {
    let server = Server::start().expect("a server starts");
    let (router, calls) = counter();
    let limit = LimitLayer::new(manager(&server.url()).await, requests).with_time_limit(NO_LIMIT);
    let web = Web::start(router.layer(limit)).await;
    let long = "x".repeat(200);
    for user in ["a b", "ADA", "a:b", "{a}", "*", &*long] {
        let reply = web.get("/", user).await;
        assert_eq!((reply.status, &*reply.body), (400, ""), "{user}");
        reply.assert_limits(&[], &[], &[]);
    }
    assert_eq!(calls.load(Relaxed), 0);
    let mut con = Con::blocking(&server.url());
    assert_eq!(con.raw::<u64>(&["DBSIZE"]), 0);
}

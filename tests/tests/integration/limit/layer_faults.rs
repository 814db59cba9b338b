//! The layer, on servers that fail.

use std::{sync::atomic::Ordering::Relaxed, time::Duration};

use redis::Client;
use redis_keys::{limit::LimitLayer, prelude::*, testing::Server};
use redis_keys_tests::{Con, StoppedServer};

use super::{
    layer::{NO_LIMIT, Requests, counter, requests},
    web::{PATIENCE, Web, manager},
};

#[tokio::test(flavor = "multi_thread")]
async fn requests_pass_while_the_server_does_not_reply_and_are_limited_when_it_does_again() {
    let server = Server::start().expect("a server starts");
    let (router, calls) = counter();
    // With the time limit that a layer has by itself, and a connection that waits forever.
    let web = Web::start(router.layer(LimitLayer::new(manager(&server.url()).await, requests))).await;
    let stopped = StoppedServer::new(&server);
    for _ in 0..10 {
        let reply = web.get("/", "ada").await;
        assert_eq!(reply.status, 200);
        reply.assert_limits(&[], &[], &[]);
    }
    assert_eq!(web.get_many("/", "ada", 100).await, [200; 100]);
    assert_eq!(calls.load(Relaxed), 110);
    drop(stopped);
    // One request a second tries the server again.
    let is_limited = async || {
        while web.get("/", "ada").await.headers("ratelimit").is_empty() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, is_limited()).await.expect("requests are limited again");
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
    let limit = LimitLayer::new(manager(&server.url()).await, requests).with_time_limit(Duration::from_millis(1));
    let web = Web::start(router.layer(limit)).await;
    let stopped = StoppedServer::new(&server);
    for _ in 0..5 {
        assert_eq!(web.get("/", "ada").await.status, 200);
    }
    // Far fewer than one a request: they take less than a minute, and one a second is sent.
    assert_eq!(web.get_many("/", "bob", 500).await, [200; 500]);
    drop(stopped);
    let scripts = || {
        let info = Con::blocking(&server.url()).info("commandstats");
        let calls = info
            .lines()
            .filter_map(|line| line.strip_prefix("cmdstat_eval")?.split_once(":calls=")?.1.split(',').next());
        calls.map(|calls| calls.parse::<u32>().expect("it is a number")).sum::<u32>()
    };
    redis_keys_tests::wait_until("the server has run what was sent", || scripts() >= 5);
    assert!(scripts() < 100, "{} scripts", scripts());
}

#[tokio::test(flavor = "multi_thread")]
async fn errors_of_the_server_let_requests_pass() {
    let server = Server::start().expect("a server starts");
    let mut con = Client::open(server.url()).and_then(|client| client.get_connection()).expect("the server replies");
    let key = Requests { user: "ada".to_owned() }.key().expect("it is valid");
    for command in [["RPUSH", &key, "x"], ["SET", &key, "x"]] {
        redis::cmd("DEL").arg(key.as_str()).exec(&mut con).expect("the server replies");
        redis::Cmd::new().arg(&command).exec(&mut con).expect("the server replies");
        for (closed, status) in [(false, 200), (true, 503)] {
            let limit = LimitLayer::new(manager(&server.url()).await, requests).with_time_limit(NO_LIMIT);
            let limit = if closed { limit.fail_closed() } else { limit };
            let web = Web::start(counter().0.layer(limit)).await;
            // An error is a reply: more than five do not end the limit of others.
            for _ in 0..8 {
                assert_eq!(web.get("/", "ada").await.status, status, "{command:?}");
            }
            assert!(!web.get("/", &format!("bob{closed}")).await.headers("ratelimit").is_empty());
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_gone_lets_requests_pass() {
    let server = Server::start().expect("a server starts");
    let con = manager(&server.url()).await;
    drop(server);
    let open = Web::start(counter().0.layer(LimitLayer::new(con.clone(), requests))).await;
    let closed = Web::start(counter().0.layer(LimitLayer::new(con, requests).fail_closed())).await;
    for _ in 0..8 {
        assert_eq!(open.get("/", "ada").await.status, 200);
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

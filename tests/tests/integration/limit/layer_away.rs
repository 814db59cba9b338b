//! What a layer lets pass while its server is away: no more than its rate, in this process.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use redis_keys::limit::LimitLayer;
use redis_keys::testing::Server;
use redis_keys_tests::{Con, StoppedServer, until};
use tokio::task::JoinSet;
use tower::ServiceExt as _;

use super::layer::{NO_LIMIT, counter, requests};
use super::web::manager;

const CALLERS: usize = 800;

/// What [`requests`] allows a user at once. Within a test, nothing of it is allowed again.
const BURST: usize = 3;

/// Returns the status of the response to a request.
async fn get(service: &Router, user: &str) -> u16 {
    let request = Request::builder().header("user", user).body(Body::empty()).expect("the request is valid");
    service.clone().oneshot(request).await.expect("the service does not fail").status().as_u16()
}

/// Callers who all are the same user, each with one request after the other, until this is dropped.
struct Callers {
    _tasks: JoinSet<()>,
    responses: Arc<AtomicUsize>,
}

impl Callers {
    fn start(service: &Router) -> Self {
        let responses = Arc::new(AtomicUsize::new(0));
        let call = || {
            let (service, responses) = (service.clone(), Arc::clone(&responses));
            async move {
                loop {
                    get(&service, "ada").await;
                    responses.fetch_add(1, Relaxed);
                    tokio::task::yield_now().await;
                }
            }
        };
        Self { _tasks: (0..CALLERS).map(|_| call()).collect(), responses }
    }

    /// Waits for ten more responses for each of them.
    async fn wait(&self) {
        let enough = self.responses.load(Relaxed) + 10 * CALLERS;
        until("the service responds", || self.responses.load(Relaxed) >= enough).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_is_lost_lets_one_burst_pass() {
    let server = Server::start().expect("a server starts");
    let (router, calls) = counter();
    let limit = LimitLayer::new(manager(&server.url()).await, requests).with_time_limit(NO_LIMIT);
    let callers = Callers::start(&router.layer(limit));
    for _ in 0..10 {
        callers.wait().await;
        let _: u64 = Con::blocking(&server.url()).raw(&["CLIENT", "KILL", "TYPE", "normal"]);
    }
    callers.wait().await;
    // One by the server, and one by this process, however often the connection is lost.
    let calls = calls.load(Relaxed);
    assert!((BURST..=2 * BURST).contains(&calls), "{calls} of {}", callers.responses.load(Relaxed));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_does_not_reply_lets_one_burst_pass() {
    let server = Server::start().expect("a server starts");
    let (router, calls) = counter();
    let limit = LimitLayer::new(manager(&server.url()).await, requests);
    let stopped = StoppedServer::new(&server);
    let callers = Callers::start(&router.layer(limit));
    callers.wait().await;
    assert_eq!(calls.load(Relaxed), BURST, "of {}", callers.responses.load(Relaxed));
    drop(stopped);
}

#[tokio::test(flavor = "multi_thread")]
async fn while_a_server_is_gone_each_user_has_a_limit_and_those_beyond_10_000_share_one() {
    let server = Server::start().expect("a server starts");
    let con = manager(&server.url()).await;
    drop(server);
    let (router, calls) = counter();
    let service = router.layer(LimitLayer::new(con, requests));
    for user in 0..10_000 {
        assert_eq!(get(&service, &user.to_string()).await, 200, "{user}");
    }
    for user in 10_000..10_100 {
        let allowed = user < 10_000 + BURST;
        assert_eq!(get(&service, &user.to_string()).await, if allowed { 200 } else { 429 }, "{user}");
    }
    // Those who came first have the rest of their burst.
    for status in [200, 200, 429] {
        assert_eq!(get(&service, "7").await, status);
    }
    assert_eq!(calls.load(Relaxed), 10_000 + BURST + 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_passed_counts_when_the_server_fails_again() {
    let server = Server::start().expect("a server starts");
    let (port, con) = (server.port(), manager(&server.url()).await);
    let (router, calls) = counter();
    let service = router.layer(LimitLayer::new(con, requests));
    let mut server = Some(server);
    for allowed in [BURST, 0] {
        drop(server.take());
        let before = calls.load(Relaxed);
        for _ in 0..20 {
            get(&service, "ada").await;
        }
        assert_eq!(calls.load(Relaxed) - before, allowed);
        let server = server.insert(Server::start_on(port).expect("a server starts"));
        // One request a second tries the server again.
        let mut con = Con::blocking(&server.url());
        while con.raw::<u64>(&["DBSIZE"]) == 0 {
            get(&service, "bob").await;
        }
    }
}

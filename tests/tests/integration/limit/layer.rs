//! The layer in a web service.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::extract::Request;
use axum::routing::get;
use axum::{Router, http};
use redis_keys::limit::LimitLayer;
use redis_keys::prelude::*;
use redis_keys::testing::Server;
use tower::{Layer as _, Service, ServiceExt as _};

use super::web::{Web, manager};

/// Longer than any reply of a server takes, so that a busy machine is no fault.
pub(super) const NO_LIMIT: Duration = Duration::from_secs(60);

macro_rules! keys {
    ($($name:ident $word:ident ($($option:tt)*);)*) => {$(
        #[derive(RedisKey)]
        #[redis_key(web:$word:{user}:string, $($option)*)]
        pub(super) struct $name {
            pub(super) user: String,
        }
    )*};
}

keys! {
    // Within a test, nothing of it is allowed again.
    Requests requests (limit(100 / 100h, burst = 3));
    Minute minute (limit(100 / 1m, burst = 1));
    Daily daily (limit(5 / 1d));
    Tenths tenths (limit(7 / 1500ms));
}

/// The value of the header `user`.
pub(super) fn user(request: &Request) -> Option<String> {
    Some(request.headers().get("user")?.to_str().ok()?.to_owned())
}

pub(super) fn requests(request: &Request) -> Option<Requests> {
    user(request).map(|user| Requests { user })
}

/// A service that replies with how often it was called.
pub(super) fn counter() -> (Router, Arc<AtomicUsize>) {
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&calls);
    let handler = move || {
        let calls = counted.fetch_add(1, Relaxed) + 1;
        async move { calls.to_string() }
    };
    (Router::new().route("/", get(handler)), calls)
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_refused_does_not_reach_the_service() {
    let server = Server::start().expect("a server starts");
    let (router, calls) = counter();
    let limit = LimitLayer::new(manager(&server.url()).await, requests).with_time_limit(NO_LIMIT);
    let web = Web::start(router.layer(limit)).await;
    // 100 in 100 hours, one each hour.
    let policy = &["\"default\";q=100;w=360000"];
    for (remaining, call) in [(2, "1"), (1, "2"), (0, "3")] {
        let reply = web.get("/", "ada").await;
        assert_eq!((reply.status, &*reply.body), (200, call));
        reply.assert_limits(policy, &[&format!("\"default\";r={remaining};t=3600")], &[]);
    }
    let reply = web.get("/", "ada").await;
    assert_eq!((reply.status, &*reply.body), (429, ""));
    reply.assert_limits(policy, &["\"default\";r=0;t=3600"], &["3600"]);
    assert_eq!(web.get("/missing", "ada").await.status, 429);
    assert_eq!(calls.load(Relaxed), 3);

    let other = web.get("/missing", "bob").await;
    assert_eq!(other.status, 404, "each user has a limit of their own, which counts errors too");
    other.assert_limits(policy, &["\"default\";r=2;t=3600"], &[]);
    for _ in 0..5 {
        let reply = web.get("/", "").await;
        assert_eq!(reply.status, 200, "without a user there is no limit");
        reply.assert_limits(&[], &[], &[]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn times_in_headers_are_whole_seconds_of_at_least_one() {
    let server = Server::start().expect("a server starts");
    let con = manager(&server.url()).await;
    let minute = LimitLayer::new(con.clone(), |request: &Request| user(request).map(|user| Minute { user }));
    let tenths = LimitLayer::new(con, |request: &Request| user(request).map(|user| Tenths { user }));
    let minute = Web::start(counter().0.layer(minute.with_time_limit(NO_LIMIT))).await;
    let tenths = Web::start(counter().0.layer(tenths.with_time_limit(NO_LIMIT))).await;
    let [policy, limit, wait] = ["\"default\";q=100;w=60", "\"default\";r=0;t=1", "1"];
    let page = include_str!("../../../../redis-keys/docs/guide/limits.md");
    let sample = format!("RateLimit-Policy: {policy}\nRateLimit: {limit}\nRetry-After: {wait}\n");
    assert!(page.contains(&sample), "the guide shows the same");
    // One is allowed each 600 ms, so a slow machine can get another one in between.
    for reply in [minute.get("/", "ada").await, minute.get("/", "ada").await] {
        let retry_after: &[&str] = if reply.status == 429 { &[wait] } else { &[] };
        reply.assert_limits(&[policy], &[limit], retry_after);
    }
    // 7 in 1.5 seconds are 9 in 2, rounded down.
    assert_eq!(tenths.get("/", "ada").await.headers("ratelimit-policy"), ["\"default\";q=9;w=2"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn several_limits_add_their_headers() {
    let server = Server::start().expect("a server starts");
    let con = manager(&server.url()).await;
    let (router, calls) = counter();
    let per_hour = LimitLayer::new(con.clone(), requests).with_time_limit(NO_LIMIT).with_policy("hour\"ly\\\u{e9}\n");
    let per_day = LimitLayer::new(con, |request: &Request| user(request).map(|user| Daily { user }));
    let per_day = per_day.with_time_limit(NO_LIMIT).with_policy("daily");
    // The inner one is asked last, and its headers are added first.
    let web = Web::start(router.layer(per_hour).layer(per_day)).await;
    let policies = &["\"hourly\";q=100;w=360000", "\"daily\";q=5;w=86400"];
    web.get("/", "ada").await.assert_limits(policies, &["\"hourly\";r=2;t=3600", "\"daily\";r=4;t=17280"], &[]);
    assert_eq!(web.get_many("/", "ada", 2).await, [200; 2]);
    let reply = web.get("/", "ada").await;
    assert_eq!(reply.status, 429);
    reply.assert_limits(policies, &["\"hourly\";r=0;t=3600", "\"daily\";r=1;t=17280"], &["3600"]);
    assert_eq!(web.get("/", "ada").await.headers("ratelimit").len(), 2);
    let reply = web.get("/", "ada").await;
    assert_eq!(
        (reply.status, reply.headers("ratelimit")),
        (429, vec!["\"daily\";r=0;t=17280"]),
        "the outer one refuses"
    );
    assert_eq!(calls.load(Relaxed), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_at_the_same_time_are_not_more_than_the_limit() {
    let server = Server::start().expect("a server starts");
    let (router, calls) = counter();
    let limit = LimitLayer::new(manager(&server.url()).await, requests).with_time_limit(NO_LIMIT);
    let web = Web::start(router.layer(limit)).await;
    let mut statuses = web.get_many("/", "ada", 100).await;
    statuses.sort_unstable();
    assert_eq!(statuses, [[200; 3].as_slice(), &[429; 97]].concat());
    assert_eq!(calls.load(Relaxed), 3);
}

/// A service that may be called only when it is ready, and each time once.
struct Strict {
    is_ready: bool,
}

impl Clone for Strict {
    /// As tower allows it, a clone is not ready.
    fn clone(&self) -> Self {
        Self { is_ready: false }
    }
}

impl Service<http::Request<()>> for Strict {
    type Response = http::Response<String>;
    type Error = Infallible;
    type Future = std::future::Ready<Result<Self::Response, Infallible>>;

    fn poll_ready(&mut self, _context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.is_ready = true;
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _request: http::Request<()>) -> Self::Future {
        assert!(self.is_ready, "it is called without being ready");
        self.is_ready = false;
        std::future::ready(Ok(http::Response::new("called".to_owned())))
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_service_that_is_ready_is_called() {
    let server = Server::start().expect("a server starts");
    let limit = LimitLayer::new(manager(&server.url()).await, |request: &http::Request<()>| {
        (request.uri().path() == "/limited").then(|| Requests { user: "ada".to_owned() })
    });
    let mut service = limit.with_time_limit(NO_LIMIT).layer(Strict { is_ready: false });
    for (path, status) in [("/limited", 200), ("/free", 200), ("/limited", 200), ("/limited", 200), ("/limited", 429)] {
        let request = http::Request::builder().uri(path).body(()).expect("it is valid");
        let response = service.ready().await.expect("it does not fail").call(request).await.expect("it does not fail");
        assert_eq!(response.status(), status, "{path}");
        assert_eq!(response.body(), if status == 200 { "called" } else { "" });
    }
}

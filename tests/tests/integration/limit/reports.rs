//! Reports of a layer to `metrics` and `tracing`: templates, and neither keys nor texts of the server.

#![allow(clippy::unwrap_used, reason = "a test cannot continue when it fails")]

use axum::body::Body;
use axum::extract::Request;
use redis_keys::limit::LimitLayer;
use redis_keys::testing::Server;
use redis_keys_tests::Con;
use tower::{Layer as _, ServiceExt as _, service_fn};

use super::layer::{NO_LIMIT, requests};
use crate::observe::observed;

const TEMPLATE: &str = "web:requests:{user}:string";

#[tokio::test]
async fn a_layer_reports_what_it_decides() {
    observed!(recorder, subscriber);
    let server = Server::start().unwrap();
    // Without its server, it fails immediately.
    let con = redis::Client::open(server.url()).unwrap().get_multiplexed_async_connection().await.unwrap();
    let layer = LimitLayer::new(con, requests).with_time_limit(NO_LIMIT);
    let hello =
        service_fn(|_: Request| async { Ok::<_, std::convert::Infallible>(axum::http::Response::new(Body::empty())) });
    let service = layer.layer(hello);
    let send = async |user: &str| {
        let request = Request::builder().header("user", user).body(Body::empty()).unwrap();
        service.clone().oneshot(request).await.unwrap().status().as_u16()
    };
    for status in [200, 200, 200, 429, 429] {
        assert_eq!(send("4711").await, status);
    }
    assert_eq!(send("4711 x").await, 400);
    let _: u64 = Con::blocking(&server.url()).raw(&["RPUSH", "web:requests:4712:string", "4711"]);
    assert_eq!(send("4712").await, 200);
    drop(server);
    for status in [200, 200, 200, 429, 429, 429, 429] {
        assert_eq!(send("4711").await, status);
    }

    let counts = [("allowed", 3), ("invalid_keys", 1), ("refused", 2), ("undecided", 8)];
    let named = |(event, count)| (format!("redis_keys_limit_{event}_total template={TEMPLATE}"), count);
    assert_eq!(recorder.counters("redis_keys_limit_"), counts.map(named));
    // Nothing is sent for the last two, nor for the invalid key.
    let seconds = format!("redis_keys_limit_decision_seconds template={TEMPLATE}");
    assert_eq!(recorder.histograms("redis_keys_limit_"), [(seconds, 11)]);
    assert_eq!(recorder.undescribed(), [""; 0]);
    assert_eq!(
        subscriber.lines(),
        [
            format!("DEBUG a request was refused template={TEMPLATE}"),
            format!("DEBUG a request was refused template={TEMPLATE}"),
            format!("DEBUG the key of a request is invalid template={TEMPLATE}"),
            format!("WARN the server replied with an error template={TEMPLATE} kind=WrongType"),
            "WARN the server does not answer: this process limits requests by itself, or refuses all".to_owned(),
        ]
    );
}

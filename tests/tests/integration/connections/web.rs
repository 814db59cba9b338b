//! Handlers of a web service, whose futures must be `Send`.

use std::any::Any;

use axum::body::{Body, to_bytes};
use axum::extract::{Path, State};
use axum::http::{Request, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::{Router, routing};
use redis::{Client, aio};
use redis_keys::prelude::*;
use redis_keys::testing::Server;
use redis_keys::{atomic, batch, batch_iter};
use redis_keys_tests::shared_cluster;
use tower::ServiceExt as _;

use super::block_on;
use super::commands::{Clicks, InCart, Name};

struct Failure(redis_keys::Error);

impl From<redis_keys::Error> for Failure {
    fn from(error: redis_keys::Error) -> Self {
        Self(error)
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        (StatusCode::SERVICE_UNAVAILABLE, self.0.to_string()).into_response()
    }
}

/// Runs commands of every kind.
async fn visit<C>(State(mut con): State<C>, Path(id): Path<u64>) -> Result<String, Failure>
where
    C: aio::ConnectionLike + Any + Send,
{
    Name { id }.set("Ada").query_async(&mut con).await?;
    let (name, clicks) = batch((Name { id }.get(), Clicks { id }.incr())).query_async(&mut con).await?;
    let others = batch_iter((0..100).map(|id| Name { id }.get())).query_each_async(&mut con).await;
    let many = Name::get_many((0..100).map(|id| Name { id })).query_async(&mut con).await?;
    let [apples, pears] = [1, 2].map(|item| InCart { visitor: id, item });
    let (apples, _) = atomic((apples.incr(), pears.incr())).query_async(&mut con).await?;
    let pears = pears.update(|old| old.unwrap_or_default() * 2).query_async(&mut con).await?;
    let name = name.unwrap_or_default();
    Ok(format!("{name}, {clicks} clicks, {apples} and {pears}, {} and {}", others.len(), many.len()))
}

fn router<C>(con: C) -> Router
where
    C: aio::ConnectionLike + Any + Clone + Send + Sync,
{
    Router::new().route("/visit/{id}", routing::post(visit::<C>)).with_state(con)
}

/// Sends two requests and asserts the responses.
async fn assert_serves(router: Router) {
    for expected in ["Ada, 1 clicks, 1 and 2, 100 and 100", "Ada, 2 clicks, 2 and 6, 100 and 100"] {
        let request = Request::post("/visit/42").body(Body::empty()).expect("the request is valid");
        let response = router.clone().oneshot(request).await.expect("the service is infallible");
        let status = response.status();
        let body = to_bytes(response.into_body(), 10_000).await.expect("the body is short");
        assert_eq!((status, &*body), (StatusCode::OK, expected.as_bytes()), "{body:?}");
    }
}

#[test]
fn handlers_share_a_connection_manager() {
    let server = Server::start().expect("a server starts");
    block_on(async {
        let client = Client::open(server.url()).expect("the address is valid");
        assert_serves(router(client.get_connection_manager().await.expect("the server replies"))).await;
    });
}

#[test]
fn handlers_share_a_connection_to_a_cluster() {
    let cluster = shared_cluster();
    block_on(async {
        let client = redis::cluster::ClusterClient::new(cluster.urls()).expect("the addresses are valid");
        assert_serves(router(client.get_async_connection().await.expect("the cluster replies"))).await;
    });
}

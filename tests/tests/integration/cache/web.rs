//! A cache in the handlers of a web service.

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::{Router, routing};
use redis::aio::ConnectionManager;
use redis_keys::cache::Cache;
use redis_keys::testing::Server;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use super::keys::{Document, DocumentOf, Name};
use super::load_source::Source;
use super::{NO_ERROR, cache, finished};

type Reply = Result<String, StatusCode>;

#[derive(Clone)]
struct Service {
    cache: Cache<ConnectionManager>,
    source: Arc<Source>,
}

async fn name(State(service): State<Service>, Path(id): Path<u32>) -> Reply {
    let found = service.cache.get_or_load(&Name { id }, || service.source.load("Ada")).await;
    found.ok().flatten().ok_or(StatusCode::NOT_FOUND)
}

async fn document(State(Service { cache, source }): State<Service>, Path(id): Path<u32>) -> Reply {
    let load = move || async move {
        let title = source.load("Notes").await?;
        Ok::<_, Infallible>(title.map(|title| Document { title, score: None }))
    };
    let found = cache.get_or_load_detached(DocumentOf { id }, load).await;
    found.ok().flatten().map(|document| document.title).ok_or(StatusCode::NOT_FOUND)
}

async fn names(State(cache): State<Cache<ConnectionManager>>, Path(last): Path<u32>) -> Reply {
    let keys: Vec<_> = (0..=last).map(|id| Name { id }).collect();
    let load = |missing: Vec<&Name>| {
        let rows: Vec<_> = missing.iter().map(|key| (Name { id: key.id }, key.id.to_string())).collect();
        async { Ok::<_, Infallible>(rows) }
    };
    let found = cache.get_or_load_many(&keys, load).await.map_err(|_| StatusCode::NOT_FOUND)?;
    Ok(found.into_iter().flatten().collect::<Vec<_>>().join(" "))
}

async fn rename(State(cache): State<Cache<ConnectionManager>>, Path(id): Path<u32>) -> Reply {
    cache.invalidate(&Name { id }).await.map(|existed| existed.to_string()).map_err(|_| StatusCode::NOT_FOUND)
}

/// Sends a request, and returns the body of the response.
async fn request(port: u16, line: &str) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.expect("the service listens");
    let text = format!("{line} HTTP/1.1\r\nhost: test\r\nconnection: close\r\n\r\n");
    stream.write_all(text.as_bytes()).await.expect("the service listens");
    let mut response = String::new();
    stream.read_to_string(&mut response).await.expect("the service replies");
    let (head, body) = response.split_once("\r\n\r\n").expect("the response has a head");
    assert!(head.starts_with("HTTP/1.1 200 OK"), "{head}");
    body.to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn handlers_share_a_cache() {
    let server = Server::start().expect("a server starts");
    let (cache, source) = (cache(&server.url()).await, Arc::new(Source::closed()));
    let service = Service { cache: cache.clone(), source: Arc::clone(&source) };
    let router = Router::new().route("/name/{id}", routing::get(name)).route("/document/{id}", routing::get(document));
    let others = Router::new().route("/names/{last}", routing::get(names)).route("/name/{id}", routing::delete(rename));
    let router = router.with_state(service).merge(others.with_state(cache.clone()));
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port is free");
    let port = listener.local_addr().expect("it is bound").port();
    let web = tokio::spawn(async move { axum::serve(listener, router).await });

    let paths = ["/name/1", "/document/1"].into_iter().cycle().take(100);
    let requests: Vec<_> =
        paths.map(|path| (path, tokio::spawn(async move { request(port, &format!("GET {path}")).await }))).collect();
    source.wait_for_loads(2).await;
    source.let_all_end();
    for (path, request) in requests {
        assert_eq!(finished(request).await, if path == "/name/1" { "Ada" } else { "Notes" });
    }
    assert_eq!((source.loads(), cache.stats().loads), (2, 2));
    assert_eq!(request(port, "GET /names/2").await, "0 Ada 2");
    assert_eq!(request(port, "DELETE /name/1").await, "true");
    assert_eq!(request(port, "GET /names/2").await, "0 1 2");
    web.abort();
    assert!(cache.invalidate(&Name { id: 1 }).await.expect(NO_ERROR));
}

//! The spans of calls, with the names of OpenTelemetry's conventions.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test cannot continue when it fails")]

use redis_keys::batch;
use redis_keys::prelude::*;
use redis_keys::testing::Server;

use crate::observe::Subscriber;

#[derive(RedisKey)]
#[redis_key(report:span:{id}:string, value = String, ttl = 1h)]
struct Text {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(report:span:{id}:list, value = u64, ttl = 1h)]
struct Items {
    id: u64,
}

/// The spans of what a function does, without those of the connection.
macro_rules! spans_of {
    ($subscriber:ident) => {
        let $subscriber = Subscriber::of_commands();
        _ = tracing::subscriber::set_global_default(tracing::subscriber::NoSubscriber::default());
        let _subscriber = tracing::subscriber::set_default($subscriber.clone());
    };
}

#[tokio::test]
async fn a_call_is_a_span() {
    spans_of!(subscriber);
    let server = Server::start().unwrap();
    let mut con = redis_keys::connect(server.url()).unwrap();
    Text { id: 4711 }.set("hidden").query_async(&mut con).await.unwrap();
    let lines = subscriber.lines();
    let [span, address, port] = &lines[..] else { panic!("{lines:#?}") };
    assert_eq!(
        span,
        "TRACE span redis otel.name=set report:span:{id}:string otel.kind=client db.system.name=redis \
         db.operation.name=set db.collection.name=report:span:{id}:string"
    );
    let url = server.url();
    let (_, of_server) = url.trim_end_matches('/').rsplit_once(':').unwrap();
    assert_eq!(address, "record redis server.address=127.0.0.1");
    assert_eq!(port, &format!("record redis server.port={of_server}"));

    batch((Text { id: 4711 }.get(), Items { id: 4711 }.llen())).query_async(&mut con).await.unwrap();
    let lines = subscriber.lines();
    assert_eq!(
        lines[3],
        "TRACE span redis otel.name=PIPELINE otel.kind=client db.system.name=redis db.operation.name=PIPELINE \
         db.operation.batch.size=2"
    );
    assert!(lines.iter().all(|line| !line.contains("4711") && !line.contains("hidden")), "{lines:#?}");
}

#[test]
fn errors_are_in_the_span() {
    spans_of!(subscriber);
    let server = Server::start().unwrap();
    let mut con = redis::Client::open(server.url()).unwrap().get_connection().unwrap();
    let _: () = redis::cmd("SET").arg("report:span:1:list").arg("x").query(&mut con).unwrap();
    Items { id: 1 }.llen().query(&mut con).unwrap_err();
    assert_eq!(
        subscriber.lines()[1..],
        ["otel.status_code=ERROR", "error.type=WrongType", "db.response.status_code=WRONGTYPE"]
            .map(|field| format!("record redis {field}"))
    );
}

#[test]
fn pages_of_a_scan_have_their_errors() {
    spans_of!(subscriber);
    let server = Server::start().unwrap();
    let client = redis::Client::open(server.url()).unwrap();
    let mut con = client.get_connection().unwrap();
    let _: () = redis::cmd("ACL").arg(&["SETUSER", "default", "-scan"]).query(&mut con).unwrap();
    assert!(Text::scan().iter(&mut con).all(|key| key.is_err()));
    let lines = subscriber.lines();
    assert!(lines.iter().any(|line| line == "record redis otel.status_code=ERROR"), "{lines:#?}");
}

#[test]
fn steps_of_a_call_have_no_spans() {
    spans_of!(subscriber);
    let server = Server::start().unwrap();
    let mut con = redis::Client::open(server.url()).unwrap().get_connection().unwrap();
    Text { id: 1 }.update(|old| old.unwrap_or_default() + "!").query(&mut con).unwrap();
    Text { id: 1 }.purge().query(&mut con).unwrap();
    let lines = subscriber.lines();
    let names: Vec<_> = lines.iter().filter_map(|line| line.split("otel.name=").nth(1)?.split(' ').next()).collect();
    assert_eq!(names, ["update", "purge"], "{lines:#?}");
}

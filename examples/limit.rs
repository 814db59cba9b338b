//! A rate limit, by hand and in a web service: a burst, the wait after it, several limits, and an unreachable server.
//!
//! ```sh
//! cargo run --example limit --features limit
//! ```
//!
//! It starts a private server. `REDIS_URL=redis://127.0.0.1/` uses another one, which it does not stop at the end.

use std::env;
use std::error::Error;
use std::time::Instant;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::HeaderMap;
use axum::routing::get;
use redis_keys::limit::LimitLayer;
use redis_keys::prelude::*;
use redis_keys::testing::Server;
use redis_keys::{Connection, batch};
use tokio::time::sleep;
use tower::ServiceExt as _;

/// The mails of a user: ten a second, and three at once.
#[derive(RedisKey)]
#[redis_key(rate:example.mails:{user_id}:string, limit(10 / 1s, burst = 3))]
struct Mails {
    user_id: u64,
}

/// The mails of a day.
#[derive(RedisKey)]
#[redis_key(rate:example.mails.daily:{user_id}:string, limit(1_000 / 1d, burst = 5))]
struct DailyMails {
    user_id: u64,
}

/// The requests of a client.
#[derive(RedisKey)]
#[redis_key(rate:example.requests:{client_id}:string, limit(6 / 1m, burst = 2))]
struct Requests {
    client_id: u64,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    if let Ok(url) = env::var("REDIS_URL") {
        return run(&url, None).await;
    }
    let server = Server::start()?;
    run(&server.url(), Some(server)).await
}

/// Shows limits on a server, which is stopped at the end if it is given.
pub(crate) async fn run(url: &str, server: Option<Server>) -> Result<(), Box<dyn Error>> {
    let con = redis_keys::connect(url)?;
    batch((Mails { user_id: 42 }.unlink(), DailyMails { user_id: 42 }.unlink(), Requests { client_id: 7 }.unlink()))
        .run(&con)
        .await?;

    send_mails(&con).await?;
    several_limits(&con).await?;
    serve(con, server).await
}

/// Sends mails as fast as the limit allows it.
async fn send_mails(con: &Connection) -> Result<(), Box<dyn Error>> {
    let started = Instant::now();
    let mut sent = 0;
    while sent < 6 {
        let decision = Mails { user_id: 42 }.take(1).run(con).await?;
        if let Some(wait) = decision.retry_after {
            sleep(wait).await;
        } else {
            sent += 1;
            println!("mail {sent} after {} ms, {} more at once", started.elapsed().as_millis(), decision.remaining);
        }
    }
    Ok(())
}

/// Each limit of a batch decides for itself.
async fn several_limits(con: &Connection) -> Result<(), Box<dyn Error>> {
    let key = DailyMails { user_id: 42 };
    let (mails, daily) = batch((Mails { user_id: 42 }.take(3), key.take(3))).run(con).await?;
    println!("\nthree at once: {}, by the limit of the day: {}", mails.allowed, daily.allowed);
    let look = key.take(0).run(con).await?;
    println!("of the day, {} more at once, and all after {} s", look.remaining, look.reset_after.as_secs());
    Ok(())
}

/// The key of a request: clients with a number are limited, other requests pass.
fn limited(request: &Request) -> Option<Requests> {
    let client_id = request.headers().get("client-id")?.to_str().ok()?.parse().ok()?;
    Some(Requests { client_id })
}

/// Sends requests to a web service, in this process and without a network.
async fn serve(con: Connection, server: Option<Server>) -> Result<(), Box<dyn Error>> {
    let handler = || async { "hello" };
    let service = Router::new().route("/", get(handler)).layer(LimitLayer::new(con, limited));
    println!();
    for _ in 0..3 {
        request(&service, "7").await?;
    }
    request(&service, "").await?;
    if let Some(server) = server {
        drop(server);
        println!("\nthe server is stopped: requests pass");
        request(&service, "7").await?;
    }
    Ok(())
}

async fn request(service: &Router, client_id: &str) -> Result<(), Box<dyn Error>> {
    let request = Request::builder().header("client-id", client_id).body(Body::empty())?;
    let response = service.clone().oneshot(request).await?;
    print!("client {client_id:?}: {}", response.status());
    for name in ["ratelimit-policy", "ratelimit", "retry-after"] {
        print_header(response.headers(), name);
    }
    println!();
    Ok(())
}

fn print_header(headers: &HeaderMap, name: &str) {
    if let Some(value) = headers.get(name).and_then(|value| value.to_str().ok()) {
        print!(", {name}: {value}");
    }
}

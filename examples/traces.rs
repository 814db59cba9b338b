//! Spans of commands, for OpenTelemetry: a few commands, a batch, an atomic group, and a command that fails.
//!
//! ```sh
//! cargo run --example traces --features traces
//! ```
//!
//! It starts a private server, and prints each span as the exporter for stdout writes it. A service has an exporter such
//! as `opentelemetry-otlp` instead. `REDIS_URL=redis://127.0.0.1/` uses another server.

use std::env;
use std::error::Error;

use opentelemetry::trace::TracerProvider as _;
use opentelemetry_sdk::trace::SdkTracerProvider;
use redis_keys::prelude::*;
use redis_keys::redis::cmd;
use redis_keys::testing::Server;
use redis_keys::{atomic, batch};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::prelude::*;

/// The name of a user.
#[derive(RedisKey)]
#[redis_key(user:name:{user_id}:string, value = String, ttl = 1h, jitter = 5m)]
struct Name {
    user_id: u64,
}

/// The users with most points.
#[derive(RedisKey)]
#[redis_key(game:best:{region}:zset, value = u64, ttl = 7d, keep_top = 100)]
struct Best {
    region: &'static str,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    if let Ok(url) = env::var("REDIS_URL") {
        return run(&url).await;
    }
    let server = Server::start()?;
    run(&server.url()).await
}

/// Prints the spans of commands on a server.
pub(crate) async fn run(url: &str) -> Result<(), Box<dyn Error>> {
    let provider =
        SdkTracerProvider::builder().with_simple_exporter(opentelemetry_stdout::SpanExporter::default()).build();
    let layer = tracing_opentelemetry::layer()
        .with_tracer(provider.tracer("example"))
        .with_location(false)
        .with_threads(false)
        .with_tracked_inactivity(false);
    // Spans of commands have the level TRACE: they are for those who ask for them by their target.
    let wanted = Targets::new().with_default(LevelFilter::INFO).with_target("redis_keys::command", LevelFilter::TRACE);
    tracing_subscriber::registry().with(layer.with_filter(wanted)).try_init()?;

    let mut con = redis_keys::connect(url)?;
    let (ada, mallory) = (Name { user_id: 4_294_967_311 }, Name { user_id: 8_589_934_609 });
    let best = Best { region: "westerland" };

    ada.set("Ada Lovelace").run(&con).await?;
    ada.get().run(&con).await?;
    mallory.get().run(&con).await?;
    batch((ada.get(), best.zincr(&4_294_967_311, 17.0), best.zrange(0..10))).run(&con).await?;
    atomic((ada.set("Countess of Lovelace"), ada.ttl())).run(&con).await?;

    // Another program has written a list under this name.
    let list = format!("user:name:{}:string", mallory.user_id);
    cmd("RPUSH").arg(&list).arg("Mallory").exec_async(&mut con).await?;
    cmd("EXPIRE").arg(&list).arg(60).exec_async(&mut con).await?;
    if mallory.get().run(&con).await.is_err() {
        println!("The last command has failed: its span says why.");
    }

    provider.shutdown()?;
    Ok(())
}

//! The metrics of a program under load: the page that Prometheus reads, and the dashboard of Grafana.
//!
//! ```sh
//! cargo run --example dashboard --features dashboard
//! ```
//!
//! It starts a private server, and Prometheus and Grafana if they are on the `PATH`, all on free ports of this machine.
//! It ends with Ctrl-C, or with `--seconds 60` after a minute.

#[path = "dashboard/programs.rs"]
mod programs;

use std::error::Error;
use std::net::Ipv4Addr;
use std::path::PathBuf;
use std::time::Duration;
use std::{env, fs, io};

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::routing::get;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use redis_keys::cache::Cache;
use redis_keys::jobs::{Job, Outcome, Pusher, Worker};
use redis_keys::limit::LimitLayer;
use redis_keys::lock::Locks;
use redis_keys::prelude::*;
use redis_keys::testing::Server;
use redis_keys::{Connection, batch};
use tokio::net::TcpListener;
use tokio::signal;
use tokio::time::sleep;
use tower::ServiceExt as _;

/// The limits of the histograms' buckets, for times and for the sizes of batches.
const SECONDS: [f64; 12] = [0.0001, 0.000_25, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1.0];
const COMMANDS: [f64; 7] = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0];

/// The title of a page, a word of its address.
#[derive(RedisKey)]
#[redis_key(page:headline:{page}:string, value = String, ttl = 1m, jitter = 5s, max_bytes = 1KB)]
struct Headline {
    page: String,
}

/// The settings of a user.
#[derive(RedisKey)]
#[redis_key(user:settings:{user_id}:hash, field = String, value = String, ttl = 30d, jitter = 1d)]
struct Settings {
    user_id: u64,
}

/// The users with most visits in a region.
#[derive(RedisKey)]
#[redis_key(game:visitors:{region}:zset, value = u64, ttl = 7d, keep_top = 100)]
struct Visitors {
    region: &'static str,
}

/// The profile of a user, from a database.
#[derive(RedisKey)]
#[redis_key(user:profile:{user_id}:string, value = String, ttl = 10s, jitter = 2s, cache(null_ttl = 5s, refresh = 50%, near = 1s))]
struct Profile {
    user_id: u64,
}

/// The right to write a report.
#[derive(RedisKey)]
#[redis_key(lock:report:{report_id}:string, lock, ttl = 10s)]
struct ReportLock {
    report_id: u64,
}

/// The requests of a client.
#[derive(RedisKey)]
#[redis_key(rate:visits:{client_id}:string, limit(2_000 / 1m, burst = 20))]
struct Requests {
    client_id: u64,
}

/// The addresses of mails that are to be sent.
#[derive(RedisKey)]
#[redis_key(queue:greetings:{tenant}:zset, value = String, ttl = 1h, jobs(lease = 10s, tries = 3))]
struct Mails {
    tenant: u32,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = env::args().skip(1).collect();
    let time = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => Duration::MAX,
        ["--seconds", seconds] => Duration::from_secs(seconds.parse()?),
        _ => return Err("usage: cargo run --example dashboard --features dashboard -- [--seconds N]".into()),
    };
    run(time).await
}

/// Runs the program for this time, or until Ctrl-C.
pub(crate) async fn run(time: Duration) -> Result<(), Box<dyn Error>> {
    let metrics = PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &SECONDS)?
        .set_buckets_for_metric(Matcher::Full("redis_keys_batch_commands".to_owned()), &COMMANDS)?
        .install_recorder()?;
    let server = Server::start()?;
    let folder = programs::Folder::create()?;
    let stock = folder.path().join("stock.prom");

    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    let address = listener.local_addr()?;
    tokio::spawn(serve(listener, metrics, stock.clone()));
    println!("metrics: http://{address}/metrics");
    let _running = programs::start(&folder, address)?;
    println!("To add the metrics of an audit, run in another terminal, in this folder:");
    let options = "--package redis-keys-examples --examples --prometheus";
    println!("  cargo redis-keys audit {} {options} {}", server.url(), stock.display());

    let con = redis_keys::connect(server.url())?;
    let worker = Worker::new(con.clone(), Mails { tenant: 7 });
    let service = Service {
        cache: Cache::new(con.clone()),
        locks: Locks::new(con.clone()),
        pusher: worker.pusher(),
        routes: Router::new().route("/", get(|| async { "hello" })).layer(LimitLayer::new(con.clone(), limited)),
        con,
    };
    for _ in 0..8 {
        let mut service = service.clone();
        tokio::spawn(async move {
            loop {
                // Some calls are rejected, and some locks are not acquired in time.
                _ = service.visit().await;
                sleep(Duration::from_millis(fastrand::u64(10..50))).await;
            }
        });
    }
    let shutdown = async {
        tokio::select! {
            () = sleep(time) => {}
            _ = signal::ctrl_c() => {}
        }
    };
    Ok(worker.run(send).until(shutdown).await?)
}

/// Sends a mail. One in ten attempts fails.
async fn send(_: Job<String>) -> Result<Outcome, &'static str> {
    sleep(Duration::from_millis(fastrand::u64(1..30))).await;
    if fastrand::u8(..10) == 0 { Err("the mail server is busy") } else { Ok(Outcome::Done) }
}

/// The key of a request.
fn limited(request: &Request) -> Option<Requests> {
    let client_id = request.headers().get("client-id")?.to_str().ok()?.parse().ok()?;
    Some(Requests { client_id })
}

#[derive(Clone)]
struct Service {
    con: Connection,
    cache: Cache<Connection>,
    locks: Locks<Connection>,
    pusher: Pusher<Connection, Mails>,
    routes: Router,
}

impl Service {
    /// Does what a web service does for one visit.
    async fn visit(&mut self) -> Result<(), Box<dyn Error + Send + Sync>> {
        let user_id = fastrand::u64(..200);
        let request = Request::builder().header("client-id", user_id % 5).body(Body::empty())?;
        self.routes.clone().oneshot(request).await?;

        let headline = Headline { page: format!("page.{}", fastrand::u8(..100)) };
        if headline.get().run(&self.con).await?.is_none() && fastrand::bool() {
            headline.set("All is well").run(&self.con).await?;
        }
        let settings = Settings { user_id };
        let visitors = Visitors { region: ["asia", "europe"][usize::from(fastrand::bool())] };
        batch((settings.hget("theme"), visitors.zincr(&user_id, 1.0))).run(&self.con).await?;
        self.cache.get_or_load(&Profile { user_id }, || from_database(user_id)).await?;
        match fastrand::u8(..10) {
            // Too large, and in upper case: both are rejected before anything is sent.
            0 => headline.set(&"x".repeat(2_000)).run(&self.con).await?,
            1 => drop(Headline { page: "Home".to_owned() }.get().run(&self.con).await?),
            2 => drop(settings.hset("theme", "dark").run(&self.con).await?),
            3 => drop(self.pusher.push("ada@example.org").await?),
            4 => {
                let lock = ReportLock { report_id: user_id % 3 };
                let guard = self.locks.acquire(&lock).with_time_limit(Duration::from_millis(100)).await?;
                sleep(Duration::from_millis(fastrand::u64(20..80))).await;
                guard.release().await?;
            }
            _ => drop(visitors.zrange(0..10).run(&self.con).await?),
        }
        Ok(())
    }
}

/// A database that takes some time, and has no user in seven.
async fn from_database(user_id: u64) -> Result<Option<String>, io::Error> {
    sleep(Duration::from_millis(fastrand::u64(2..20))).await;
    Ok((!user_id.is_multiple_of(7)).then(|| "Ada Lovelace".to_owned()))
}

/// Serves the metrics of this process, and those of the last audit.
async fn serve(listener: TcpListener, metrics: PrometheusHandle, stock: PathBuf) -> io::Result<()> {
    let page = move || async move { metrics.render() + &fs::read_to_string(&stock).unwrap_or_default() };
    axum::serve(listener, Router::new().route("/metrics", get(page))).await
}

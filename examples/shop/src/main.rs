//! A small web shop: `SQLite` as its database, and Redis through redis-keys for everything else. `cargo xtask shop` runs
//! it with a private server; the README has its settings.

mod app;
mod database;
mod failure;
mod keys;
mod orders;
mod pages;
mod password;
mod products;
mod recorder;
mod scripts;
mod start;
mod trace;
mod visit;

use std::env;
use std::error::Error;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt as _;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use redis_keys::jobs::Worker;
use redis_keys::secret::{self, Keyring};
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::time::sleep;

use crate::app::{App, Closing};
use crate::database::Database;
use crate::keys::OrderQueue;
use crate::recorder::NotingRecorder;
use crate::trace::TracedConnection;

/// The limits of the buckets of histograms, from which the dashboard computes percentiles.
const SECONDS: [f64; 10] = [0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 1.0];

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    // Before all else, so that Ctrl-C is not missed.
    let closing: Closing = async { _ = tokio::signal::ctrl_c().await }.boxed().shared();
    tokio::spawn(closing.clone());
    secret::install(keyring()?)?;
    let recorder = PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &SECONDS)?
        .build_recorder();
    let handle = recorder.handle();
    metrics::set_global_recorder(NotingRecorder(recorder))?;
    let db = Database::open(&setting("SHOP_DATABASE", "shop.db"))?;
    let con = redis_keys::connect(setting("REDIS_URL", "redis://127.0.0.1/"))?;
    let worker = Worker::new(TracedConnection(con.clone()), OrderQueue)
        .with_concurrency(4)
        .with_backoff(Duration::from_millis(500), Duration::from_secs(60));
    let app = Arc::new(App::new(db, con, worker.pusher(), closing.clone()));

    tokio::spawn(start::fill(Arc::clone(&app)));
    tokio::spawn(orders::push_overdue(Arc::clone(&app)));
    tokio::spawn(upkeep(handle.clone()));
    let work = tokio::spawn(orders::work(worker, Arc::clone(&app)));

    let address = (Ipv4Addr::LOCALHOST, setting("SHOP_PORT", "3000").parse()?);
    let listener =
        TcpListener::bind(address).await.map_err(|error| format!("cannot open port {}: {error}", address.1))?;
    println!("the shop is open: http://{}/", listener.local_addr()?);
    let routes = pages::routes(app, handle).into_make_service_with_connect_info::<SocketAddr>();
    let (finish, finishing) = oneshot::channel();
    let serving = axum::serve(listener, routes).with_graceful_shutdown(async { _ = finishing.await });
    tokio::select! {
        served = serving => served?,
        () = async {
            closing.await;
            let _ = finish.send(());
            // Longer than any page takes: connections that have sent half a request are left.
            sleep(Duration::from_secs(3)).await;
        } => {}
    }
    Ok(work.await??)
}

fn setting(name: &str, default: &str) -> String {
    env::var(name).unwrap_or_else(|_| default.to_owned())
}

/// The keys of encrypted values: from the environment, or a random one.
fn keyring() -> Result<Keyring, Box<dyn Error>> {
    if let Ok(keys) = env::var("SHOP_SECRETS") {
        return Ok(Keyring::parse(&keys)?);
    }
    eprintln!("SHOP_SECRETS is not set: sessions are encrypted with a random key, and end with this program");
    let mut key = [0; 32];
    getrandom::fill(&mut key)?;
    Ok(Keyring::new([(*b"once", key)]))
}

/// Drops samples of histograms that are too old to be reported.
async fn upkeep(metrics: PrometheusHandle) {
    loop {
        sleep(Duration::from_secs(5)).await;
        metrics.run_upkeep();
    }
}

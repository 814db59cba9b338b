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
mod start;
mod trace;
mod visit;

use std::env;
use std::error::Error;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use redis_keys::jobs::Worker;
use redis_keys::secret::{self, Keyring};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::time::sleep;

use crate::app::App;
use crate::database::Database;
use crate::keys::OrderQueue;
use crate::trace::Traced;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    secret::install(keyring()?)?;
    let metrics = metrics_exporter_prometheus::PrometheusBuilder::new().install_recorder()?;
    let (db, is_new) = Database::open(&PathBuf::from(setting("SHOP_DATABASE", "shop.db")))?;
    if is_new {
        start::add_account(&db).await?;
    }
    let con = redis_keys::connect(setting("REDIS_URL", "redis://127.0.0.1/"))?;
    let worker = Worker::new(Traced(con.clone()), OrderQueue)
        .concurrency(4)
        .backoff(Duration::from_millis(500), Duration::from_secs(60));
    let (stop, stopping) = watch::channel(false);
    let app = Arc::new(App::new(db, con, worker.pusher(), metrics, stopping));

    tokio::spawn(start::fill(Arc::clone(&app), is_new));
    tokio::spawn(orders::push_overdue(Arc::clone(&app)));
    tokio::spawn(upkeep(Arc::clone(&app)));
    let work = tokio::spawn(orders::work(worker, Arc::clone(&app)));

    let address = (Ipv4Addr::LOCALHOST, setting("SHOP_PORT", "3000").parse()?);
    let listener =
        TcpListener::bind(address).await.map_err(|error| format!("cannot open port {}: {error}", address.1))?;
    println!("the shop is open: http://{}/", listener.local_addr()?);
    let routes = pages::routes(&app).into_make_service_with_connect_info::<SocketAddr>();
    let shutdown = async move {
        let _ = tokio::signal::ctrl_c().await;
        stop.send_replace(true);
    };
    axum::serve(listener, routes).with_graceful_shutdown(shutdown).await?;
    work.await?;
    Ok(())
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
async fn upkeep(app: Arc<App>) {
    loop {
        sleep(Duration::from_secs(5)).await;
        app.metrics.run_upkeep();
    }
}

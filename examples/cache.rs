//! A cache in front of a slow database: one load for all callers, known absence, changes, a refresh, and an
//! unreachable server.
//!
//! ```sh
//! cargo run --example cache
//! ```
//!
//! It starts a private server. `REDIS_URL=redis://127.0.0.1/` uses another one, which it does not stop at the end.

use std::env;
use std::error::Error;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use redis_keys::Connection;
use redis_keys::cache::{Cache, LoadError};
use redis_keys::prelude::*;
use redis_keys::testing::Server;
use tokio::task::JoinSet;
use tokio::time::sleep;

/// The name of a user in the database. It is refreshed one second before it expires.
#[derive(RedisKey)]
#[redis_key(
    user:example.name:{user_id}:string, value = String, ttl = 2s, jitter = 200ms,
    cache(null_ttl = 1s, refresh = 50%),
)]
struct Name {
    user_id: u64,
}

/// A database with one user, 42, which takes 50 ms for each query.
#[derive(Clone)]
struct Database {
    name: Arc<Mutex<String>>,
    queries: Arc<AtomicUsize>,
}

impl Database {
    fn new(name: &str) -> Self {
        Self { name: Arc::new(Mutex::new(name.to_owned())), queries: Arc::default() }
    }

    async fn name(&self, user_id: u64) -> Result<Option<String>, std::io::Error> {
        self.queries.fetch_add(1, Relaxed);
        sleep(Duration::from_millis(50)).await;
        Ok((user_id == 42).then(|| self.name.lock().unwrap_or_else(PoisonError::into_inner).clone()))
    }

    fn rename(&self, name: &str) {
        name.clone_into(&mut self.name.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// The queries since the last call.
    fn queries(&self) -> usize {
        self.queries.swap(0, Relaxed)
    }
}

/// Handles a request.
async fn name(cache: &Cache<Connection>, db: &Database, user_id: u64) -> Result<String, LoadError<std::io::Error>> {
    let name = cache.get_or_load(&Name { user_id }, || db.name(user_id)).await?;
    Ok(name.unwrap_or_else(|| "nobody".to_owned()))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    if let Ok(url) = env::var("REDIS_URL") {
        return run(&url, None).await;
    }
    let server = Server::start()?;
    run(&server.url(), Some(server)).await
}

/// Shows the cache on a server, which is stopped at the end if it is given.
pub(crate) async fn run(url: &str, server: Option<Server>) -> Result<(), Box<dyn Error>> {
    let cache = Cache::new(redis_keys::connect(url)?);
    let db = Database::new("Ada");
    cache.invalidate(&Name { user_id: 42 }).await?;
    cache.invalidate(&Name { user_id: 7 }).await?;

    ask_together(&cache, &db, 42).await?;
    ask_together(&cache, &db, 7).await?;
    change(&cache, &db).await?;
    refresh(&cache, &db).await?;
    if let Some(server) = server {
        stop(&cache, &db, server).await?;
    }
    println!("\n{:#?}", cache.stats());
    Ok(())
}

/// 1,000 requests at the same time for what is not cached yet.
async fn ask_together(cache: &Cache<Connection>, db: &Database, user_id: u64) -> Result<(), Box<dyn Error>> {
    let mut requests = JoinSet::new();
    for _ in 0..1_000 {
        let (cache, db) = (cache.clone(), db.clone());
        requests.spawn(async move { name(&cache, &db, user_id).await });
    }
    let mut answers = Vec::new();
    while let Some(answer) = requests.join_next().await {
        answers.push(answer??);
    }
    answers.dedup();
    println!("1,000 requests for user {user_id}: {answers:?}, queries: {}", db.queries());
    Ok(())
}

async fn change(cache: &Cache<Connection>, db: &Database) -> Result<(), Box<dyn Error>> {
    db.rename("Ada Lovelace");
    println!("\nrenamed, not invalidated: {}, queries: {}", name(cache, db, 42).await?, db.queries());
    cache.invalidate(&Name { user_id: 42 }).await?;
    println!("invalidated: {}, queries: {}", name(cache, db, 42).await?, db.queries());
    Ok(())
}

/// Half of the expiry has passed: one of the next requests loads, and no other waits for it.
async fn refresh(cache: &Cache<Connection>, db: &Database) -> Result<(), Box<dyn Error>> {
    db.rename("Countess of Lovelace");
    println!("\nrenamed elsewhere, without an invalidation");
    let started = Instant::now();
    let mut seen = String::new();
    while seen != "Countess of Lovelace" {
        let now = name(cache, db, 42).await?;
        if now != seen {
            println!("after {:.1} s: {now}", started.elapsed().as_secs_f64());
            seen = now;
        }
        sleep(Duration::from_millis(10)).await;
    }
    println!("refreshes: {}, queries: {}", cache.stats().refreshes, db.queries());
    Ok(())
}

/// Without a server, each request asks the database; after five faults nothing is sent any more, so that none waits for
/// it.
async fn stop(cache: &Cache<Connection>, db: &Database, server: Server) -> Result<(), Box<dyn Error>> {
    drop(server);
    println!("\nthe server is stopped");
    for _ in 0..7 {
        let started = Instant::now();
        let name = name(cache, db, 42).await?;
        let breaker = if cache.stats().breaker_is_open { "open" } else { "closed" };
        println!("{name} after {} ms, breaker {breaker}", started.elapsed().as_millis());
    }
    println!("queries: {}", db.queries());
    Ok(())
}

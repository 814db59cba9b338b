//! A lock around an account: one task at a time changes it, callers give up in time, and a holder that has lost the
//! lock is refused by its fence.
//!
//! ```sh
//! cargo run --example lock
//! ```
//!
//! It starts a private server. `REDIS_URL=redis://127.0.0.1/` uses another one.

use std::env;
use std::error::Error;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use redis_keys::Connection;
use redis_keys::lock::{Guard, Locks};
use redis_keys::prelude::*;
use redis_keys::testing::Server;
use tokio::task::JoinSet;
use tokio::time::sleep;

/// The right to change an account. A loss is noticed after a third of the `ttl`, for which the example waits.
#[derive(RedisKey)]
#[redis_key(
    lock:example.account:{account_id}:string, lock, ttl = 3s,
    allow(unusual_ttl, reason = "the example waits this long to see a loss")
)]
struct AccountLock {
    account_id: u64,
}

const LOCK: AccountLock = AccountLock { account_id: 42 };

/// A database with one account, whose row has the largest fence that has changed it.
#[derive(Clone, Default)]
struct Database {
    row: Arc<Mutex<Row>>,
}

#[derive(Clone, Copy, Default)]
struct Row {
    balance: i64,
    fence: u64,
}

impl Database {
    async fn balance(&self) -> i64 {
        sleep(Duration::from_millis(1)).await;
        self.row.lock().unwrap_or_else(PoisonError::into_inner).balance
    }

    /// `UPDATE account SET balance = $1, fence = $2 WHERE fence <= $2`, and whether that has changed a row.
    fn set_balance(&self, balance: i64, fence: u64) -> bool {
        let mut row = self.row.lock().unwrap_or_else(PoisonError::into_inner);
        if row.fence > fence {
            return false;
        }
        *row = Row { balance, fence };
        true
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    if let Ok(url) = env::var("REDIS_URL") {
        return run(&url).await;
    }
    let server = Server::start()?;
    run(&server.url()).await
}

/// Shows locks on a server.
pub(crate) async fn run(url: &str) -> Result<(), Box<dyn Error>> {
    let con = redis_keys::connect(url)?;
    let locks = Locks::new(con.clone());
    let db = Database::default();

    deposit_together(&locks, &db).await?;

    let guard = locks.acquire(&LOCK).await?;
    give_up(&locks).await;
    lose(guard, &locks, &db, &con).await
}

/// 100 tasks read the balance and write a larger one. None of these changes is lost.
async fn deposit_together(locks: &Locks<Connection>, db: &Database) -> Result<(), Box<dyn Error>> {
    let mut tasks = JoinSet::new();
    for _ in 0..100 {
        let (locks, db) = (locks.clone(), db.clone());
        tasks.spawn(async move {
            let guard = locks.acquire(&LOCK).with_time_limit(Duration::from_secs(60)).await?;
            let balance = db.balance().await;
            db.set_balance(balance + 1, guard.fence());
            guard.release().await
        });
    }
    while let Some(was_held) = tasks.join_next().await {
        assert!(was_held??);
    }
    println!("100 deposits of 1: the balance is {}", db.balance().await);
    Ok(())
}

async fn give_up(locks: &Locks<Connection>) {
    match locks.acquire(&LOCK).with_time_limit(Duration::from_millis(100)).await {
        Ok(_) => println!("\nthe lock was free"),
        Err(error) => println!("\n{error}"),
    }
}

/// An operator takes the lock away from its holder, who does not look and writes all the same.
async fn lose(guard: Guard, locks: &Locks<Connection>, db: &Database, con: &Connection) -> Result<(), Box<dyn Error>> {
    LOCK.unlink().run(con).await?;
    let next = locks.acquire(&LOCK).await?;
    println!("\nthe next holder changes the account: {}", db.set_balance(200, next.fence()));
    println!("the one before does: {}", db.set_balance(0, guard.fence()));
    guard.lost().await;
    println!("it has noticed its loss: held {}, released {}", guard.is_held(), guard.release().await?);
    println!("the next holder releases the lock: {}", next.release().await?);
    println!("the balance is {}", db.balance().await);
    Ok(())
}

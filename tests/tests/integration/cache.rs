//! Cached keys: their accessors, and loading them.

use std::time::Duration;

use load_source::PATIENCE;
use redis::aio::{ConnectionManager, ConnectionManagerConfig, MultiplexedConnection};
use redis_keys::cache::Cache;
use redis_keys::prelude::*;
use redis_keys_tests::{Con, until};
use tokio::task::JoinHandle;

/// The accessors of cached keys.
mod accessors {
    mod claim;
    mod fill;
    mod forms;
    mod keys;
    mod read;
    mod refresh;
    mod stale;
}
mod cancelled;
mod detached;
mod faults;
mod keys;
mod late_claims;
mod load_source;
mod many;
mod near;
mod one_load;
mod processes;
mod refresh;
mod reports;
mod round_trips;
mod sharing;
mod stale;
mod stale_faults;
mod stats;
mod storm;
mod values;
mod waiting;
mod web;

const NO_ERROR: &str = "a call without an error";

/// Longer than any step, so that a busy machine is no fault.
const NO_LIMIT: Duration = Duration::from_secs(60);

/// A cache on a connection manager, whose steps have no time limit.
async fn cache(url: &str) -> Cache<ConnectionManager> {
    Cache::new(manager(url).await).with_time_limit(NO_LIMIT)
}

/// A connection manager without a time limit of its own.
async fn manager(url: &str) -> ConnectionManager {
    let config = ConnectionManagerConfig::new().set_response_timeout(None).set_max_delay(Duration::from_millis(20));
    client(url).get_connection_manager_with_config(config).await.expect("the server replies")
}

/// A multiplexed connection without a time limit of its own.
async fn multiplexed(url: &str) -> MultiplexedConnection {
    let config = redis::AsyncConnectionConfig::new().set_response_timeout(None);
    client(url).get_multiplexed_async_connection_with_config(&config).await.expect("the server replies")
}

fn client(url: &str) -> redis::Client {
    redis::Client::open(url).expect("the address is valid")
}

/// The bytes that a key holds.
fn bytes(con: &mut Con, key: &impl RedisKey) -> Option<Vec<u8>> {
    con.raw(&["GET", &key.key().expect("the key is valid")])
}

/// Whether a caller has the lease of a key.
fn is_leased(con: &mut Con, key: &impl RedisKey) -> bool {
    bytes(con, key).is_some_and(|content| content.starts_with(b"\xC1l"))
}

/// Waits for the result of a task.
async fn finished<T>(task: JoinHandle<T>) -> T {
    tokio::time::timeout(PATIENCE, task).await.expect("the task ends in time").expect("the task does not panic")
}

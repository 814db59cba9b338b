//! Locks, on real servers.

mod accessors;
mod acquire;
mod cluster;
mod golden;
mod guard;
mod keys;
mod late;
mod processes;
mod reports;

use std::time::Duration;

use redis::aio::{ConnectionManager, ConnectionManagerConfig};
use redis_keys::lock::Locks;

/// Longer than anything takes that a test waits for.
const PATIENCE: Duration = Duration::from_secs(60);

/// Locks on a connection manager that is soon connected again, and has no time limit of its own.
async fn locks(url: &str) -> Locks<ConnectionManager> {
    let config = ConnectionManagerConfig::new().set_response_timeout(None).set_max_delay(Duration::from_millis(20));
    let client = redis::Client::open(url).expect("the address is valid");
    Locks::new(client.get_connection_manager_with_config(config).await.expect("the server replies"))
}

//! Commands on all kinds of connections: of redis-rs, pools, sentinels and mocks, and in a web server.

mod changes;
mod commands;
mod examples;
mod lost;
mod mock;
mod nodes;
mod nodes_away;
mod password;
mod pools;
mod reopened;
mod sentinel;
mod server_away;
mod tls;
mod web;
mod wrapped;

use std::future::Future;

/// Runs a future on a new runtime.
fn block_on<F: Future>(future: F) -> F::Output {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    runtime.expect("a runtime starts").block_on(future)
}

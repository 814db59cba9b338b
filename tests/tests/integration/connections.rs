//! Every connection that people use: redis-rs's own, those of pools and sentinels, mocks, and in a web server.

mod examples;
mod lost;
mod mock;
mod password;
mod pools;
mod sentinel;
mod tls;
mod web;
mod work;
mod wrapped;

use std::future::Future;

/// Waits for a future on a runtime of its own.
fn block_on<F: Future>(future: F) -> F::Output {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    runtime.expect("a runtime starts").block_on(future)
}

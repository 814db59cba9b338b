//! Loads in a task of their own.

use std::sync::{Arc, mpsc};
use std::thread;

use redis_keys::cache::LoadError;
use redis_keys::prelude::*;
use redis_keys::testing::Server;
use redis_keys_tests::Con;
use tokio::runtime::Runtime;

use super::keys::{Hasty, Name};
use super::load_source::{PATIENCE, Source};
use super::{NO_ERROR, cache, until};

#[tokio::test]
async fn a_detached_load_goes_on_when_its_caller_has_gone() {
    let server = Server::start().expect("a server starts");
    let (cache, source) = (cache(&server.url()).await, Arc::new(Source::closed()));
    let call = tokio::spawn({
        let (cache, source) = (cache.clone(), Arc::clone(&source));
        async move { cache.get_or_load_detached(Name { id: 1 }, move || async move { source.load("Ada").await }).await }
    });
    source.wait_for_loads(1).await;
    call.abort();
    assert!(call.await.is_err_and(|error| error.is_cancelled()));
    source.let_all_end();
    let mut con = Con::blocking(&server.url());
    until("the value is stored", || con.ok(Name { id: 1 }.get()).as_deref() == Some("Ada")).await;
    assert_eq!(source.loads(), 1);
}

/// The runtime of the load ends. A caller that goes on elsewhere has an error, and a call of another runtime loads.
#[test]
fn nobody_waits_for_a_detached_load_whose_runtime_has_ended() {
    let server = Server::start().expect("a server starts");
    let [kept, ended] = [(); 2].map(|()| Runtime::new().expect("a runtime starts"));
    let cache = kept.block_on(cache(&server.url()));
    let source = Arc::new(Source::closed());
    let (sender, results) = mpsc::channel();
    for runtime in [&ended, &kept] {
        let (cache, handle, sender) = (cache.clone(), runtime.handle().clone(), sender.clone());
        let loader = Arc::clone(&source);
        // Not a task, which would end with its runtime.
        thread::spawn(move || {
            let load = move || async move { loader.load("Ada").await };
            sender.send(handle.block_on(cache.get_or_load_detached(Hasty { id: 1 }, load)))
        });
        kept.block_on(source.wait_for_loads(1));
    }
    ended.shutdown_background();
    let stopped = results.recv_timeout(PATIENCE).expect("the caller goes on");
    assert!(matches!(stopped, Err(LoadError::Stopped)), "{stopped:?}");
    source.let_all_end();
    let loaded = results.recv_timeout(PATIENCE).expect("the other call goes on");
    assert_eq!(loaded.expect(NO_ERROR).as_deref(), Some("Ada"));
}

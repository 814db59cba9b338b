//! Concurrent tasks and threads.

use redis_keys::prelude::*;
use redis_keys::testing::Server;
use redis_keys_tests::Con;
use tokio::task::JoinSet;

use super::keys::{CountI64, Note};

#[test]
fn tasks_share_one_connection() {
    let server = Server::start().expect("a server starts");
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime starts");
    runtime.block_on(async {
        let client = redis::Client::open(server.url()).expect("the address is valid");
        let con = client.get_multiplexed_async_connection().await.expect("the server replies");
        let mut tasks = JoinSet::new();
        for id in 0..50 {
            let mut con = con.clone();
            // `spawn` needs futures that are `Send`.
            tasks.spawn(async move {
                let note = Note { id };
                for round in 0..20 {
                    let text = format!("{id}, {round}");
                    note.set(&text).query_async(&mut con).await?;
                    assert_eq!(note.get().query_async(&mut con).await?, Some(text));
                    CountI64 { id: 0 }.incr().query_async(&mut con).await?;
                }
                Ok::<_, redis_keys::Error>(())
            });
        }
        while let Some(task) = tasks.join_next().await {
            task.expect("no task panics").expect("no command fails");
        }
    });
    let mut con = Con::blocking(&server.url());
    assert_eq!(con.ok(CountI64 { id: 0 }.get()), Some(1_000));
    con.assert_all_expire();
}

#[test]
fn counts_of_two_threads_add_up() {
    let server = Server::start().expect("a server starts");
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let mut con = Con::blocking(&server.url());
                for _ in 0..500 {
                    con.ok(CountI64 { id: 0 }.incr());
                }
            });
        }
    });
    assert_eq!(Con::blocking(&server.url()).ok(CountI64 { id: 0 }.get()), Some(1_000));
}

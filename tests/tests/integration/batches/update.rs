//! Updates, which compute a value from the previous one.

use redis_keys::ErrorKind;
use redis_keys::prelude::*;
use redis_keys_tests::{Con, everywhere, on_every_connection};

use super::keys::{Count, Log};

#[test]
fn an_update_computes_the_new_value_from_the_old_one() {
    everywhere(|con| {
        let log = Log { id: 1 };
        let add = |old: Option<String>| old.unwrap_or_default() + "a";
        for len in 1..=3 {
            let _: String = con.raw(&["SCRIPT", "FLUSH"]);
            assert_eq!(con.update(log.update(add)).expect("the batch succeeds"), "a".repeat(len));
        }
        assert_eq!(con.ok(log.get()).as_deref(), Some("aaa"));
        con.assert_left("batch:log:1:string", 3_600_000);
    });
}

#[test]
fn an_update_is_retried_after_a_concurrent_change() {
    on_every_connection(|con| {
        let mut other = con.new_connection();
        let mut calls = 0;
        let update = |old: Option<u64>| {
            calls += 1;
            if calls < 4 {
                let _: u64 = other.raw(&["INCRBY", "batch:count:1:string", "100"]);
                let _: bool = other.raw(&["EXPIRE", "batch:count:1:string", "60"]);
            }
            old.unwrap_or_default() + 1
        };
        assert_eq!(con.update(Count { id: 1 }.update(update)).expect("the fourth attempt succeeds"), 301);
        assert_eq!(calls, 4);
    });
}

#[test]
fn an_update_gives_up_after_32_concurrent_changes() {
    let _at_once = redis_keys::testing::fix_jitter(0.0);
    on_every_connection(|con| {
        let mut other = con.new_connection();
        let update = |old: Option<u64>| {
            let _: u64 = other.raw(&["INCR", "batch:count:1:string"]);
            let _: bool = other.raw(&["EXPIRE", "batch:count:1:string", "60"]);
            old.unwrap_or_default()
        };
        let error = con.update(Count { id: 1 }.update(update)).expect_err("the key always changes");
        assert_eq!(error.kind(), ErrorKind::Contended);
        assert_eq!(con.ok(Count { id: 1 }.get()), Some(32));
    });
}

#[test]
fn a_value_that_is_too_large_is_not_written() {
    on_every_connection(|con| {
        con.ok(Log { id: 1 }.set("a"));
        let error = con.update(Log { id: 1 }.update(|_| "x".repeat(1_100_000))).expect_err("the value is too large");
        assert_eq!(error.kind(), ErrorKind::ValueSize);
        assert_eq!(con.ok(Log { id: 1 }.get()).as_deref(), Some("a"));
    });
}

#[test]
fn no_update_is_lost_or_gives_up() {
    let server = redis_keys::testing::Server::start().expect("a server starts");
    for connect in [Con::blocking as fn(&str) -> Con, Con::multiplexed] {
        let _: String = Con::blocking(&server.url()).raw(&["FLUSHALL"]);
        std::thread::scope(|scope| {
            for _ in 0..20 {
                scope.spawn(|| {
                    let mut con = connect(&server.url());
                    for _ in 0..100 {
                        let update = Count { id: 1 }.update(|old| old.unwrap_or_default() + 1);
                        con.update(update).expect("it gets its turn");
                    }
                });
            }
        });
        assert_eq!(Con::blocking(&server.url()).ok(Count { id: 1 }.get()), Some(2_000));
    }
}

#[test]
fn tasks_of_one_thread_wait_for_each_other() {
    let server = redis_keys::testing::Server::start().expect("a server starts");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime starts");
    let client = redis::Client::open(server.url()).expect("the address is good");
    runtime.block_on(async {
        let con = client.get_multiplexed_async_connection().await.expect("the server answers");
        let task = |mut con: redis::aio::MultiplexedConnection| async move {
            for _ in 0..100 {
                let update = Count { id: 1 }.update(|old| old.unwrap_or_default() + 1).query_async(&mut con);
                update.await.expect("it gets its turn");
            }
        };
        let tasks: Vec<_> = (0..20).map(|_| tokio::spawn(task(con.clone()))).collect();
        for task in tasks {
            task.await.expect("it does not panic");
        }
    });
    assert_eq!(Con::blocking(&server.url()).ok(Count { id: 1 }.get()), Some(2_000));
}

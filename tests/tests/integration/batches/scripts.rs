//! Batches whose scripts the server does not know, or may not run for each key.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use redis_keys::SendStatus;
use redis_keys::prelude::*;
use redis_keys::testing::Server;
use redis_keys_tests::{Con, everywhere};

use super::keys::{Count, Events, TaggedCount, TaggedLog};

/// Sends SCRIPT FLUSH to each server again and again while it runs something.
fn while_scripts_are_forgotten(urls: &[String], run: impl FnOnce()) {
    /// Ends the threads, also when a test panics.
    struct End<'e>(&'e AtomicBool);

    impl Drop for End<'_> {
        fn drop(&mut self) {
            self.0.store(true, Ordering::Relaxed);
        }
    }

    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        let _end = End(&is_over);
        for url in urls {
            let mut server = Con::blocking(url);
            let is_over = &is_over;
            scope.spawn(move || {
                while !is_over.load(Ordering::Relaxed) {
                    server.forget_scripts();
                }
            });
        }
        run();
    });
}

#[test]
fn nothing_is_lost_when_the_server_forgets_its_scripts() {
    // Larger than what a server reads in one go, so that other clients get their turn within a pipeline.
    let text = |number: usize| format!("{number:4096}");
    everywhere(|con| {
        let servers = con.server_urls().to_vec();
        while_scripts_are_forgotten(&servers, || {
            for round in 0..10 {
                let events: Vec<_> = (0..5).map(|id| Events { id: round * 10 + id }).collect();
                let pushes = (0..50).map(|number| events[number % 5].rpush(&text(number)));
                let lens = con.batch(pushes.collect::<Vec<_>>()).expect("each of them runs");
                assert_eq!(lens, (0..50).map(|number| number / 5 + 1).collect::<Vec<_>>());
                for (first, events) in events.iter().enumerate() {
                    let expected: Vec<_> = (0..10).map(|number| text(first + 5 * number)).collect();
                    assert_eq!(con.ok(events.lrange(0..100)), expected);
                }
            }
        });
    });
}

#[test]
fn a_key_that_is_denied_takes_no_other_with_it() {
    let server = Server::start().expect("a server starts");
    let mut admin = Con::blocking(&server.url());
    let rules = ["ACL", "SETUSER", "ada", "reset", "on", ">pw", "~batch:count:1?:string", "+@all"];
    let _: String = admin.raw(&rules);
    let url = format!("redis://ada:pw@127.0.0.1:{}/", server.port());
    for connect in [Con::blocking as fn(&str) -> Con, Con::multiplexed, Con::manager] {
        let _: String = admin.raw(&["FLUSHALL"]);
        let _: String = admin.raw(&["SCRIPT", "FLUSH"]);
        let mut user = connect(&url);
        let each = user.batch_each([1, 10, 11, 2, 10].map(|id| Count { id }.incr()));
        let found = each.map(|result| result.map_err(|error| (error.sent(), error.to_string().contains("NOPERM"))));
        let denied = Err((SendStatus::Yes, true));
        assert_eq!(found, [denied, Ok(1), Ok(1), denied, Ok(2)]);
    }
}

#[test]
fn a_group_with_a_key_that_is_denied_changes_nothing() {
    let server = Server::start().expect("a server starts");
    let mut admin = Con::blocking(&server.url());
    let _: String = admin.raw(&["ACL", "SETUSER", "ada", "reset", "on", ">pw", "~batch:tagged.log:*", "+@all"]);
    let url = format!("redis://ada:pw@127.0.0.1:{}/", server.port());
    let (count, log) = (TaggedCount { tag: 1, id: 1 }, TaggedLog { tag: 1, id: 1 });
    for connect in [Con::blocking as fn(&str) -> Con, Con::multiplexed, Con::manager] {
        let _: String = admin.raw(&["SCRIPT", "FLUSH"]);
        let error = connect(&url).atomic((count.incr(), log.append("a"))).expect_err("one key is denied");
        assert!(error.to_string().contains("NOPERM"), "{error}");
        assert!(!admin.ok(count.exists()) && !admin.ok(log.exists()));
    }
}

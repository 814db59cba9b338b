//! Atomic groups.

use redis_keys::prelude::*;
use redis_keys::{ErrorKind, SendStatus};
use redis_keys_tests::{Con, everywhere, on_every_connection};

use super::keys::{Count, TaggedCount, TaggedLog};

const LOG: TaggedLog = TaggedLog { tag: 1, id: 1 };
const COUNT: TaggedCount = TaggedCount { tag: 1, id: 2 };

#[test]
fn an_atomic_group_returns_every_result() {
    everywhere(|con| {
        if !con.has_pipelines() {
            let error = con.atomic((LOG.get(), COUNT.get())).expect_err("transactions are not supported");
            assert_eq!((error.kind(), error.sent()), (ErrorKind::Unsupported, SendStatus::No));
            return;
        }
        for round in 1..=3_u64 {
            let _: String = con.raw(&["SCRIPT", "FLUSH"]);
            let group = (LOG.append("a"), [COUNT.incr(), COUNT.incr()], LOG.get());
            let (len, counts, text) = con.atomic(group).expect("the batch succeeds");
            assert_eq!((len, counts), (round, [2 * round - 1, 2 * round]));
            assert_eq!(text, Some("a".repeat(usize::try_from(round).expect("the number is small"))));
        }
        con.assert_left("batch:tagged.log:{1}:1:string", 3_600_000);
        con.assert_left("batch:tagged.count:{1}:2:string", 3_600_000);
    });
}

#[test]
fn keys_with_different_hash_tags_are_rejected_before_sending() {
    everywhere(|con| {
        let error = con.atomic((COUNT.incr(), TaggedCount { tag: 2, id: 2 }.incr())).expect_err("there are two tags");
        assert_eq!((error.kind(), error.sent()), (ErrorKind::HashTag, SendStatus::No));
        assert_eq!(error.key(), Some("batch:tagged.count:{2}:2:string"));
        let error = con.atomic((Count { id: 1 }.incr(), Count { id: 2 }.incr())).expect_err("there is no tag");
        assert_eq!(error.kind(), ErrorKind::HashTag);
        assert_eq!(con.raw::<u64>(&["DBSIZE"]), 0);
        // Commands on one key need no hash tag.
        if !con.has_pipelines() {
            return;
        }
        assert_eq!(con.atomic([Count { id: 1 }.incr(), Count { id: 1 }.incr()]).expect("the batch succeeds"), [1, 2]);
    });
}

#[test]
fn a_forbidden_command_prevents_the_whole_group() {
    on_every_connection(|con| {
        let _: String = con.raw(&["ACL", "SETUSER", "default", "-getdel"]);
        let error = con.atomic((COUNT.incr(), LOG.get_del())).expect_err("GETDEL is not allowed");
        let _: String = con.raw(&["ACL", "SETUSER", "default", "+getdel"]);
        assert_eq!((error.kind(), error.key()), (ErrorKind::Server, Some("batch:tagged.log:{1}:1:string")));
        assert!(error.to_string().contains("NOPERM"), "{error}");
        assert_eq!(con.ok(COUNT.get()), None);
    });
}

#[test]
fn a_failing_command_does_not_undo_the_others() {
    on_every_connection(|con| {
        let _: u64 = con.raw(&["RPUSH", "batch:tagged.log:{1}:1:string", "x"]);
        let _: bool = con.raw(&["EXPIRE", "batch:tagged.log:{1}:1:string", "60"]);
        let error = con.atomic((COUNT.incr(), LOG.get())).expect_err("the key is a list");
        assert_eq!(error.kind(), ErrorKind::WrongType);
        assert_eq!(con.ok(COUNT.get()), Some(1));
    });
}

#[test]
fn no_other_client_sees_half_of_a_group() {
    let server = redis_keys::testing::Server::start().expect("a server starts");
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            let mut con = Con::blocking(&server.url());
            for _ in 0..500 {
                con.atomic((COUNT.incr(), TaggedCount { tag: 1, id: 3 }.incr())).expect("the batch succeeds");
            }
        });
        let mut con = Con::blocking(&server.url());
        while !writer.is_finished() {
            let counts = con.ok(TaggedCount::get_many([2, 3].map(|id| TaggedCount { tag: 1, id })));
            assert_eq!(counts[0], counts[1]);
        }
    });
}

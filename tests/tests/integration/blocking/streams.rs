//! `xread_block` and a group's `read_block`.

use std::time::{Duration, Instant};

use redis_keys::command::Blocking;
use redis_keys::prelude::*;
use redis_keys::types::stream::{Entry, EntryId, GroupStart};
use redis_keys::{ErrorKind, SendStatus};
use redis_keys_tests::Con;

use super::keys::{Fading, HOUR, MAIL, MAIL_KEY, MINUTE, Message, Touched};
use super::waiter::{Waiter, on_both};

const LONG: Duration = Duration::from_secs(60);
const SECOND: Duration = Duration::from_secs(1);
const SHORT: Duration = Duration::from_millis(20);

type Wait = Blocking<Vec<Entry<Message>>>;

pub(super) fn id(ms: u32) -> EntryId {
    EntryId::new(ms.into(), 0)
}

pub(super) fn add(con: &mut Con, key: &impl StreamKey<Value = Message>, number: u32) {
    con.ok(key.xadd(&Message { number }).id(id(number)));
}

pub(super) fn group_of<K: StreamKey>(con: &mut Con, key: &K) {
    con.ok(key.group("readers").create(GroupStart::Start));
}

pub(super) fn read_by(consumer: &str, wait: Duration) -> Wait {
    MAIL.group("readers").read_block(consumer, 3, wait)
}

#[track_caller]
pub(super) fn numbers(found: Option<Vec<Entry<Message>>>) -> Vec<u32> {
    let found = found.expect("there are entries");
    found.into_iter().map(|entry| entry.value.expect("the entry decodes").number).collect()
}

#[test]
fn existing_entries_are_read_without_waiting() {
    on_both(|waiter, con| {
        (1..=5).for_each(|number| add(con, &MAIL, number));
        let _: bool = con.raw(&["EXPIRE", MAIL_KEY, "60"]);
        assert_eq!(numbers(waiter.ok(MAIL.xread_block(EntryId::MIN, 9, LONG))), [1, 2, 3, 4, 5]);
        assert_eq!(numbers(waiter.ok(MAIL.xread_block(id(2), 2, LONG))), [3, 4]);
        group_of(con, &MAIL);
        assert_eq!(numbers(waiter.ok(read_by("a", LONG))), [1, 2, 3]);
        assert_eq!(numbers(waiter.ok(read_by("b", LONG))), [4, 5]);
        con.assert_left(MAIL_KEY, MINUTE);
        assert_eq!(con.ok(MAIL.xlen()), 5);
    });
}

#[test]
fn a_read_waits_for_entries() {
    on_both(|waiter, con| {
        // The stream need not exist yet.
        let found = waiter.meanwhile(MAIL.xread_block(EntryId::MIN, 9, LONG), con, |con| add(con, &MAIL, 1));
        assert_eq!(numbers(found.expect("the read succeeds")), [1]);
        let found = waiter.meanwhile(MAIL.xread_block(id(1), 9, LONG), con, |con| add(con, &MAIL, 2));
        assert_eq!(numbers(found.expect("the read succeeds")), [2]);
        group_of(con, &MAIL);
        assert_eq!(numbers(waiter.ok(read_by("a", LONG))), [1, 2]);
        let found = waiter.meanwhile(read_by("a", LONG), con, |con| add(con, &MAIL, 3));
        assert_eq!(numbers(found.expect("the read succeeds")), [3]);
        con.assert_left(MAIL_KEY, HOUR);
        assert_eq!(con.ok(MAIL.group("readers").pending_summary()).count, 3);
    });
}

#[test]
fn a_read_without_entries_times_out() {
    on_both(|waiter, con| {
        group_of(con, &MAIL);
        let shortest = Duration::from_nanos(1);
        for wait in [SHORT, SHORT, shortest] {
            for blocking in [MAIL.xread_block(EntryId::MIN, 9, wait), read_by("a", wait)] {
                let started = Instant::now();
                assert!(waiter.ok(blocking).is_none());
                assert!(started.elapsed() >= wait / 2, "{:?}", started.elapsed());
            }
        }
        add(con, &MAIL, 1);
        assert_eq!(numbers(waiter.ok(read_by("a", SHORT))), [1]);
        assert_eq!(con.ok(MAIL.group("readers").pending_summary()).count, 1);
    });
}

#[test]
fn a_read_may_wait_longer_than_the_timeouts_of_the_client() {
    on_both(|waiter, con| {
        group_of(con, &MAIL);
        let late = |con: &mut Con| {
            // Longer than the half second after which asynchronous connections of redis-rs time out.
            std::thread::sleep(Duration::from_millis(700));
            add(con, &MAIL, 7);
        };
        assert_eq!(numbers(waiter.meanwhile(read_by("a", LONG), con, late).expect("the read succeeds")), [7]);
    });
}

#[test]
fn a_read_renews_the_expiry_before_and_after_the_wait() {
    on_both(|waiter, con| {
        let (touched, fading) = (Touched { id: 1 }, Fading { id: 1 });
        let renews = |waiter: &mut Waiter, con: &mut Con, key: &str, read: Wait, add: &dyn Fn(&mut Con)| {
            let _: bool = con.raw(&["EXPIRE", key, "60"]);
            con.forget_scripts();
            let found = waiter.meanwhile(read, con, |con| {
                con.assert_left(key, HOUR);
                let _: bool = con.raw(&["EXPIRE", key, "60"]);
                add(con);
            });
            assert_eq!(numbers(found.expect("the read succeeds")).len(), 1);
            con.assert_left(key, HOUR);
        };
        for key in ["wait:{1}:touched:stream", "wait:{1}:fading:stream"] {
            let add = |con: &mut Con, number| {
                let _: String = con.raw(&["XADD", key, &id(number).to_string(), "number", &number.to_string()]);
            };
            group_of(con, &touched);
            group_of(con, &fading);
            let (xread, read) = if key.contains("touched") {
                (touched.xread_block(EntryId::MIN, 9, LONG), touched.group("readers").read_block("a", 9, LONG))
            } else {
                (fading.xread_block(EntryId::MIN, 9, LONG), fading.group("readers").read_block("a", 9, LONG))
            };
            renews(waiter, con, key, xread, &|con| add(con, 1));
            con.ok(touched.group("readers").set_id(GroupStart::End));
            con.ok(fading.group("readers").set_id(GroupStart::End));
            renews(waiter, con, key, read, &|con| add(con, 2));
            // Existing entries are read without a wait.
            let _: bool = con.raw(&["EXPIRE", key, "60"]);
            let existing = if key.contains("touched") {
                touched.xread_block(EntryId::MIN, 9, LONG)
            } else {
                fading.xread_block(EntryId::MIN, 9, LONG)
            };
            assert_eq!(numbers(waiter.ok(existing)), [1, 2]);
            con.assert_left(key, HOUR);
        }
        assert!(waiter.ok(touched.xread_block(id(9), 9, SHORT)).is_none());
        assert!(waiter.ok(fading.xread_block(id(9), 9, SHORT)).is_none());
    });
}

#[test]
fn an_unbounded_wait_is_rejected() {
    on_both(|waiter, con| {
        group_of(con, &MAIL);
        let _: String = con.raw(&["CONFIG", "RESETSTAT"]);
        for wait in [Duration::ZERO, Duration::from_secs(3601)] {
            for blocking in [MAIL.xread_block(EntryId::MIN, 9, wait), read_by("a", wait)] {
                let error = waiter.run(blocking).expect_err("the command is rejected");
                assert_eq!((error.kind(), error.sent()), (ErrorKind::Argument, SendStatus::No));
            }
        }
        let error = waiter.run(MAIL.xread_block(EntryId::MIN, 501, LONG)).expect_err("there are too many entries");
        assert_eq!((error.kind(), error.sent()), (ErrorKind::TooMany, SendStatus::No));
        assert!(!con.info("commandstats").contains("xread"));
    });
}

#[test]
fn missing_groups_wrong_types_and_undecodable_entries_are_errors() {
    on_both(|waiter, con| {
        let error = waiter.run(read_by("a", LONG)).expect_err("there is no group");
        assert_eq!((error.kind(), error.key()), (ErrorKind::Server, Some(MAIL_KEY)));
        assert!(error.to_string().contains("NOGROUP: the consumer group does not exist: create it"), "{error}");
        let _: String = con.raw(&["SET", MAIL_KEY, "hidden", "EX", "60"]);
        for blocking in [MAIL.xread_block(EntryId::MIN, 9, LONG), read_by("a", LONG)] {
            let error = waiter.run(blocking).expect_err("the key is not a stream");
            let message = "holds a string, but a stream is declared";
            assert!(error.to_string().contains(message), "{error}");
        }
        let (touched, fading) = (Touched { id: 1 }, Fading { id: 1 });
        let _: String = con.raw(&["SET", "wait:{1}:touched:stream", "hidden", "EX", "60"]);
        let _: String = con.raw(&["SET", "wait:{1}:fading:stream", "hidden", "EX", "60"]);
        for blocking in [touched.xread_block(EntryId::MIN, 9, LONG), fading.xread_block(EntryId::MIN, 9, LONG)] {
            let error = waiter.run(blocking).expect_err("the key is not a stream");
            assert_eq!(error.kind(), ErrorKind::WrongType, "{error}");
        }
        con.assert_left("wait:{1}:touched:stream", MINUTE);
        let _: u64 = con.raw(&["DEL", MAIL_KEY]);
        // An entry that does not decode does not affect the others.
        group_of(con, &MAIL);
        let _: String = con.raw(&["XADD", MAIL_KEY, "1-0", "number", "secret"]);
        add(con, &MAIL, 2);
        let found = waiter.ok(read_by("a", LONG)).expect("there are entries");
        let read: Vec<_> = found.iter().map(|entry| (entry.id, entry.value.is_ok())).collect();
        assert_eq!(read, [(id(1), false), (id(2), true)]);
    });
}

#[test]
fn a_group_destroyed_during_the_wait_is_an_error() {
    on_both(|waiter, con| {
        group_of(con, &MAIL);
        let error = waiter.meanwhile(read_by("a", LONG), con, |con| _ = con.ok(MAIL.group("readers").destroy()));
        let error = error.expect_err("the group is gone").to_string();
        assert!(error.contains("NOGROUP: the consumer group does not exist"), "{error}");
        group_of(con, &MAIL);
        let found = waiter.meanwhile(read_by("a", SECOND), con, |con| _ = con.ok(MAIL.unlink()));
        // Redis 6.2 continues to wait.
        let error = found.and_then(|found| match found {
            None => waiter.run(read_by("a", SHORT)),
            found => Ok(found),
        });
        let error = error.expect_err("the group is gone").to_string();
        let messages = ["UNBLOCKED: the key was deleted", "NOGROUP: the consumer group does not exist"];
        assert!(messages.iter().any(|message| error.contains(message)), "{error}");
    });
}

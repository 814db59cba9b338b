//! Groups: `create set_id destroy read ack delete_consumer`.

use redis_keys::ErrorKind;
use redis_keys::prelude::*;
use redis_keys::types::stream::{EntryId, GroupStart};
use redis_keys_tests::on_every_connection;

use super::keys::{HOUR, Kept, Last, MINUTE, Plain, add, add_undecodable, id, orders, paid};

const KEY: &str = "log:plain:1:stream";

#[test]
fn creating_a_group_creates_the_stream_with_its_expiry() {
    on_every_connection(|con| {
        con.forget_scripts();
        let log = Plain { id: 1 };
        assert!(con.ok(log.group("billing").create(GroupStart::Start)));
        con.assert_left(KEY, HOUR);
        let _: bool = con.raw(&["EXPIRE", KEY, "60"]);
        assert!(!con.ok(log.group("billing").create(GroupStart::End)));
        assert!(con.ok(log.group("mail.sender").create(GroupStart::End)));
        con.assert_left(KEY, MINUTE);
        assert!(con.ok(Last { id: 1 }.group("billing").create(GroupStart::After(id(5)))));
        con.assert_left("log:last:1:stream", HOUR / 2);
        assert!(con.ok(Kept { id: 1 }.group("billing").create(GroupStart::End)));
        assert_eq!(con.pttl("never:kept:1:stream"), -1);
        assert_eq!(con.ok(log.xlen()), 0);
    });
}

#[test]
fn creating_a_group_adds_a_missing_expiry() {
    on_every_connection(|con| {
        for key in ["log:plain:1:stream", "log:plain:2:stream"] {
            let _: String = con.raw(&["XGROUP", "CREATE", key, "billing", "0", "MKSTREAM"]);
        }
        assert!(con.ok(Plain { id: 1 }.group("mail").create(GroupStart::Start)));
        assert!(!con.ok(Plain { id: 2 }.group("billing").create(GroupStart::Start)));
        con.assert_left("log:plain:1:stream", HOUR);
        con.assert_left("log:plain:2:stream", HOUR);
    });
}

#[test]
fn two_consumers_share_the_entries() {
    on_every_connection(|con| {
        let log = Plain { id: 1 };
        let group = log.group("billing");
        con.ok(group.create(GroupStart::Start));
        assert!(con.ok(group.read("a", 5)).is_empty());
        add(con, &log, 1..=5);
        assert_eq!(orders(con.ok(group.read("a", 2))), [1, 2]);
        assert_eq!(orders(con.ok(group.read("b", 2))), [3, 4]);
        assert_eq!(orders(con.ok(group.read("a", 2))), [5]);
        assert!(con.ok(group.read("b", 2)).is_empty());
        assert!(con.ok(group.ack(id(1))));
        assert!(!con.ok(group.ack(id(1))));
        assert_eq!(con.ok(group.ack_many([id(1), id(2), id(3)])), 2);
        let again = con.ok(group.read_pending("a", EntryId::MIN, 5));
        assert_eq!(again.next, Some(EntryId::new(5, 1)));
        assert_eq!(orders(again.entries), [5]);
        assert_eq!(con.ok(log.xlen()), 5);
        con.assert_left(KEY, HOUR);
    });
}

#[test]
fn each_group_has_its_own_position() {
    on_every_connection(|con| {
        let log = Plain { id: 1 };
        add(con, &log, 1..=3);
        con.ok(log.group("all").create(GroupStart::Start));
        con.ok(log.group("after").create(GroupStart::After(id(2))));
        con.ok(log.group("new").create(GroupStart::End));
        add(con, &log, 4..=4);
        assert_eq!(orders(con.ok(log.group("all").read("a", 9))), [1, 2, 3, 4]);
        assert_eq!(orders(con.ok(log.group("after").read("a", 9))), [3, 4]);
        assert_eq!(orders(con.ok(log.group("new").read("a", 9))), [4]);
        con.ok(log.group("new").set_id(GroupStart::After(id(1))));
        assert_eq!(orders(con.ok(log.group("new").read("b", 9))), [2, 3, 4]);
        con.ok(log.group("new").set_id(GroupStart::Start));
        con.ok(log.group("new").set_id(GroupStart::End));
        assert!(con.ok(log.group("new").read("b", 9)).is_empty());
    });
}

#[test]
fn an_entry_that_does_not_decode_can_be_acknowledged() {
    on_every_connection(|con| {
        let log = Plain { id: 1 };
        let group = log.group("billing");
        con.ok(group.create(GroupStart::Start));
        add(con, &log, 1..=1);
        add_undecodable(con, KEY, "2-0");
        add(con, &log, 3..=3);
        let entries = con.ok(group.read("a", 9));
        let bad: Vec<_> = entries.iter().filter(|entry| entry.value.is_err()).map(|entry| entry.id).collect();
        assert_eq!((entries.len(), bad.as_slice()), (3, &[id(2)][..]));
        let again = con.ok(group.read_pending("a", EntryId::MIN, 9));
        assert_eq!(again.entries.iter().filter(|entry| entry.value.is_err()).count(), 1);
        assert_eq!(con.ok(group.ack_many(bad)), 1);
        assert_eq!(orders(con.ok(group.read_pending("a", EntryId::MIN, 9)).entries), [1, 3]);
    });
}

#[test]
fn groups_and_consumers_can_be_removed() {
    on_every_connection(|con| {
        con.forget_scripts();
        let log = Plain { id: 1 };
        let group = log.group("billing");
        assert!(!con.ok(group.destroy()));
        assert_eq!(con.ok(group.delete_consumer("a")), 0);
        con.ok(log.xadd(&paid(1)));
        assert!(!con.ok(group.destroy()));
        con.ok(group.create(GroupStart::Start));
        con.ok(group.read("a", 1));
        assert_eq!(con.ok(group.delete_consumer("b")), 0);
        assert_eq!(con.ok(group.delete_consumer("a")), 1);
        assert!(con.ok(group.destroy()));
        assert!(!con.ok(group.destroy()));
        let error = con.error(group.delete_consumer("a"));
        assert!(error.to_string().contains("NOGROUP: the consumer group does not exist"), "{error}");
    });
}

#[test]
fn a_missing_group_is_reported() {
    on_every_connection(|con| {
        for exists in [false, true] {
            let log = Plain { id: 1 };
            let group = log.group("billing");
            let (pending, claimed) = (
                con.error(group.read_pending("a", EntryId::MIN, 1)),
                con.error(group.claim("a", std::time::Duration::ZERO, EntryId::MIN, 1)),
            );
            for error in [con.error(group.read("a", 1)), pending, claimed, con.error(group.pending(.., 5))] {
                let text = error.to_string();
                assert_eq!((error.kind(), error.key()), (ErrorKind::Server, Some(KEY)), "{text}");
                assert!(text.contains("NOGROUP: the consumer group does not exist: create it"), "{text}");
            }
            con.error(group.pending_summary());
            let expected = if exists { "the consumer group does not exist" } else { "the key does not exist" };
            for error in [con.error(group.set_id(GroupStart::End)), con.error(group.consumers())] {
                assert!(error.to_string().contains(expected), "{error}");
                assert_eq!(error.key(), Some(KEY), "{error}");
            }
            assert!(!con.ok(group.ack(id(1))));
            assert_eq!(con.ok(log.exists()), exists);
            con.ok(log.xadd(&paid(1)));
        }
    });
}

#[test]
fn invalid_names_and_counts_are_rejected_before_sending() {
    on_every_connection(|con| {
        let log = Plain { id: 1 };
        assert_eq!(con.refused(log.group("Billing").create(GroupStart::Start)).kind(), ErrorKind::Argument);
        assert_eq!(con.refused(log.group("billing").read("a b", 1)).kind(), ErrorKind::Argument);
        assert_eq!(con.refused(log.group("billing").read("a", 501)).kind(), ErrorKind::TooMany);
    });
}

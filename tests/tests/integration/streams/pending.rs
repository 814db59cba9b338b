//! `pending pending_summary consumers`.

use std::time::Duration;

use redis_keys::prelude::*;
use redis_keys::types::stream::{EntryId, GroupStart, PendingSummary};
use redis_keys_tests::on_every_connection;

use super::keys::{Plain, add, id};

#[test]
fn pending_entries_are_listed_and_summarized() {
    on_every_connection(|con| {
        let log = Plain { id: 1 };
        let group = log.group("billing");
        con.ok(group.create(GroupStart::Start));
        assert_eq!(con.ok(group.pending_summary()), PendingSummary::default());
        assert!(con.ok(group.pending(.., 9)).is_empty());
        add(con, &log, 1..=5);
        con.ok(group.read("a", 2));
        con.ok(group.read("host-2.example:80", 1));
        con.ok(group.claim("a", Duration::ZERO, EntryId::MIN, 1));
        let pending = con.ok(group.pending(.., 9));
        let entries: Vec<_> =
            pending.iter().map(|entry| (entry.id, entry.consumer.as_str(), entry.deliveries)).collect();
        assert_eq!(entries, [(id(1), "a", 2), (id(2), "a", 1), (id(3), "host-2.example:80", 1)]);
        assert!(pending.iter().all(|entry| entry.idle < Duration::from_secs(60)));
        assert_eq!(con.ok(group.pending(id(2).., 1)).len(), 1);
        assert_eq!(con.ok(group.pending(id(2)..id(3), 9))[0].id, id(2));
        let summary = con.ok(group.pending_summary());
        assert_eq!((summary.count, summary.ids), (3, Some((id(1), id(3)))));
        assert_eq!(summary.consumers, [("a".to_owned(), 2), ("host-2.example:80".to_owned(), 1)]);
    });
}

#[test]
fn consumers_are_listed() {
    on_every_connection(|con| {
        let log = Plain { id: 1 };
        let group = log.group("billing");
        con.ok(group.create(GroupStart::Start));
        assert!(con.ok(group.consumers()).is_empty());
        add(con, &log, 1..=5);
        con.ok(group.read("b", 2));
        con.ok(group.read("a", 1));
        con.ok(group.ack(id(3)));
        let mut consumers = con.ok(group.consumers());
        consumers.sort_by(|left, right| left.name.cmp(&right.name));
        let counts: Vec<_> = consumers.iter().map(|consumer| (consumer.name.as_str(), consumer.pending)).collect();
        assert_eq!(counts, [("a", 0), ("b", 2)]);
        assert!(consumers.iter().all(|consumer| consumer.idle < Duration::from_secs(60)));
    });
}

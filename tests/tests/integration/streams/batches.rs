//! Streams in batches and in atomic groups.

use std::time::Duration;

use redis_keys::ErrorKind;
use redis_keys::prelude::*;
use redis_keys::types::stream::{EntryId, GroupStart};
use redis_keys_tests::everywhere;

use super::keys::{Fading, HOUR, Last, Plain, TaggedKey, Touched, id, orders, paid};

#[test]
fn stream_commands_run_in_a_batch() {
    everywhere(|con| {
        con.forget_scripts();
        let (log, last, touched) = (Plain { id: 1 }, Last { id: 1 }, Touched { id: 1 });
        let (group, seen) = (log.group("billing"), touched.group("billing"));
        let (new, first, second, _, read, acked) = con
            .batch((
                group.create(GroupStart::Start),
                log.xadd(&paid(1)),
                log.xadd(&paid(2)),
                (last.xadd(&paid(3)), touched.xadd(&paid(4)), seen.create(GroupStart::Start)),
                (group.read("a", 9), seen.read("a", 9), touched.xread(EntryId::MIN, 9), Fading { id: 1 }.xlen()),
                group.ack(id(1)),
            ))
            .expect("the batch succeeds");
        assert!(new && first < second && !acked);
        assert_eq!((orders(read.0), orders(read.1), orders(read.2), read.3), (vec![1, 2], vec![4], vec![4], 0));
        con.assert_left("log:plain:1:stream", HOUR);
        con.assert_left("log:last:1:stream", HOUR / 2);
        let claimed = con.batch([group.claim("b", Duration::ZERO, EntryId::MIN, 9)]).expect("the batch succeeds");
        assert_eq!(orders(claimed.into_iter().flat_map(|claimed| claimed.entries).collect()), [1, 2]);
        let each = con.batch_each((Plain { id: 9 }.group("billing").read("a", 9), log.xlen()));
        assert_eq!(each.0.expect_err("there is no such group").key(), Some("log:plain:9:stream"));
        assert_eq!(each.1.expect("the command succeeds"), 2);
    });
}

#[test]
fn a_hundred_entries_in_a_batch_keep_their_order() {
    everywhere(|con| {
        let log = Plain { id: 1 };
        let entries: Vec<_> = (0..100).map(paid).collect();
        let ids =
            con.batch(entries.iter().map(|entry| log.xadd(entry)).collect::<Vec<_>>()).expect("the batch succeeds");
        assert!(ids.is_sorted());
        assert_eq!(orders(con.ok(log.xrange(.., 500))), (0..100).collect::<Vec<_>>());
    });
}

#[test]
fn stream_commands_run_in_an_atomic_group() {
    everywhere(|con| {
        let log = TaggedKey { id: 1 };
        let group = log.group("billing");
        con.forget_scripts();
        if !con.has_pipelines() {
            return;
        }
        let done = con.atomic((
            group.create(GroupStart::Start),
            log.xadd(&paid(1)).id(id(1)),
            group.read("a", 9),
            log.xrange(.., 9),
            group.ack(id(1)),
            group.pending_summary(),
        ));
        let (new, added, read, range, acked, summary) = done.expect("the batch succeeds");
        assert!(new && acked);
        assert_eq!((added, orders(read), orders(range), summary.count), (id(1), vec![1], vec![1], 0));
        con.assert_left("log:{1}:tagged:stream", HOUR);
        let error = con.atomic((log.xadd(&paid(2)), Plain { id: 1 }.group("billing").read("a", 1)));
        assert_eq!(error.map(drop).expect_err("the keys are in different slots").kind(), ErrorKind::HashTag);
    });
}

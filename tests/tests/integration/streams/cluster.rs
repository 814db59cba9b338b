//! Streams and groups on a cluster.

use std::time::Duration;

use redis_keys::ErrorKind;
use redis_keys::prelude::*;
use redis_keys::types::stream::{EntryId, GroupStart};
use redis_keys_tests::on_a_cluster;

use super::keys::{HOUR, Last, Plain, TaggedKey, Touched, add, id, orders, paid};

#[test]
fn every_stream_command_goes_to_its_node() {
    on_a_cluster(|con| {
        for number in 0..8 {
            con.forget_scripts();
            let (log, tagged, touched) = (Plain { id: number }, TaggedKey { id: number }, Touched { id: number });
            add(con, &log, 1..=3);
            add(con, &tagged, 1..=5);
            add(con, &touched, 1..=3);
            con.ok(Last { id: number }.xadd(&paid(1)));
            assert_eq!(con.error(tagged.xadd(&paid(6))).kind(), ErrorKind::CollectionSize);
            con.assert_left(&format!("log:plain:{number}:stream"), HOUR);
            con.assert_left(&format!("log:{{{number}}}:tagged:stream"), HOUR);
            con.assert_left(&format!("log:last:{number}:stream"), HOUR / 2);
            assert_eq!(orders(con.ok(log.xread(id(1), 9))), [2, 3]);
            assert_eq!(orders(con.ok(touched.xread(id(1), 9))), [2, 3]);
            assert_eq!(con.scan(tagged.xpages(2)).expect("the scan succeeds").len(), 5);
            assert_eq!((con.ok(log.xtrim(2)), con.ok(log.xlen())), (1, 2));
        }
    });
}

#[test]
fn every_group_command_goes_to_its_node() {
    on_a_cluster(|con| {
        for number in 0..8 {
            con.forget_scripts();
            let (log, touched) = (Plain { id: number }, Touched { id: number });
            let group = log.group("billing");
            assert!(con.ok(group.create(GroupStart::Start)));
            con.assert_left(&format!("log:plain:{number}:stream"), HOUR);
            add(con, &log, 1..=3);
            assert_eq!(orders(con.ok(group.read("a", 9))), [1, 2, 3]);
            assert_eq!(con.ok(group.read_pending("a", EntryId::MIN, 9)).entries.len(), 3);
            assert_eq!(con.ok(group.claim("b", Duration::ZERO, EntryId::MIN, 9)).entries.len(), 3);
            assert!(con.ok(group.ack(id(1))));
            assert_eq!(con.ok(group.pending(.., 9)).len(), 2);
            assert_eq!(con.ok(group.pending_summary()).count, 2);
            assert_eq!(con.ok(group.consumers()).len(), 2);
            con.ok(group.set_id(GroupStart::End));
            assert_eq!(con.ok(group.delete_consumer("b")), 2);
            assert!(con.ok(group.destroy()));
            let error = con.error(group.read("a", 9));
            assert_eq!(error.key(), Some(format!("log:plain:{number}:stream").as_str()), "{error}");
            con.ok(touched.xadd(&paid(1)));
            con.ok(touched.group("billing").create(GroupStart::Start));
            assert_eq!(orders(con.ok(touched.group("billing").read("a", 9))), [1]);
        }
    });
}

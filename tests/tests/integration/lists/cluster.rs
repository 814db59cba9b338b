//! Lists on a cluster.

use redis_keys::ErrorKind;
use redis_keys::prelude::*;
use redis_keys::types::list::ListEnd;
use redis_keys_tests::on_a_cluster;

use super::{HOUR, Plain, Recent, TaggedKey, TaggedLast, Touched};

#[test]
fn scripts_run_on_the_node_of_their_keys() {
    on_a_cluster(|con| {
        for id in 0..8 {
            con.forget_scripts();
            let (from, to) = (TaggedKey { id }, TaggedLast { id });
            assert_eq!(con.ok(from.rpush_many([1, 2, 3])), 3);
            assert_eq!(con.error(from.rpush(&4)).kind(), ErrorKind::CollectionSize);
            assert_eq!(con.ok(from.lmove(&to, ListEnd::Right, ListEnd::Left)), Some(3));
            assert_eq!(con.ok(to.lpush_many([8, 9])), 2);
            assert!(con.ok(to.lset(0, &7)));
            assert_eq!(con.ok(to.lrange(0..5)), [7, 8]);
            con.assert_left(&format!("line:{{{id}}}:tagged:list"), HOUR);
            con.assert_left(&format!("line:{{{id}}}:last:list"), HOUR / 2);
            con.ok(Touched { id }.rpush("a"));
            assert_eq!(con.scan(Touched { id }.lpages(10)).expect("the scan succeeds"), ["a"]);
        }
    });
}

#[test]
fn keys_in_different_slots_are_rejected() {
    on_a_cluster(|con| {
        con.ok(Plain { id: 1 }.rpush("a"));
        let error = con.error(Plain { id: 1 }.lmove(&Recent { id: 2 }, ListEnd::Left, ListEnd::Left));
        assert_eq!(error.kind(), ErrorKind::Server, "{error}");
        assert!(error.to_string().contains("CROSSSLOT"), "{error}");
        assert_eq!(con.ok(Plain { id: 1 }.llen()), 1);
    });
}

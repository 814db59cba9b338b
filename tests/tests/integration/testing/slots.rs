//! The helpers that move slots and replace primaries.

use redis::{Client, RedisResult};
use redis_keys::testing::{Cluster, ClusterNode};
use redis_keys_tests::{Con, MovingSlot, fail_over, on_a_cluster, shared_cluster, wait_until};

fn get(node: &ClusterNode, key: &str) -> RedisResult<Option<String>> {
    let mut con = Client::open(node.url())?.get_connection()?;
    redis::cmd("GET").arg(key).query(&mut con)
}

fn error_code(reply: RedisResult<Option<String>>) -> Option<String> {
    reply.err().and_then(|error| error.code().map(str::to_owned))
}

#[test]
fn a_moving_slot_is_half_migrated() {
    let cluster = shared_cluster();
    let keys = ["{moving}:kept", "{moving}:moved"];
    let mut con = Con::blocking_cluster(&cluster, redis::ProtocolVersion::RESP3);
    for key in keys {
        let _: String = con.raw(&["SET", key, key, "EX", "60"]);
    }
    let mut slot = MovingSlot::open(&cluster, keys[0]);
    slot.send(keys[1]);
    let [from, to] = slot.nodes().map(ClusterNode::clone);
    assert!(from.serves(slot.slot()));
    assert_eq!(get(&from, keys[0]).expect("the key is not migrated").as_deref(), Some(keys[0]));
    assert_eq!(error_code(get(&from, keys[1])).as_deref(), Some("ASK"));
    assert_eq!(error_code(get(&to, keys[1])).as_deref(), Some("MOVED"));
    for key in keys {
        assert_eq!(con.raw::<String>(&["GET", key]), key, "clients follow the redirect");
    }
    slot.finish(&cluster);
    for key in keys {
        assert_eq!(get(&to, key).expect("the key is migrated").as_deref(), Some(key));
        assert_eq!(error_code(get(&from, key)).as_deref(), Some("MOVED"));
    }
    assert_eq!(cluster.primary_of(keys[0]).expect("the cluster replies").id(), to.id());
    con.assert_all_expire();
}

#[test]
fn fail_over_promotes_a_replica() {
    let cluster = Cluster::start_with_replicas(1).expect("a cluster starts");
    let key = "user:name:42:string";
    let mut con = Con::blocking_cluster(&cluster, redis::ProtocolVersion::RESP2);
    let _: String = con.raw(&["SET", key, "Ada", "EX", "60"]);
    for option in [None, Some("FORCE"), Some("TAKEOVER")] {
        let before = cluster.primary_of(key).expect("the cluster is whole");
        let nodes = cluster.nodes().expect("the cluster replies");
        let replica = nodes.iter().find(|node| node.is_replica_of(&before)).expect("the primary has a replica");
        wait_until("the key is copied", || Con::blocking(&replica.url()).raw::<u64>(&["DBSIZE"]) == 1);
        let after = fail_over(&cluster, key, option);
        assert_ne!(before.id(), after.id());
        assert_eq!(get(&after, key).expect("the primary replies").as_deref(), Some("Ada"));
        let nodes = cluster.nodes().expect("the cluster replies");
        assert!(nodes.iter().any(|node| node.id() == before.id() && node.is_replica_of(&after)));
    }
    assert_eq!(con.raw::<String>(&["GET", key]), "Ada", "clients follow the redirect");
}

#[test]
fn raw_and_info_reach_every_primary() {
    on_a_cluster(|con| {
        for key in 0..100 {
            let _: String = con.raw(&["SET", &key.to_string(), "x", "EX", "60"]);
        }
        assert_eq!(con.raw::<u64>(&["DBSIZE"]), 100);
        assert_eq!(con.raw::<Vec<String>>(&["KEYS", "*"]).len(), 100);
        assert_eq!(con.info("server").matches("tcp_port").count(), 3);
        for key in ["7", "8", "9", "10", "11"] {
            con.assert_left(key, 60_000);
            let _: bool = con.raw(&["PERSIST", key]);
            let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| con.assert_all_expire()));
            assert!(result.is_err(), "{key} has no expiry");
            let _: bool = con.raw(&["EXPIRE", key, "60"]);
        }
    });
}

//! Views are read as the servers write them, and agree or not.

use super::{ClusterNode, View};

const NODES: &str = "\
aa 127.0.0.1:7001@17001 myself,master - 0 0 1 connected 0-5460 [93->-bb]
bb 127.0.0.1:7002@17002,,tls-port=0,shard-id=5a master - 0 1 2 connected 5461-10000 10001 10002-10922
cc 127.0.0.1:7003@17003 master - 0 1 3 connected 10923-16383
dd 127.0.0.1:7004@17004 slave aa 0 1 1 connected
";

const LIVING: [u16; 4] = [7001, 7002, 7003, 7004];

/// What all of them see, after a change to what the last one does.
fn missing(change: impl FnOnce(&mut View)) -> Option<&'static str> {
    let mut views = LIVING.map(|_| View::read("cluster_state:ok\r\n", "role:master\r\n", NODES, &LIVING));
    change(&mut views[3]);
    View::missing(&views)
}

#[test]
fn a_line_is_read() {
    let View { nodes, .. } = View::read("", "", NODES, &LIVING);
    assert_eq!(nodes.iter().map(ClusterNode::port).collect::<Vec<_>>(), LIVING);
    assert_eq!(nodes.iter().map(ClusterNode::id).collect::<Vec<_>>(), ["aa", "bb", "cc", "dd"]);
    assert_eq!(nodes.iter().map(ClusterNode::is_primary).collect::<Vec<_>>(), [true, true, true, false]);
    assert!(nodes[3].is_replica_of(&nodes[0]) && !nodes[3].is_replica_of(&nodes[1]));
    for (slot, at) in [(0, 0), (93, 0), (5460, 0), (5461, 1), (10_001, 1), (10_922, 1), (16_383, 2)] {
        assert_eq!(nodes.iter().position(|node| node.serves(slot)), Some(at), "slot {slot}");
    }
}

#[test]
fn who_has_no_place_is_left_out() {
    for flags in ["handshake", "master,noaddr", "master,fail?", "slave,fail"] {
        let line = format!("aa 127.0.0.1:7001@17001 {flags} - 0 0 1 connected 0-5460");
        assert_eq!(ClusterNode::parse(&line), None, "{flags}");
    }
    assert_eq!(ClusterNode::parse(""), None);
    assert_eq!(View::read("", "", NODES, &[7001, 7003]).nodes.len(), 2, "those that are dead");
}

#[test]
fn nothing_is_missing_when_all_agree() {
    assert_eq!(missing(|_| {}), None);
    assert_eq!(
        missing(|view| *view = View::read("cluster_state:ok", "role:slave\nmaster_link_status:up", NODES, &LIVING)),
        None
    );
}

#[test]
fn what_is_missing_is_told() {
    let read = |state, replication, nodes: &str| missing(|view| *view = View::read(state, replication, nodes, &LIVING));
    let (ok, master) = ("cluster_state:ok", "role:master");
    assert_eq!(read("cluster_state:fail", master, NODES), Some("a node does not serve yet"));
    let down = "role:slave\nmaster_link_status:down";
    assert_eq!(read(ok, down, NODES), Some("a replica is not connected to its primary"));
    let other = NODES.replace("10922", "10921");
    assert_eq!(read(ok, master, &other), Some("the nodes do not agree on who serves what"));

    let all = |nodes: &str| View::missing(&LIVING.map(|_| View::read(ok, master, nodes, &LIVING)));
    assert_eq!(all(NODES), None);
    assert_eq!(all(&other), Some("not every slot is served"));
    assert_eq!(all(&NODES.replace("slave", "handshake")), Some("not every node has met every other"));
}

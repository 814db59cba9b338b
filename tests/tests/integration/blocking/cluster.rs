//! Blocking commands on a cluster.

use std::time::Duration;

use redis::ProtocolVersion;
use redis_keys::ErrorKind;
use redis_keys::prelude::*;
use redis_keys::types::list::ListEnd;
use redis_keys_tests::{Con, MovingSlot, shared_cluster};

use super::keys::{HOUR, JOBS, JOBS_KEY, Jobs, Ranks, TAKEN, TAKEN_KEY, Taken};
use super::waiter::Waiter;

const LONG: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_millis(20);

#[test]
fn a_blocking_command_goes_to_the_node_of_its_key() {
    let cluster = shared_cluster();
    let mut con = Con::blocking_cluster(&cluster, ProtocolVersion::RESP2);
    let mut waiter = Waiter::asynchronous(cluster.urls().first().expect("the cluster has nodes"));
    for id in 0..12 {
        let (jobs, taken, ranks) = (Jobs { id }, Taken { id }, Ranks { id });
        assert_eq!(waiter.ok(jobs.blpop(SHORT)), None);
        con.ok(jobs.rpush_many([1, 2]));
        con.ok(ranks.zadd(&3, 1.0));
        assert_eq!(waiter.ok(jobs.blpop(LONG)), Some(1));
        assert_eq!(waiter.ok(ranks.bzpopmin(LONG)), Some((3, 1.0)));
        con.forget_scripts();
        assert_eq!(waiter.ok(jobs.blmove(&taken, ListEnd::Left, ListEnd::Left, LONG)), Some(2));
        con.assert_left(&format!("wait:{{{id}}}:taken:list"), 2 * HOUR);
        let found = waiter.meanwhile(jobs.blmove(&taken, ListEnd::Left, ListEnd::Left, LONG), &mut con, |con| {
            con.ok(jobs.rpush(&4));
        });
        assert_eq!(found.expect("the move succeeds"), Some(4));
    }
    let error = waiter.run(Jobs { id: 1 }.blmove(&Taken { id: 2 }, ListEnd::Left, ListEnd::Left, LONG));
    let error = error.expect_err("they are in different slots");
    assert!(error.kind() == ErrorKind::Server && error.to_string().contains("CROSSSLOT"), "{error}");
    con.assert_all_expire();
}

#[test]
fn a_synchronous_connection_to_another_node_reports_moved() {
    let cluster = shared_cluster();
    let mut waiter = Waiter::blocking(cluster.urls().first().expect("the cluster has nodes"));
    let errors = (0..12).filter_map(|id| waiter.run(Jobs { id }.blpop(SHORT)).err()).collect::<Vec<_>>();
    assert!(!errors.is_empty());
    for error in errors {
        assert!(error.to_string().contains("MOVED: the key is on another node ("), "{error}");
    }
}

#[test]
fn blocking_commands_follow_a_migrating_slot() {
    let cluster = shared_cluster();
    let mut con = Con::async_cluster(&cluster, ProtocolVersion::RESP3);
    let node = cluster.primary_of(TAKEN_KEY).expect("the cluster is whole");
    let mut waiter = Waiter::asynchronous(&node.url());
    con.ok(JOBS.rpush_many([1, 2, 3, 4]));
    con.ok(TAKEN.rpush(&0));
    let mut slot = MovingSlot::open(&cluster, JOBS_KEY);
    let blmove = || JOBS.blmove(&TAKEN, ListEnd::Left, ListEnd::Right, LONG);
    assert_eq!(waiter.ok(blmove()), Some(1), "neither key is migrated");
    slot.send(JOBS_KEY);
    assert_eq!(waiter.ok(JOBS.blpop(LONG)), Some(2), "the node replies ASK");
    let error = waiter.run(blmove()).expect_err("the keys are on different nodes");
    assert!(error.to_string().contains("TRYAGAIN"), "{error}");
    slot.send(TAKEN_KEY);
    assert_eq!(waiter.ok(blmove()), Some(3));
    assert_eq!(waiter.ok(JOBS.brpop(LONG)), Some(4));
    // The other node blocks until there is an item.
    let found = waiter.meanwhile(JOBS.blpop(LONG), &mut con, |con| _ = con.ok(JOBS.rpush(&5)));
    assert_eq!(found.expect("the pop succeeds"), Some(5));
    slot.finish(&cluster);
    assert_eq!(con.ok(TAKEN.lrange(0..9)), [0, 1, 3]);
    con.assert_all_expire();
}

#[test]
fn a_wait_continues_on_the_new_node_of_a_moved_slot() {
    let cluster = shared_cluster();
    let mut con = Con::async_cluster(&cluster, ProtocolVersion::RESP2);
    let node = cluster.primary_of(JOBS_KEY).expect("the cluster is whole");
    let mut waiter = Waiter::asynchronous(&node.url());
    let blmove = JOBS.blmove(&TAKEN, ListEnd::Left, ListEnd::Right, LONG);
    let found = waiter.meanwhile(blmove, &mut con, |con| {
        MovingSlot::open(&cluster, JOBS_KEY).finish(&cluster);
        con.ok(JOBS.rpush(&7));
    });
    assert_eq!(found.expect("the move succeeds"), Some(7));
    assert_eq!(con.ok(TAKEN.lrange(0..9)), [7]);
    con.assert_left(TAKEN_KEY, 2 * HOUR);
}

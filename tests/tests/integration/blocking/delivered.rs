//! Entries that a group delivers are not lost.

use std::time::{Duration, Instant};

use redis::ProtocolVersion;
use redis_keys::prelude::*;
use redis_keys::testing::Server;
use redis_keys::types::stream::EntryId;
use redis_keys::{BlockingConnection, ErrorKind, SendStatus};
use redis_keys_tests::{Con, MovingSlot, seed, shared_cluster, wait_until};

use super::keys::{HOUR, MAIL, MAIL_KEY, Mail, Touched};
use super::streams::{add, group_of, numbers, read_by};
use super::waiter::{Waiter, client, on_both, runtime, waiting};

const LONG: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_millis(20);

/// The server delivers entries to reads whose futures are dropped.
#[test]
fn entries_delivered_to_a_dropped_read_are_pending() {
    const ITEMS: u32 = 500;
    fastrand::seed(seed());
    let server = Server::start().expect("a server starts");
    let (mut con, mut waiter) = (Con::blocking(&server.url()), BlockingConnection::new(client(&server.url())));
    group_of(&mut con, &MAIL);
    let (mut found, mut dropped) = (Vec::new(), 0);
    runtime().block_on(async {
        for item in 1..=ITEMS {
            add(&mut con, &MAIL, item);
            let turns = async {
                for _ in 0..1_u32 << fastrand::u32(0..11) {
                    tokio::task::yield_now().await;
                }
            };
            tokio::select! {
                biased;
                read = read_by("a", LONG).query_async(&mut waiter) => found.extend(numbers(read.expect("the read succeeds"))),
                () = turns => dropped += 1,
            }
        }
    });
    wait_until("no client waits", || waiting(&mut con) == 0);
    println!("soak: {dropped} reads dropped");
    assert!(found.len() > 10 && dropped > 3, "{} found, {dropped} dropped", found.len());
    let readers = MAIL.group("readers");
    let rest = numbers(Some(con.ok(readers.read("b", 500))));
    let (mut pending, mut from) = (Vec::new(), Some(EntryId::MIN));
    while let Some(start) = from {
        let claimed = con.ok(readers.claim("c", Duration::ZERO, start, 500));
        pending.extend(numbers(Some(claimed.entries)));
        from = claimed.next;
    }
    pending.sort_unstable();
    assert!(found.iter().chain(&rest).all(|number| pending.contains(number)), "entries that were read are pending");
    assert_eq!(pending, (1..=ITEMS).collect::<Vec<_>>(), "every entry was delivered");
}

/// The reply is lost with the connection.
#[test]
fn entries_delivered_to_a_lost_connection_can_be_read_again() {
    on_both(|waiter, con| {
        let Waiter::Asynchronous(..) = waiter else { return };
        group_of(con, &MAIL);
        assert!(waiter.ok(read_by("a", SHORT)).is_none(), "the connection is open");
        let _: String = con.raw(&["CLIENT", "PAUSE", "1500", "ALL"]);
        let error = waiter.run(read_by("a", SHORT)).expect_err("the server is paused");
        assert_eq!((error.kind(), error.sent()), (ErrorKind::Connection, SendStatus::Maybe), "{error}");
        add(con, &MAIL, 1);
        wait_until("no client waits", || waiting(con) == 0);
        let again = con.ok(MAIL.group("readers").read_pending("a", EntryId::MIN, 9)).entries;
        let rest = waiter.ok(read_by("a", SHORT)).unwrap_or_default();
        assert_eq!(numbers(Some(again.into_iter().chain(rest).collect())), [1]);
    });
}

#[test]
fn a_dropped_read_receives_no_entries() {
    let server = Server::start().expect("a server starts");
    let (mut con, mut waiter) = (Con::blocking(&server.url()), BlockingConnection::new(client(&server.url())));
    group_of(&mut con, &MAIL);
    let runtime = runtime();
    runtime.block_on(async {
        tokio::select! {
            biased;
            _ = read_by("a", LONG).query_async(&mut waiter) => panic!("there is nothing to read"),
            () = async {
                while waiting(&mut con) == 0 {
                    tokio::task::yield_now().await;
                }
            } => {}
        }
        let started = Instant::now();
        while waiting(&mut con) > 0 {
            assert!(started.elapsed() < LONG / 2, "a client still waits");
            tokio::task::yield_now().await;
        }
    });
    add(&mut con, &MAIL, 1);
    assert_eq!(con.ok(MAIL.group("readers").pending_summary()).count, 0);
    let found = runtime.block_on(read_by("a", LONG).query_async(&mut waiter));
    assert_eq!(numbers(found.expect("the read succeeds")), [1]);
}

#[test]
fn a_blocking_read_goes_to_the_node_of_its_key() {
    let cluster = shared_cluster();
    let mut con = Con::blocking_cluster(&cluster, ProtocolVersion::RESP2);
    let mut waiter = Waiter::asynchronous(cluster.urls().first().expect("the cluster has nodes"));
    for number in 0..12 {
        let (mail, touched) = (Mail { id: number }, Touched { id: number });
        assert!(waiter.ok(mail.xread_block(EntryId::MIN, 9, SHORT)).is_none());
        add(&mut con, &mail, 1);
        assert_eq!(numbers(waiter.ok(mail.xread_block(EntryId::MIN, 9, LONG))), [1]);
        group_of(&mut con, &touched);
        let read = touched.group("readers").read_block("a", 9, LONG);
        let found = waiter.meanwhile(read, &mut con, |con| add(con, &touched, 2));
        assert_eq!(numbers(found.expect("the read succeeds")), [2]);
        con.assert_left(&format!("wait:{{{number}}}:touched:stream"), HOUR);
    }
    con.assert_all_expire();
}

#[test]
fn a_blocking_read_survives_a_moved_slot() {
    let cluster = shared_cluster();
    let mut con = Con::async_cluster(&cluster, ProtocolVersion::RESP2);
    let node = cluster.primary_of(MAIL_KEY).expect("the cluster is whole");
    let mut waiter = Waiter::asynchronous(&node.url());
    group_of(&mut con, &MAIL);
    let found = waiter.meanwhile(read_by("a", LONG), &mut con, |con| {
        let mut slot = MovingSlot::open(&cluster, MAIL_KEY);
        slot.send(MAIL_KEY);
        slot.finish(&cluster);
        add(con, &MAIL, 7);
    });
    match found {
        Ok(found) => assert_eq!(numbers(found), [7]),
        // The node may end the wait when it loses the slot.
        Err(error) => {
            assert!(error.to_string().contains("the key was deleted during the wait"), "{error}");
            assert_eq!(numbers(waiter.ok(read_by("a", LONG))), [7]);
        }
    }
}

//! Channels and subscribers, on real servers.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use redis::Client;
use redis_keys::prelude::*;
use redis_keys::subscriber::{ChannelEvent, Subscriber};
use redis_keys::testing::{Cluster, Server};
use redis_keys::{ConnectOptions, ErrorKind, SendStatus, cluster};
use redis_keys_tests::{move_slots, seed, until};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

/// The changes of the orders of a shop.
#[derive(RedisKey, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[redis_key(order:changes:{shop}:channel, value = u64, max_bytes = 1MB)]
struct Changes {
    shop: u32,
}

/// The same channels, from a program that publishes something else.
#[derive(RedisKey)]
#[redis_key(order:changes:{shop}:channel, value = String, max_bytes = 1MB, allow(overlap, reason = "another program"))]
struct Texts {
    shop: u32,
}

const SHOP: Changes = Changes { shop: 7 };

/// The next item, which must be received in time.
async fn next(changes: &mut Subscriber<Changes>) -> ChannelEvent<Changes, u64> {
    let received = tokio::time::timeout(Duration::from_secs(60), changes.next()).await;
    received.expect("something is received in time").expect("the runtime runs")
}

async fn message(changes: &mut Subscriber<Changes>) -> (Changes, u64) {
    match next(changes).await {
        ChannelEvent::Message(channel, number) => (channel, number),
        other => panic!("expected a message, found {other:?}"),
    }
}

fn client(url: &str) -> Client {
    Client::open(url).expect("the address is valid")
}

#[tokio::test]
async fn messages_are_received_with_their_channels() {
    let server = Server::start().expect("a server starts");
    let mut con = redis_keys::connect(server.url()).expect("the address is valid");
    let channels = [1, 2, 1].map(|shop| Changes { shop });
    let mut changes = Subscriber::connect(&con, channels).await.expect("the server replies");
    for number in 0..100_u32 {
        let channel = Changes { shop: 1 + number % 2 };
        let count = channel.publish(&number.into()).query_async(&mut con).await;
        assert_eq!(count.expect("the server replies"), 1, "one subscriber, also of a channel that is given twice");
    }
    assert_eq!(SHOP.publish(&1).query_async(&mut con).await.expect("the server replies"), 0);
    for number in 0..100_u32 {
        assert_eq!(message(&mut changes).await, (Changes { shop: 1 + number % 2 }, number.into()));
    }
    drop(changes);
    let published = async || channels[0].publish(&1).query_async(&mut con.clone()).await.expect("the server replies");
    while published().await > 0 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn undecodable_messages_are_items() {
    let server = Server::start().expect("a server starts");
    let mut con = redis_keys::connect(server.url()).expect("the address is valid");
    let mut changes = Subscriber::connect(&client(&server.url()), [SHOP]).await.expect("the server replies");
    Texts { shop: 7 }.publish("hunter2").query_async(&mut con).await.expect("the server replies");
    SHOP.publish(&1).query_async(&mut con).await.expect("the server replies");
    let ChannelEvent::Undecodable(SHOP, error) = next(&mut changes).await else { panic!("it is no number") };
    assert_eq!((error.kind(), error.sent()), (ErrorKind::Decode, SendStatus::Yes));
    let text = format!("{error} {error:?} {changes:?}");
    assert!(text.contains("order:changes:7:channel") && !text.contains("hunter2"), "{text}");
    assert_eq!(message(&mut changes).await, (SHOP, 1));
}

#[tokio::test]
async fn connections_have_fifty_channels_each() {
    let server = Server::start().expect("a server starts");
    let mut con = redis_keys::connect(server.url()).expect("the address is valid");
    let channels = (0..120).map(|shop| Changes { shop });
    let mut changes = Subscriber::connect(&con, channels).await.expect("the server replies");
    let list: String = redis::cmd("CLIENT").arg("LIST").query(&mut client(&server.url())).expect("the server replies");
    let mut counts: Vec<_> = [" sub=50 ", " sub=20 "].map(|count| list.matches(count).count()).into();
    assert_eq!(counts, [2, 1], "{list}");
    for shop in 0..120 {
        Changes { shop }.publish(&u64::from(shop)).query_async(&mut con).await.expect("the server replies");
    }
    let mut found = HashMap::new();
    for _ in 0..120 {
        found.extend([message(&mut changes).await]);
    }
    counts.clear();
    assert!(found.len() == 120 && found.iter().all(|(channel, number)| u64::from(channel.shop) == *number));
}

#[tokio::test]
async fn a_slow_reader_is_told_how_many_messages_it_has_lost() {
    let server = Server::start().expect("a server starts");
    let mut con = redis_keys::connect(server.url()).expect("the address is valid");
    let mut changes = Subscriber::connect(&con, [SHOP]).await.expect("the server replies");
    batch_iter((0..1_500).map(|number| SHOP.publish(&number))).query_async(&mut con).await.expect("the server replies");
    // The messages are received by another task, in this order.
    let (mut numbers, mut dropped) = (Vec::new(), 0);
    while dropped + numbers.len() < 1_500 {
        match next(&mut changes).await {
            ChannelEvent::Message(SHOP, number) => numbers.push(number),
            ChannelEvent::Dropped(count) => dropped += usize::try_from(count).expect("it is small"),
            other => panic!("{other:?}"),
        }
        if numbers.len() == 1 {
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
    }
    assert!(numbers.is_sorted() && dropped > 0 && numbers.len() >= 1_000, "{dropped} dropped");
    SHOP.publish(&9_999).query_async(&mut con).await.expect("the server replies");
    assert_eq!(message(&mut changes).await, (SHOP, 9_999));
}

#[tokio::test]
async fn after_a_restart_messages_may_be_missing() {
    let server = Server::start().expect("a server starts");
    let port = server.port();
    let mut con = redis_keys::connect(server.url()).expect("the address is valid");
    let mut changes = Subscriber::connect(&con, [SHOP, Changes { shop: 8 }]).await.expect("the server replies");
    SHOP.publish(&1).query_async(&mut con).await.expect("the server replies");
    assert_eq!(message(&mut changes).await, (SHOP, 1));
    drop(server);
    let _server = Server::start_on(port).expect("it starts again");
    let ChannelEvent::Gap(channels) = next(&mut changes).await else { panic!("the connection was lost") };
    assert_eq!(channels, [SHOP, Changes { shop: 8 }]);
    // They are subscribed to when the gap is said.
    assert_eq!(SHOP.publish(&2).query_async(&mut con).await.expect("the server replies"), 1);
    assert_eq!(message(&mut changes).await, (SHOP, 2));
}

#[tokio::test]
async fn a_killed_connection_is_opened_again() {
    let server = Server::start().expect("a server starts");
    let mut con = redis_keys::connect(server.url()).expect("the address is valid");
    let mut changes = Subscriber::connect(&con, [SHOP]).await.expect("the server replies");
    for number in 0..5 {
        let killed: u64 = redis::cmd("CLIENT")
            .arg(&["KILL", "TYPE", "pubsub"])
            .query(&mut client(&server.url()))
            .expect("the server replies");
        assert_eq!(killed, 1);
        assert!(matches!(next(&mut changes).await, ChannelEvent::Gap(channels) if channels == [SHOP]));
        SHOP.publish(&number).query_async(&mut con).await.expect("the server replies");
        assert_eq!(message(&mut changes).await, (SHOP, number));
    }
}

#[tokio::test]
async fn a_server_that_is_away_and_a_missing_right_are_errors() {
    let server = Server::start().expect("a server starts");
    let mut admin = client(&server.url());
    let rules = ["SETUSER", "ada", "on", "nopass", "resetchannels", "&other:*", "+@all", "~*"];
    redis::cmd("ACL").arg(&rules).exec(&mut admin).expect("the server replies");
    let url = format!("redis://ada:x@127.0.0.1:{}/", server.port());
    let error = Subscriber::connect(client(&url), [SHOP]).await.expect_err("the channel is not allowed");
    assert_eq!(error.kind(), ErrorKind::Server, "{error}");
    drop(server);
    let error = Subscriber::connect(client(&url), [SHOP]).await.expect_err("nobody listens");
    assert_eq!(error.kind(), ErrorKind::Connection, "{error}");
}

/// A cluster, unless the server is so old that its clusters have no sharded channels.
async fn cluster_with_channels(replicas: u8) -> Option<(Cluster, cluster::Connection)> {
    let cluster = Cluster::start_with_replicas(replicas).expect("a cluster starts");
    let clients: Vec<_> = cluster.urls().iter().map(|url| client(url)).collect();
    let mut con = cluster::connect_with(&clients, ConnectOptions::new()).expect("the addresses are valid");
    let info: String = redis::cmd("INFO").arg("server").query(&mut client(&cluster.urls()[0])).expect("it replies");
    if !info.contains("redis_version:6.") {
        return Some((cluster, con));
    }
    let subscribed = Subscriber::connect(&con, [SHOP]).await.expect_err("it is too old");
    let published = SHOP.publish(&1).query_async(&mut con).await.expect_err("it is too old");
    for error in [subscribed, published] {
        assert!(error.to_string().contains("PUBLISH"), "{error}");
    }
    None
}

#[tokio::test(flavor = "multi_thread")]
async fn on_a_cluster_every_publisher_is_heard_once() {
    let Some((cluster, mut con)) = cluster_with_channels(0).await else { return };
    let channels = || (0..120).map(|shop| Changes { shop });
    let mut changes = Subscriber::connect(&con, channels()).await.expect("the cluster replies");
    let urls = cluster.urls();
    let mut redis_rs = redis::cluster::ClusterClient::new(urls.clone())
        .expect("the addresses are valid")
        .get_async_connection()
        .await
        .expect("the cluster replies");
    let synchronous = urls.clone();
    let (sender, sent) = mpsc::channel();
    for shop in 0..120 {
        let channel = Changes { shop };
        channel.publish(&0).query_async(&mut con).await.expect("the cluster replies");
        batch((channel.publish(&1), channel.publish(&2))).query_async(&mut con).await.expect("the cluster replies");
        channel.publish(&3).query_async(&mut redis_rs).await.expect("the cluster replies");
        batch([channel.publish(&4)]).query_async(&mut redis_rs).await.expect("the cluster replies");
        sender.send(channel).expect("the thread runs");
    }
    drop(sender);
    thread::spawn(move || {
        let mut con = redis::cluster::ClusterClient::new(synchronous.clone())
            .expect("the addresses are valid")
            .get_connection()
            .expect("the cluster replies");
        let mut node = client(&synchronous[0]);
        for channel in sent {
            channel.publish(&5).query(&mut con).expect("the cluster replies");
            batch([channel.publish(&6)]).query(&mut con).expect("the cluster replies");
            channel.publish(&7).query(&mut node).expect("the node replies");
        }
    })
    .join()
    .expect("the thread ends");
    let mut found: HashMap<_, Vec<_>> = HashMap::new();
    for _ in 0..120 * 8 {
        let (channel, number) = message(&mut changes).await;
        found.entry(channel).or_default().push(number);
    }
    for numbers in found.values_mut() {
        numbers.sort_unstable();
    }
    assert!(channels().all(|channel| found[&channel] == [0, 1, 2, 3, 4, 5, 6, 7]), "{found:?}");
    let error = Subscriber::connect(client(&urls[0]), [SHOP]).await.expect_err("it is a node of a cluster");
    assert_eq!((error.kind(), error.sent()), (ErrorKind::Unsupported, SendStatus::No));
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_missing_without_a_word_while_slots_move() {
    let Some((cluster, con)) = cluster_with_channels(0).await else { return };
    let channels: Vec<_> = (0..12).map(|shop| Changes { shop }).collect();
    let mut changes = Subscriber::connect(&con, channels.clone()).await.expect("the cluster replies");
    let keys: Vec<_> = channels.iter().map(|channel| channel.channel().expect("it is valid").to_string()).collect();
    let (stop, stopped) = mpsc::channel::<()>();
    let moving = thread::spawn(move || {
        move_slots(cluster, &keys, seed(), || stopped.try_recv() == Err(mpsc::TryRecvError::Empty))
    });
    let is_over = Arc::new(AtomicBool::new(false));
    let publishing = tokio::spawn({
        let (con, channels, is_over) = (con.clone(), channels.clone(), Arc::clone(&is_over));
        async move {
            let mut number = 1;
            while !is_over.load(Ordering::Relaxed) {
                let publish = channels.iter().map(|channel| channel.publish(&number));
                // Slots that move without a pause can keep a batch from its node for longer than it waits. Its
                // messages are sent again then, and some of them are heard twice.
                match batch_iter(publish).run(&con).await {
                    Ok(_) => number += 1,
                    Err(error) => println!("{number} is sent again: {error}"),
                }
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            number
        }
    });
    // The number of messages of each channel, and whether some may be missing behind them.
    let mut last: HashMap<_, (u64, bool)> = channels.iter().map(|channel| (*channel, (0, false))).collect();
    let (mut gaps, mut messages) = (0, 0_u64);
    while gaps < 6 || messages < 500 {
        match next(&mut changes).await {
            ChannelEvent::Message(channel, number) => {
                let (before, may_miss) = last[&channel];
                if number != before {
                    assert!(
                        number == before + 1 || may_miss && number > before,
                        "{channel:?}: {number} after {before}"
                    );
                    last.insert(channel, (number, false));
                    messages += 1;
                }
            }
            ChannelEvent::Gap(channels) => {
                gaps += 1;
                for channel in &channels {
                    last.get_mut(channel).expect("it is known").1 = true;
                }
            }
            other => panic!("{other:?}"),
        }
    }
    is_over.store(true, Ordering::Relaxed);
    let published = publishing.await.expect("the task ends");
    // Each channel is heard again.
    for channel in channels {
        // The one that follows a move at this moment may be missing.
        let publishing = tokio::spawn({
            let con = con.clone();
            async move {
                loop {
                    let _ = channel.publish(&(published + 1)).run(&con).await;
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
            }
        });
        let is_newer = |found, number| found == channel && number > published;
        while !matches!(next(&mut changes).await, ChannelEvent::Message(found, number) if is_newer(found, number)) {}
        publishing.abort();
    }
    drop(stop);
    let moves = moving.join().expect("the slots move");
    println!("{moves} moves, {gaps} gaps, {messages} of {published} messages on each of 12 channels");
    assert!(moves > 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn after_the_death_of_a_primary_the_next_one_is_heard() {
    let Some((mut cluster, mut con)) = cluster_with_channels(1).await else { return };
    let mut changes = Subscriber::connect(&con, [SHOP]).await.expect("the cluster replies");
    let primary = cluster.primary_of(&SHOP.channel().expect("it is valid")).expect("the cluster replies");
    cluster.kill(primary.port()).expect("it is killed");
    SHOP.publish(&1).query_async(&mut con).await.expect("the next primary replies");
    loop {
        match next(&mut changes).await {
            ChannelEvent::Gap(_) => break,
            ChannelEvent::Message(SHOP, 1) => {}
            other => panic!("{other:?}"),
        }
    }
    SHOP.publish(&2).query_async(&mut con).await.expect("the next primary replies");
    while message(&mut changes).await != (SHOP, 2) {}
}

/// A subscriber that hears only its connection is asked for signs of life all the same.
async fn is_quiet(changes: &mut Subscriber<Changes>, time: Duration) -> bool {
    tokio::time::timeout(time, changes.next()).await.is_err()
}

fn acl(url: &str, rules: &[&str]) {
    redis::cmd("ACL").arg("SETUSER").arg("ada").arg(rules).exec(&mut client(url)).expect("the server replies");
}

#[tokio::test]
async fn a_user_needs_no_other_right_than_to_subscribe() {
    let server = Server::start().expect("a server starts");
    acl(&server.url(), &["on", "nopass", "resetchannels", "&order:*", "-@all", "+subscribe"]);
    let url = format!("redis://ada:x@127.0.0.1:{}/", server.port());
    let mut changes = Subscriber::connect(client(&url), [SHOP]).await.expect("it may subscribe");
    assert!(is_quiet(&mut changes, Duration::from_secs(7)).await, "a sign of life takes five seconds");
    SHOP.publish(&1).query(&mut client(&server.url())).expect("the server replies");
    assert_eq!(message(&mut changes).await, (SHOP, 1));
}

#[tokio::test]
async fn a_server_that_becomes_a_replica_is_a_gap() {
    let [first, second] = [(); 2].map(|()| Server::start().expect("a server starts"));
    let mut changes = Subscriber::connect(client(&first.url()), [SHOP]).await.expect("the server replies");
    redis::cmd("REPLICAOF")
        .arg("127.0.0.1")
        .arg(second.port())
        .exec(&mut client(&first.url()))
        .expect("the server replies");
    assert!(matches!(next(&mut changes).await, ChannelEvent::Gap(channels) if channels == [SHOP]));
    // It stays subscribed to the replica, whose clients get the messages of the primary.
    let mut number = 0;
    loop {
        number += 1;
        SHOP.publish(&number).query(&mut client(&second.url())).expect("the server replies");
        if !is_quiet(&mut changes, Duration::from_millis(100)).await {
            break;
        }
    }
}

/// Forwards connections to a server. Once `is_frozen` is set, all bytes of the first one are dropped.
async fn forward(server: u16, is_frozen: Arc<AtomicBool>) -> u16 {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
    let port = listener.local_addr().expect("it has an address").port();
    tokio::spawn(async move {
        let mut is_first = true;
        while let Ok((from, _)) = listener.accept().await {
            let to = tokio::net::TcpStream::connect(("127.0.0.1", server)).await.expect("the server runs");
            let ((from_reader, from_writer), (to_reader, to_writer)) = (from.into_split(), to.into_split());
            for (mut reader, mut writer) in [(from_reader, to_writer), (to_reader, from_writer)] {
                let is_frozen = is_first.then(|| Arc::clone(&is_frozen));
                tokio::spawn(async move {
                    let mut bytes = vec![0; 65_536];
                    while let Ok(count @ 1..) = reader.read(&mut bytes).await {
                        let is_forgotten = is_frozen.as_ref().is_some_and(|is_frozen| is_frozen.load(Ordering::SeqCst));
                        if !is_forgotten && writer.write_all(&bytes[..count]).await.is_err() {
                            break;
                        }
                    }
                });
            }
            is_first = false;
        }
    });
    port
}

#[tokio::test]
async fn a_connection_that_falls_silent_is_noticed_while_another_channel_is_denied() {
    let server = Server::start().expect("a server starts");
    acl(&server.url(), &["on", "nopass", "resetchannels", "&order:*", "+@all"]);
    let is_frozen = Arc::new(AtomicBool::new(false));
    let port = forward(server.port(), Arc::clone(&is_frozen)).await;
    let channels = (0..51).map(|shop| Changes { shop });
    let url = format!("redis://ada:x@127.0.0.1:{port}/");
    let mut changes = Subscriber::connect(client(&url), channels).await.expect("the server replies");
    let allowed: Vec<_> = (0..50).map(|shop| format!("&order:changes:{shop}:channel")).collect();
    let rules: Vec<_> = ["resetchannels"].into_iter().chain(allowed.iter().map(String::as_str)).collect();
    // The server closes the connection with the channel that is denied.
    acl(&server.url(), &rules);
    is_frozen.store(true, Ordering::SeqCst);
    SHOP.publish(&1).query(&mut client(&server.url())).expect("the server replies");
    while !matches!(next(&mut changes).await, ChannelEvent::Gap(channels) if channels.contains(&SHOP)) {}
}

#[tokio::test]
async fn connections_that_end_at_once_are_not_opened_without_a_pause() {
    let server = Server::start().expect("a server starts");
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
    let url = format!("redis://127.0.0.1:{}/", listener.local_addr().expect("it has an address").port());
    let count = Arc::new(AtomicU64::new(0));
    tokio::spawn({
        let (count, port) = (Arc::clone(&count), server.port());
        async move {
            while let Ok((mut from, _)) = listener.accept().await {
                count.fetch_add(1, Ordering::SeqCst);
                tokio::spawn(async move {
                    let mut to = tokio::net::TcpStream::connect(("127.0.0.1", port)).await.expect("the server runs");
                    let copied = tokio::io::copy_bidirectional(&mut from, &mut to);
                    _ = tokio::time::timeout(Duration::from_millis(200), copied).await;
                });
            }
        }
    });
    let mut changes = Subscriber::connect(client(&url), [SHOP]).await.expect("the server replies");
    let until = Instant::now() + Duration::from_secs(5);
    while let Some(left) = until.checked_duration_since(Instant::now()) {
        _ = tokio::time::timeout(left, changes.next()).await;
    }
    // Twenty-five without a pause.
    assert!((2..15).contains(&count.load(Ordering::SeqCst)), "{count:?}");
}

#[test]
fn the_stream_ends_with_its_runtime() {
    let server = Server::start().expect("a server starts");
    let runtime = || tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let first = runtime();
    let mut changes = first.block_on(Subscriber::connect(client(&server.url()), [SHOP])).expect("the server replies");
    drop(first);
    let ended = runtime().block_on(async { tokio::time::timeout(Duration::from_secs(60), changes.next()).await });
    assert!(matches!(ended, Ok(None)), "{ended:?}");
}

/// A cluster whose primary of [`SHOP`] was replaced, and a connection that does not know it.
async fn out_of_date(kills: bool) -> Option<(Cluster, cluster::Connection)> {
    let (mut cluster, con) = cluster_with_channels(1).await?;
    let channel = SHOP.channel().expect("it is valid");
    let primary = cluster.primary_of(&channel).expect("the cluster replies").port();
    if kills {
        cluster.kill(primary).expect("it is killed");
    } else {
        let node = |port: u16| client(&format!("redis://127.0.0.1:{port}/"));
        let id: String = redis::cmd("CLUSTER").arg("MYID").query(&mut node(primary)).expect("it replies");
        let nodes: String = redis::cmd("CLUSTER").arg("NODES").query(&mut node(primary)).expect("it replies");
        let replica = nodes.lines().find(|line| line.split(' ').nth(3) == Some(&id)).expect("it has a replica");
        let address = replica.split([' ', '@']).nth(1).expect("an address");
        let port = address.rsplit(':').next().and_then(|port| port.parse().ok()).expect("a port");
        redis::cmd("CLUSTER").arg("FAILOVER").exec(&mut node(port)).expect("it replies");
        loop {
            let role: redis::Value = redis::cmd("ROLE").query(&mut node(primary)).expect("it replies");
            if format!("{role:?}").contains("slave") {
                break;
            }
        }
    }
    Some((cluster, con))
}

#[tokio::test(flavor = "multi_thread")]
async fn the_node_that_serves_a_channel_now_is_found() {
    for kills in [false, true] {
        let Some((cluster, mut con)) = out_of_date(kills).await else { return };
        let mut changes = Subscriber::connect(&con, [SHOP]).await.expect("the next primary replies");
        let channel = SHOP.channel().expect("it is valid");
        // The nodes may change once more, while they agree on the new primary.
        until("it is subscribed to the primary", || {
            let primary = cluster.primary_of(&channel).expect("the cluster replies");
            let list = ["LIST", "TYPE", "pubsub"];
            let clients: redis::RedisResult<String> =
                redis::cmd("CLIENT").arg(&list).query(&mut client(&primary.url()));
            clients.is_ok_and(|clients| clients.lines().count() == 1)
        })
        .await;
        let started = Instant::now();
        loop {
            // A node that is slow to reply may be replaced again, and what is published meanwhile is lost.
            _ = SHOP.publish(&1).query_async(&mut con).await;
            match tokio::time::timeout(Duration::from_millis(200), changes.next()).await {
                Ok(Some(ChannelEvent::Message(channel, number))) => break assert_eq!((channel, number), (SHOP, 1)),
                Ok(Some(ChannelEvent::Gap(_))) | Err(_) => {}
                Ok(other) => panic!("expected a message, found {other:?}"),
            }
            assert!(started.elapsed() < Duration::from_secs(60), "nothing is received");
        }
    }
}

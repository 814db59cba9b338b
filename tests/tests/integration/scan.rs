//! Scans of all keys of a declaration.

mod moved;

use std::collections::BTreeSet;

use redis::cluster::ClusterClient;
use redis::cluster_read_routing::RandomReplicaStrategy;
use redis::{Client, ProtocolVersion};
use redis_keys::ErrorKind;
use redis_keys::prelude::*;
use redis_keys::scan::KeyScan;
use redis_keys::testing::{self, Cluster};
use redis_keys_tests::{Con, everywhere, fail_over, on_every_connection, shared_cluster};

const KEYS: u32 = 2_000;

/// The keys to be found.
#[derive(RedisKey)]
#[redis_key(scan:wanted:v.{version}:{id}:string, value = u32, ttl = 1h)]
struct WantedKey {
    id: u32,
    version: u8,
}

/// Keys of one slot.
#[derive(RedisKey)]
#[redis_key(scan:tagged:{#id}:string, value = u32, ttl = 1h)]
struct TaggedKey {
    id: u32,
}

macro_rules! kinds {
    ($($name:ident $kind:ident ($($option:tt)*) $words:expr;)*) => {
        $(
            #[derive(RedisKey)]
            #[redis_key(kind:{id}:$kind, $($option)*)]
            struct $name {
                id: u32,
            }
        )*

        /// Writes a key of each type, and another one with a value of another type under a name of that type. Only the first is
        /// found by its declaration.
        fn each_type(con: &mut Con) {
            $(
                let key = concat!("kind:1:", stringify!($kind));
                let mut words = vec![$words[0], key];
                words.extend(&$words[1..]);
                let _: redis::Value = con.raw(&words);
                let _: i64 = con.raw(&["EXPIRE", key, "60"]);
                let other = concat!("kind:2:", stringify!($kind));
                let words = if stringify!($kind) == "list" { ["SADD", other, "x"] } else { ["RPUSH", other, "x"] };
                let _: i64 = con.raw(&words);
                let _: i64 = con.raw(&["EXPIRE", other, "60"]);
            )*
            $(
                let only: Vec<u32> = found(con, $name::scan()).into_iter().map(|key| key.id).collect();
                assert_eq!(only, [1], stringify!($kind));
            )*
        }
    };
}

kinds! {
    AString string (value = String, ttl = 1h) ["SET", "x"];
    AList list (value = String, ttl = 1h) ["RPUSH", "x"];
    ASet set (value = String, ttl = 1h) ["SADD", "x"];
    AZSet zset (value = String, ttl = 1h) ["ZADD", "1", "x"];
    AHash hash (field = String, value = String, ttl = 1h) ["HSET", "x", "y"];
    ABitmap bitmap (ttl = 1h) ["SETBIT", "7", "1"];
    AHyperLogLog hyperloglog (value = String, ttl = 1h) ["PFADD", "x"];
    AGeo geo (value = String, ttl = 1h) ["GEOADD", "1", "2", "x"];
    AStream stream (value = Entry, ttl = 1h) ["XADD", "*", "name", "x"];
}

#[derive(RedisHash)]
struct Entry {
    #[allow(dead_code, reason = "the entries are written with raw commands")]
    name: String,
}

#[track_caller]
fn found<K: for<'k> ParseKey<'k> + Send>(con: &mut Con, scan: KeyScan<K>) -> Vec<K> {
    con.scan_keys(scan).unwrap_or_else(|error| panic!("{error}"))
}

/// Writes the keys, and similar ones that do not match the template.
fn fill(con: &mut Con) {
    let commands = (0..KEYS).map(|id| WantedKey { id, version: (id % 3) as u8 }.set(&id));
    con.batch(commands.collect::<Vec<_>>()).expect("the batch succeeds");
    for key in [
        "scan:wanted:v.1:007:string",
        "scan:wanted:v.256:7:string",
        "scan:wanted:v.1:7:8:string",
        "scan:wanted:v.1:x:string",
        "scan:wanted:v.1:7:string:string",
        "scan:wanted:v.1:7 :string",
        "scan:wanted:v.1:7\n:string",
        "scan:wanted:v.1:\u{e9}:string",
        "scan:wanted:1:7:string",
        "other:scan:wanted:v.1:7:string",
    ] {
        let _: String = con.raw(&["SET", key, "x", "PX", "60000"]);
    }
    // A list where a string is declared.
    let list = format!("scan:wanted:v.1:{KEYS}:string");
    let _: i64 = con.raw(&["RPUSH", &list, "x"]);
    let _: i64 = con.raw(&["EXPIRE", &list, "60"]);
}

fn wanted() -> Vec<(u32, u8)> {
    (0..KEYS).map(|id| (id, (id % 3) as u8)).collect()
}

/// Returns the distinct keys that a scan finds, sorted.
#[track_caller]
fn ids(con: &mut Con, scan: KeyScan<WantedKey>) -> Vec<(u32, u8)> {
    let found: BTreeSet<_> = found(con, scan).into_iter().map(|key| (key.id, key.version)).collect();
    found.into_iter().collect()
}

#[test]
fn all_keys_are_found_and_no_others() {
    everywhere(|con| {
        assert!(found(con, WantedKey::scan()).is_empty());
        fill(con);
        assert_eq!(ids(con, WantedKey::scan()), wanted());
        assert_eq!(ids(con, WantedKey::scan().with_count(100)), wanted());
        for id in 0..50 {
            con.ok(TaggedKey { id }.set(&id));
        }
        let tagged: BTreeSet<u32> = found(con, TaggedKey::scan()).into_iter().map(|key| key.id).collect();
        assert_eq!(tagged, (0..50).collect());
    });
}

#[test]
fn each_type_is_found_by_its_own_declaration() {
    on_every_connection(each_type);
}

#[test]
fn own_keys_restrict_a_scan() {
    everywhere(|con| {
        con.ok(WantedKey { id: 1, version: 1 }.set(&1));
        let keys = testing::own_keys();
        con.ok(WantedKey { id: 2, version: 2 }.set(&2));
        assert_eq!(ids(con, WantedKey::scan()), [(2, 2)]);
        drop(keys);
        assert_eq!(ids(con, WantedKey::scan()), [(1, 1)]);
    });
}

#[test]
fn a_connection_to_one_node_of_a_cluster_cannot_scan() {
    let cluster = shared_cluster();
    for connect in [Con::blocking, Con::multiplexed, Con::manager] {
        let mut con = connect(&cluster.urls()[0]);
        let error = con.scan_keys(WantedKey::scan()).err().expect("the scan would miss keys");
        assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
    }
}

fn on_each(cluster: &Cluster, test: impl Fn(&mut Con)) {
    for connect in [Con::blocking_cluster, Con::async_cluster, Con::nodes] {
        test(&mut connect(cluster, ProtocolVersion::RESP3));
    }
}

/// Replicas have copies of the keys, which must neither be returned again nor replace those of the primaries.
#[test]
fn replicas_are_not_scanned() {
    let cluster = Cluster::start_with_replicas(1).expect("a cluster starts");
    let mut con = Con::async_cluster(&cluster, ProtocolVersion::RESP3);
    fill(&mut con);
    on_each(&cluster, |con| {
        // Without a migrating slot no key is returned twice.
        let mut keys: Vec<_> = found(con, WantedKey::scan()).into_iter().map(|key| (key.id, key.version)).collect();
        keys.sort_unstable();
        assert_eq!(keys, wanted());
    });
    let client = ClusterClient::builder(cluster.urls())
        .read_routing_strategy(RandomReplicaStrategy)
        .build()
        .expect("the addresses are valid");
    let mut reading = client.get_connection().expect("the cluster replies");
    assert_eq!(WantedKey::scan().iter(&mut reading).flatten().count(), KEYS as usize);
    // The connections do not know the new primary yet.
    let mut asynchronous = Con::async_cluster(&cluster, ProtocolVersion::RESP3);
    let mut blocking = Con::blocking_cluster(&cluster, ProtocolVersion::RESP3);
    fail_over(&cluster, "scan", None);
    assert_eq!(ids(&mut asynchronous, WantedKey::scan()), wanted());
    assert_eq!(ids(&mut blocking, WantedKey::scan()), wanted());
}

/// A scan of the remaining nodes would look complete.
#[test]
fn a_lost_primary_is_an_error() {
    let mut cluster = Cluster::start().expect("a cluster starts");
    fill(&mut Con::async_cluster(&cluster, ProtocolVersion::RESP3));
    let mut cons = [Con::blocking_cluster, Con::async_cluster, Con::nodes]
        .map(|connect| connect(&cluster, ProtocolVersion::RESP3));
    let gone = cluster.primary_of("scan").expect("the cluster is whole");
    cluster.kill(gone.port()).expect("the node exists");
    for con in &mut cons {
        let error = con.scan_keys(WantedKey::scan()).err().expect("a primary is gone");
        assert_ne!(error.sent(), redis_keys::SendStatus::No, "{error}");
    }
}

/// Pages are read while another client writes.
#[test]
fn stable_keys_are_found_while_others_change() {
    everywhere(|con| {
        fill(con);
        let mut other = con.new_connection();
        let mut found = BTreeSet::new();
        let mut number = KEYS + 1;
        con.each_key(WantedKey::scan().with_count(50), |key| {
            found.insert(key.id);
            let changing = WantedKey { id: number, version: 1 };
            number += 1;
            drop(other.run(changing.set(&1)));
            drop(other.run(changing.unlink()));
        });
        assert!((0..KEYS).all(|id| found.contains(&id)));
    });
}

#[cfg(not(redis_rs_2))]
#[test]
fn a_deadpool_guard_can_scan() {
    let cluster = shared_cluster();
    fill(&mut Con::async_cluster(&cluster, ProtocolVersion::RESP3));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime starts");
    runtime.block_on(async {
        use futures_util::TryStreamExt as _;
        let pool = deadpool_redis::cluster::Config::from_urls(cluster.urls());
        let pool = pool.create_pool(Some(deadpool_redis::Runtime::Tokio1)).expect("the addresses are valid");
        let guard = pool.get().await.expect("the cluster replies");
        let keys: Vec<WantedKey> = WantedKey::scan().stream(&*guard).try_collect().await.expect("the cluster replies");
        assert_eq!(keys.len(), KEYS as usize);
    });
}

#[test]
fn an_r2d2_guard_can_scan() {
    let cluster = shared_cluster();
    fill(&mut Con::async_cluster(&cluster, ProtocolVersion::RESP3));
    let pool = r2d2::Pool::new(ClusterClient::new(cluster.urls()).expect("the addresses are valid"))
        .expect("the server replies");
    let mut guard = pool.get().expect("the server replies");
    let error = WantedKey::scan()
        .iter(&mut guard)
        .next()
        .and_then(Result::err)
        .expect("the guard hides a connection to a cluster");
    assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
    assert_eq!(WantedKey::scan().iter(&mut *guard).flatten().count(), KEYS as usize);
    let server = testing::Server::start().expect("a server starts");
    let pool = r2d2::Pool::new(Client::open(server.url()).expect("the address is valid")).expect("the server replies");
    let mut guard = pool.get().expect("the server replies");
    WantedKey { id: 1, version: 1 }.set(&1).query(&mut guard).expect("the server replies");
    assert_eq!(WantedKey::scan().iter(&mut guard).flatten().count(), 1);
}

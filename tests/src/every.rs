//! Runs a test on every kind of connection.

use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use redis::ProtocolVersion;
use redis_keys::testing::{Cluster, Server};

use crate::Con;
use crate::user::with_user;

const PROTOCOLS: [(&str, ProtocolVersion); 2] = [("resp2", ProtocolVersion::RESP2), ("resp3", ProtocolVersion::RESP3)];

/// Runs a test on a blocking connection, a multiplexed one and this crate's, with RESP2 and RESP3, each time in
/// an empty database of a private server. Afterwards no key may be without an expiry.
pub fn on_every_connection(test: impl Fn(&mut Con)) {
    let server = Server::start().expect("a server starts");
    let url = with_user(&server.url());
    let kinds = [("blocking", Con::blocking as fn(&str) -> Con), ("multiplexed", Con::multiplexed), ("own", Con::own)];
    for (kind_index, (kind, connect)) in kinds.into_iter().enumerate() {
        for (protocol_index, (protocol, _)) in PROTOCOLS.into_iter().enumerate() {
            println!("{kind}, {protocol}");
            let database = kind_index * PROTOCOLS.len() + protocol_index;
            let mut con = connect(&format!("{url}{database}?protocol={protocol}"));
            test(&mut con);
            con.assert_all_expire();
        }
    }
}

/// Runs a test on a blocking connection to a cluster, an asynchronous one and this crate's, with RESP2 and RESP3, each
/// time without keys. Afterwards no key may be without an expiry. Tests on the cluster run one after the other.
pub fn on_a_cluster(test: impl Fn(&mut Con)) {
    let kinds = [
        ("blocking cluster", Con::blocking_cluster as fn(&Cluster, ProtocolVersion) -> Con),
        ("asynchronous cluster", Con::async_cluster),
        ("nodes of a cluster", Con::nodes),
    ];
    let cluster = lock();
    for (kind, connect) in kinds {
        for (name, protocol) in PROTOCOLS {
            println!("{kind}, {name}");
            empty(&cluster);
            let mut con = connect(&cluster, protocol);
            test(&mut con);
            con.assert_all_expire();
        }
    }
}

/// Runs a test on every kind of connection, including those to a cluster.
pub fn everywhere(test: impl Fn(&mut Con)) {
    on_every_connection(&test);
    on_a_cluster(&test);
}

/// Locks and empties the cluster of three primaries that the tests of this binary share. Each test leaves it whole.
pub fn shared_cluster() -> MutexGuard<'static, Cluster> {
    let cluster = lock();
    empty(&cluster);
    cluster
}

fn lock() -> MutexGuard<'static, Cluster> {
    static CLUSTER: LazyLock<Mutex<Cluster>> =
        LazyLock::new(|| Mutex::new(Cluster::start().expect("a cluster starts")));
    // A failed test leaves a usable cluster.
    CLUSTER.lock().unwrap_or_else(PoisonError::into_inner)
}

fn empty(cluster: &Cluster) {
    for url in cluster.urls() {
        let _: String = Con::blocking(&url).raw(&["FLUSHALL"]);
    }
}

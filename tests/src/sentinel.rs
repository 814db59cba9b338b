//! Sentinels, which tell clients where the primary is, and name another when it is gone.

use redis::{Client, FromRedisValue};
use redis_keys::testing::Server;

use crate::wait_until;

/// A sentinel, a primary that it watches, and a replica.
pub struct Sentinel {
    watcher: Server,
    primary: Option<Server>,
    replica: Server,
}

impl Sentinel {
    /// Starts all three.
    pub fn start(name: &str) -> Self {
        let [primary, replica] = [(), ()].map(|()| Server::start().expect("a server starts"));
        let port = primary.port().to_string();
        // Else the primary waits for more replicas first.
        let _: String = ask(&primary, &["CONFIG", "SET", "repl-diskless-sync-delay", "0"]);
        let _: String = ask(&replica, &["REPLICAOF", "127.0.0.1", &port]);
        let replies = |server, what: &str| ask::<String>(server, &["INFO", "replication"]).contains(what);
        wait_until("the replica is connected", || {
            replies(&replica, "master_link_status:up") && replies(&primary, "state=online")
        });

        let program = concat!(env!("CARGO_MANIFEST_DIR"), "/sentinel.sh");
        let watcher = Server::start_with(program).expect("a sentinel starts");
        let _: String = ask(&watcher, &["SENTINEL", "MONITOR", name, "127.0.0.1", &port, "1"]);
        let knows = || ask::<String>(&watcher, &["INFO", "sentinel"]).contains("slaves=1,");
        wait_until("the sentinel knows the replica", knows);
        Self { watcher, primary: Some(primary), replica }
    }

    /// What clients connect to.
    pub fn url(&self) -> String {
        self.watcher.url()
    }

    /// Kills the primary, and waits until the replica has taken its place.
    pub fn lose_primary(&mut self, name: &str) {
        // Not before, or a machine at its limits loses one that lives.
        let _: String = ask(&self.watcher, &["SENTINEL", "SET", name, "down-after-milliseconds", "500"]);
        self.primary = None;
        let line = format!("name={name},status=ok,address=127.0.0.1:{},", self.replica.port());
        let names = || ask::<String>(&self.watcher, &["INFO", "sentinel"]).contains(&line);
        wait_until("the sentinel names the replica", names);
    }
}

fn ask<T: FromRedisValue>(server: &Server, words: &[&str]) -> T {
    let con = Client::open(server.url()).and_then(|client| client.get_connection());
    match con.and_then(|mut con| redis::Cmd::new().arg(words).query(&mut con)) {
        Ok(answer) => answer,
        Err(error) => panic!("{words:?}: {error}"),
    }
}

//! A sentinel, which tells clients the address of the primary and replaces a lost primary.

use redis::{Client, FromRedisValue, RedisResult};
use redis_keys::testing::Server;

use crate::wait_until;

/// A sentinel with a primary and a replica.
pub struct Sentinel {
    watcher: Server,
    primary: Option<Server>,
    replica: Server,
}

impl Sentinel {
    /// Starts the three servers.
    pub fn start(name: &str) -> Self {
        let [primary, replica] = [(), ()].map(|()| Server::start().expect("a server starts"));
        let port = primary.port().to_string();
        // Without this, the primary first waits for more replicas.
        let _: String = ask(&primary, &["CONFIG", "SET", "repl-diskless-sync-delay", "0"]);
        let _: String = ask(&replica, &["REPLICAOF", "127.0.0.1", &port]);
        let reports = |server, state: &str| ask::<String>(server, &["INFO", "replication"]).contains(state);
        wait_until("the replica is connected", || {
            reports(&replica, "master_link_status:up") && reports(&primary, "state=online")
        });

        let program = concat!(env!("CARGO_MANIFEST_DIR"), "/sentinel.sh");
        let sentinel = Server::start_with(program).expect("a sentinel starts");
        let _: String = ask(&sentinel, &["SENTINEL", "MONITOR", name, "127.0.0.1", &port, "1"]);
        let knows = || ask::<String>(&sentinel, &["INFO", "sentinel"]).contains("slaves=1,");
        wait_until("the sentinel knows the replica", knows);
        Self { watcher: sentinel, primary: Some(primary), replica }
    }

    /// Returns the address of the sentinel.
    pub fn url(&self) -> String {
        self.watcher.url()
    }

    /// Kills the primary and waits until the replica has replaced it.
    pub fn lose_primary(&mut self, name: &str) {
        // A short timeout from the start would lose a running primary on a busy machine.
        let _: String = ask(&self.watcher, &["SENTINEL", "SET", name, "down-after-milliseconds", "500"]);
        self.primary = None;
        self.wait_for_replica(name);
    }

    /// Replaces the running primary with the replica, and waits until the two have changed their roles.
    pub fn fail_over(&self, name: &str) {
        let request = ["SENTINEL", "FAILOVER", name];
        // The sentinel refuses until it has asked the replica for its state.
        wait_until("the failover begins", || try_ask::<String>(&self.watcher, &request).is_ok());
        self.wait_for_replica(name);
        // The sentinel closes all connections when it changes the role.
        let role = |server| try_ask::<String>(server, &["INFO", "replication"]).unwrap_or_default();
        let is_demoted = || self.primary.as_ref().is_some_and(|server| role(server).contains("role:slave"));
        wait_until("the former primary is a replica", is_demoted);
    }

    /// Waits until the sentinel names the replica as primary.
    fn wait_for_replica(&self, name: &str) {
        let line = format!("name={name},status=ok,address=127.0.0.1:{},", self.replica.port());
        let names = || ask::<String>(&self.watcher, &["INFO", "sentinel"]).contains(&line);
        wait_until("the sentinel names the replica", names);
    }
}

fn ask<T: FromRedisValue>(server: &Server, words: &[&str]) -> T {
    match try_ask(server, words) {
        Ok(reply) => reply,
        Err(error) => panic!("{words:?}: {error}"),
    }
}

fn try_ask<T: FromRedisValue>(server: &Server, words: &[&str]) -> RedisResult<T> {
    let mut con = Client::open(server.url())?.get_connection()?;
    redis::Cmd::new().arg(words).query(&mut con)
}

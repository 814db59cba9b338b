//! Signals by which the processes of a test wait for each other.

use redis::{Client, Connection};

/// The time that a process waits for a signal, in seconds.
const PATIENCE: u64 = 60;

/// Signals between processes, each an element of a list on a server.
pub struct Signals {
    con: Connection,
}

impl Signals {
    /// Connects to the server through which the processes send signals.
    pub fn new(url: &str) -> Self {
        let con = Client::open(url).and_then(|client| client.get_connection()).expect("the server replies");
        Self { con }
    }

    /// Lets one process go on that waits for the signal, or will do so.
    pub fn send(&mut self, name: &str) {
        self.send_to(name, 1);
    }

    /// Lets this many processes go on.
    pub fn send_to(&mut self, name: &str, processes: usize) {
        let list = list(name);
        redis::cmd("RPUSH").arg(list).arg(vec![1; processes]).exec(&mut self.con).expect("the server replies");
    }

    /// Waits for a signal.
    #[track_caller]
    pub fn wait(&mut self, name: &str) {
        let reply: Result<Option<(String, u8)>, _> =
            redis::cmd("BLPOP").arg(list(name)).arg(PATIENCE).query(&mut self.con);
        assert!(reply.expect("the server replies").is_some(), "no signal `{name}` in {PATIENCE} s");
    }
}

fn list(name: &str) -> String {
    format!("signal:{name}")
}

//! Servers that do not answer.

use std::process::Command;

use redis_keys::testing::Server;

use crate::Con;

/// A server that does nothing until this is dropped.
pub struct StoppedServer {
    process: String,
}

impl StoppedServer {
    /// Stops a server.
    pub fn new(server: &Server) -> Self {
        Self::at(&server.url())
    }

    /// Stops the server or the node of a cluster at an address.
    pub fn at(url: &str) -> Self {
        let info = Con::blocking(url).info("server");
        let process = info.lines().find_map(|line| line.strip_prefix("process_id:"));
        let stopped = Self { process: process.expect("the server says so").trim().to_owned() };
        stopped.signal("STOP");
        stopped
    }

    fn signal(&self, name: &str) {
        let script = format!("kill -{name} {}", self.process);
        let status = Command::new("sh").args(["-c", &script]).status().expect("a shell runs");
        assert!(status.success(), "{script}");
    }
}

impl Drop for StoppedServer {
    fn drop(&mut self) {
        self.signal("CONT");
    }
}

//! A private server whose commands are counted, by MONITOR and by the metrics.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test cannot continue when it fails")]

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;

use redis_keys::testing::Server;

use crate::observe::Recorder;

pub(super) struct MonitoredServer {
    _server: Server,
    pub(super) con: redis::Connection,
    monitor: BufReader<TcpStream>,
}

/// The last command of a recording.
const END: &str = "end-of-the-recording";

impl MonitoredServer {
    pub(super) fn start() -> Self {
        let server = Server::start().unwrap();
        let con = redis::Client::open(server.url()).unwrap().get_connection().unwrap();
        let url = server.url();
        let address = url.strip_prefix("redis://").unwrap().trim_end_matches('/');
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(b"MONITOR\r\n").unwrap();
        let mut monitor = BufReader::new(stream);
        let mut started = String::new();
        monitor.read_line(&mut started).unwrap();
        assert_eq!(started, "+OK\r\n");
        Self { _server: server, con, monitor }
    }

    /// The commands of clients since the last call, without those of scripts and of setting up a connection.
    pub(super) fn lines(&mut self) -> Vec<String> {
        let _: String = redis::cmd("ECHO").arg(END).query(&mut self.con).unwrap();
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            self.monitor.read_line(&mut line).unwrap();
            let (client, command) = line.split_once("] ").unwrap();
            if command.contains(END) {
                return lines;
            }
            let is_set_up = ["\"CLIENT\"", "\"HELLO\"", "\"PING\""].iter().any(|name| command.starts_with(name));
            if !client.ends_with(" lua") && !is_set_up {
                lines.push(command.trim_end().to_owned());
            }
        }
    }
}

/// The calls that were counted since a reading of the same counters: template, accessor, outcome and number.
pub(super) fn calls_since(before: &[(String, u64)], recorder: &Recorder) -> Vec<(String, String, String, u64)> {
    let mut calls = Vec::new();
    for (series, count) in recorder.counters("redis_keys_commands_total") {
        let known = before.iter().find(|(known, _)| *known == series).map_or(0, |(_, count)| *count);
        if count > known {
            let label = |name: &str| {
                let (_, value) = series.split_once(&format!(" {name}=")).unwrap();
                value.split(' ').next().unwrap().to_owned()
            };
            calls.push((label("template"), label("command"), label("outcome"), count - known));
        }
    }
    calls
}

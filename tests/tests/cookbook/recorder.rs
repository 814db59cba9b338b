//! A private server that records the commands it executes.

use std::path::Path;
use std::{fs, mem};

use futures_util::StreamExt as _;
use redis::Client;
use redis::aio::Monitor;
use redis_keys::Connection;
use redis_keys::testing::Server;

use crate::scripts;

/// The last command of a recording.
const END: &str = "ECHO end";

pub(crate) struct Recorder {
    _server: Server,
    pub(crate) client: Client,
    monitor: Monitor,
}

impl Recorder {
    /// Starts a server, and returns a connection for the code of a page.
    pub(crate) async fn start() -> (Self, Connection) {
        let server = Server::start().unwrap();
        let client = Client::open(server.url()).unwrap();
        let con = redis_keys::connect(server.url()).unwrap();
        let monitor = client.get_async_monitor().await.unwrap();
        (Self { _server: server, client, monitor }, con)
    }

    /// Asserts that the server has executed the commands that the page shows.
    pub(crate) async fn assert_sent_as_on(&mut self, page: &str) {
        let sent = self.commands().await;
        let page = fs::read_to_string(Path::new(crate::CRATE).join(format!("docs/guide/cookbook/{page}.md"))).unwrap();
        let (_, block) = page.split_once("```text\n").expect("the page shows what is sent");
        let (block, _) = block.split_once("```\n").unwrap();
        let shown: Vec<_> = block.lines().filter(|line| !line.starts_with("# ")).collect();
        let same = sent.len() == shown.len() && sent.iter().zip(&shown).all(|(sent, shown)| matches(sent, shown));
        assert!(same, "sent:\n{}\nshown:\n{}", sent.join("\n"), shown.join("\n"));
    }

    /// The commands of clients. A script is named by its file, and a repetition with its text is left out.
    async fn commands(&mut self) -> Vec<String> {
        let mut con = self.client.get_multiplexed_async_connection().await.unwrap();
        redis::cmd("ECHO").arg("end").exec_async(&mut con).await.unwrap();
        let mut commands: Vec<String> = Vec::new();
        let mut lines = self.monitor.on_message::<String>();
        loop {
            let line = lines.next().await.expect("the server runs");
            let Some(command) = command(&line) else { continue };
            if command == END {
                return commands;
            }
            let command = scripts::with_name(&command);
            let repeats_call = command.strip_prefix("EVAL ").is_some_and(|call| {
                commands.last().and_then(|last| last.strip_prefix("EVALSHA ")).is_some_and(|last| last == call)
            });
            if !repeats_call {
                commands.push(command);
            }
        }
    }
}

/// The command in a line of MONITOR: `1763806629.123456 [0 127.0.0.1:51234] "GET" "user:name:42:string"`. `None` if a
/// script called it, or if it sets up a connection.
fn command(line: &str) -> Option<String> {
    let (client, command) = line.split_once("] ").unwrap();
    let words = words(command);
    let is_set_up = matches!(words[0].as_str(), "CLIENT" | "HELLO");
    (!client.ends_with(" lua") && !is_set_up).then(|| words.join(" "))
}

/// The words in quotes. Random bytes can have quotes and spaces in any order.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word) = (Vec::new(), None::<String>);
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match (&mut word, c) {
            (None, '"') => word = Some(String::new()),
            (None, _) => {}
            (Some(text), '"') => {
                words.push(if text.is_empty() { "\"\"".to_owned() } else { mem::take(text) });
                word = None;
            }
            (Some(text), '\\') => match chars.next().expect("an escaped character") {
                'n' => text.push('\n'),
                escaped @ ('"' | '\\') => text.push(escaped),
                other => text.extend(['\\', other]),
            },
            (Some(text), other) => text.push(other),
        }
    }
    words
}

/// Whether a command is the one that a page shows, where `…` is any text.
fn matches(sent: &str, shown: &str) -> bool {
    match shown.split_once('…') {
        Some((start, end)) => sent.strip_prefix(start).is_some_and(|rest| rest.ends_with(end)),
        None => sent == shown,
    }
}

//! A server that gives fixed replies and records the commands it receives.

use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener};
use std::thread;
use std::time::Duration;

use redis::{Client, Connection, Parser, Value};

/// The time that the calls on the page wait.
pub(crate) const WAIT: Duration = Duration::from_secs(30);

/// Runs a call, and returns what it sends in each round trip, whose commands arrive together since they are short.
pub(crate) fn record(replies: impl IntoIterator<Item = String>, call: impl FnOnce(&mut Connection)) -> Vec<Vec<u8>> {
    let mut replies = replies.into_iter().collect::<Vec<_>>().into_iter();
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let url = format!("redis://{}", listener.local_addr().unwrap());
    let server = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        stream.set_nodelay(true).unwrap();
        let (mut trips, mut buffer) = (Vec::new(), vec![0; 1 << 16]);
        loop {
            let len = stream.read(&mut buffer).unwrap();
            if len == 0 {
                return trips;
            }
            let commands = commands(&buffer[..len]);
            let is_handshake = commands[0][0] == b"CLIENT";
            for command in &commands {
                let reply = if is_handshake { Some(ok()) } else { replies.next() };
                stream.write_all(reply.unwrap_or_else(|| panic!("no reply to {command:?}")).as_bytes()).unwrap();
            }
            if !is_handshake {
                trips.push(buffer[..len].to_vec());
            }
        }
    });
    call(&mut Client::open(url).unwrap().get_connection().unwrap());
    server.join().unwrap()
}

/// The words of each command of a round trip.
pub(crate) fn commands(mut packed: &[u8]) -> Vec<Vec<Vec<u8>>> {
    let (mut commands, mut parser) = (Vec::new(), Parser::new());
    while let Ok(command @ Value::Array(_)) = parser.parse_value(&mut packed) {
        commands.push(redis::from_redis_value(command).unwrap());
    }
    commands
}

pub(crate) fn ok() -> String {
    "+OK\r\n".to_owned()
}

pub(crate) fn queued() -> String {
    "+QUEUED\r\n".to_owned()
}

pub(crate) fn nil() -> String {
    "$-1\r\n".to_owned()
}

pub(crate) fn int(number: i64) -> String {
    format!(":{number}\r\n")
}

pub(crate) fn bulk(text: &str) -> String {
    format!("${}\r\n{text}\r\n", text.len())
}

pub(crate) fn array(items: &[String]) -> String {
    format!("*{}\r\n{}", items.len(), items.concat())
}

pub(crate) fn error(text: &str) -> String {
    format!("-{text}\r\n")
}

/// A page of SCAN or of its relatives: where the next one starts, and the elements.
pub(crate) fn page(cursor: &str, elements: &[&str]) -> String {
    let elements: Vec<_> = elements.iter().map(|element| bulk(element)).collect();
    array(&[bulk(cursor), array(&elements)])
}

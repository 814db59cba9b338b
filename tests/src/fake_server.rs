//! A server with given replies, such as those that no real server sends.

use std::io::{BufReader, Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;

use fastrand::Rng;
use redis::{Parser, Value};

/// A server whose replies come from a function. It serves until the process ends.
pub struct FakeServer {
    port: u16,
}

/// Returns the bytes of the reply to a command, given its words. Without any the connection is closed.
type Reply = dyn Fn(&[Vec<u8>]) -> Vec<u8> + Send + Sync;

impl FakeServer {
    /// Starts it. The commands with which redis-rs opens a connection are answered as a real server does.
    ///
    /// # Panics
    /// If no port is free.
    pub fn start(reply: impl Fn(&[Vec<u8>]) -> Vec<u8> + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port is free");
        let port = listener.local_addr().expect("it is bound").port();
        let reply: Arc<Reply> = Arc::new(reply);
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let reply = Arc::clone(&reply);
                thread::spawn(move || serve(&stream, &*reply));
            }
        });
        Self { port }
    }

    /// Returns the address for clients.
    pub fn url(&self) -> String {
        format!("redis://127.0.0.1:{}/", self.port)
    }

    /// Its port, for the replies to CLUSTER SLOTS.
    pub fn port(&self) -> u16 {
        self.port
    }
}

/// Serves a client until it disconnects.
fn serve(stream: &TcpStream, reply: &Reply) {
    // Else the replies to a pipeline wait for each other.
    if stream.set_nodelay(true).is_err() {
        return;
    }
    let (mut commands, mut parser) = (BufReader::new(stream), Parser::new());
    while let Ok(Value::Array(words)) = parser.parse_value(&mut commands) {
        let words: Vec<Vec<u8>> = words.into_iter().filter_map(|word| redis::from_redis_value(word).ok()).collect();
        let bytes = match words.first().map(Vec::as_slice) {
            Some(b"HELLO") => b"%1\r\n+proto\r\n:3\r\n".to_vec(),
            Some(b"CLIENT" | b"SELECT" | b"AUTH" | b"READONLY") => b"+OK\r\n".to_vec(),
            _ => reply(&words),
        };
        if bytes.is_empty() || (&mut &*stream).write_all(&bytes).is_err() {
            return;
        }
    }
}

/// Runs a command on a server, on a connection of its own. Returns the bytes of the reply; none if the server is gone.
pub fn forward(port: u16, words: &[Vec<u8>]) -> std::io::Result<Vec<u8>> {
    let mut server = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
    let mut bytes = format!("*{}\r\n", words.len()).into_bytes();
    for word in words {
        bytes.extend_from_slice(format!("${}\r\n", word.len()).as_bytes());
        bytes.extend_from_slice(word);
        bytes.extend_from_slice(b"\r\n");
    }
    server.write_all(&bytes)?;
    let (mut reply, mut buffer) = (Vec::new(), [0; 4096]);
    while reply.is_empty() || redis::parse_redis_value(&reply).is_err() {
        let length = server.read(&mut buffer)?;
        if length == 0 {
            return Ok(Vec::new());
        }
        reply.extend_from_slice(buffer.get(..length).unwrap_or_default());
    }
    Ok(reply)
}

/// Random replies of any kind, as deep as replies of real servers are. About half repeat the previous one, since some
/// mistakes show only if several commands are replied to alike.
pub struct Garbage {
    rng: Rng,
    last: Vec<u8>,
}

impl Garbage {
    /// Starts with a seed.
    pub fn new(seed: u64) -> Self {
        Self { rng: Rng::with_seed(seed), last: b"+OK\r\n".to_vec() }
    }

    /// The next reply.
    pub fn reply(&mut self) -> Vec<u8> {
        if self.rng.bool() {
            self.last.clear();
            write_garbage(&mut self.rng, 0, &mut self.last);
        }
        self.last.clone()
    }
}

const NUMBERS: [i64; 12] = [0, 1, 2, 3, 100, 500, -1, -2, -3, i64::MAX, i64::MAX - 1, i64::MIN];

const TEXTS: [&str; 20] = [
    "",
    "0",
    "1",
    "-1",
    "7",
    "18446744073709551615",
    "9223372036854775807",
    "5-1",
    "18446744073709551615-18446744073709551615",
    "inf",
    "-inf",
    "nan",
    "1e308",
    "1.5",
    "string",
    "none",
    "stream",
    "ABC",
    "{",
    "OK",
];

const ERRORS: [&str; 9] = [
    "ERR x",
    "NOSCRIPT x",
    "WRONGTYPE x",
    "NOPERM x",
    "OOM x",
    "READONLY x",
    "CROSSSLOT x",
    "EXECABORT x",
    "ERR hash value is not an integer",
];

fn write_garbage(rng: &mut Rng, depth: usize, out: &mut Vec<u8>) {
    let kinds = if depth < 4 { 14 } else { 9 };
    let text = match rng.u8(..kinds) {
        0 | 1 => format!(":{}\r\n", rng.choice(NUMBERS).unwrap_or_default()),
        2 => format!(":{}\r\n", rng.i64(..)),
        3 | 4 => bulk(rng.choice(TEXTS).unwrap_or_default().as_bytes(), out),
        5 => {
            let bytes: Vec<u8> = (0..rng.usize(..20)).map(|_| rng.u8(..)).collect();
            bulk(&bytes, out)
        }
        6 => "$-1\r\n".to_owned(),
        7 => (*rng
            .choice(["+OK\r\n", "+QUEUED\r\n", "_\r\n", "#t\r\n", ",1.5\r\n", ",inf\r\n", ",nan\r\n"].iter())
            .unwrap_or(&""))
        .to_owned(),
        8 if depth == 0 => format!("-{}\r\n", rng.choice(ERRORS).unwrap_or_default()),
        8 => ":0\r\n".to_owned(),
        kind => {
            let len = *rng.choice([0, 1, 2, 2, 3, 4, 5, 8].iter()).unwrap_or(&0);
            let (mark, values) = match kind {
                9 => ('%', 2 * len),
                10 => ('~', len),
                _ => ('*', len),
            };
            out.extend_from_slice(format!("{mark}{len}\r\n").as_bytes());
            (0..values).for_each(|_| write_garbage(rng, depth + 1, out));
            String::new()
        }
    };
    out.extend_from_slice(text.as_bytes());
}

/// Writes a bulk string, and leaves nothing to be written.
fn bulk(bytes: &[u8], out: &mut Vec<u8>) -> String {
    out.extend_from_slice(format!("${}\r\n", bytes.len()).as_bytes());
    out.extend_from_slice(bytes);
    "\r\n".to_owned()
}

//! By hand, and as lean as redis-rs allows: no check, no `String`, and no buffer that grows.

use redis::{Cmd, FromRedisValue as _};

use crate::{TTL_MS, Way};

/// A key on the stack, and commands with the room that they need.
pub struct Floor;

struct Key {
    bytes: [u8; 128],
    len: usize,
}

impl Key {
    fn new(id: u64) -> Self {
        let mut key = Self { bytes: [0; 128], len: 0 };
        key.push(b"user:basic.info:");
        key.push(itoa::Buffer::new().format(id).as_bytes());
        key.push(b":string");
        key
    }

    fn push(&mut self, part: &[u8]) {
        self.bytes[self.len..self.len + part.len()].copy_from_slice(part);
        self.len += part.len();
    }

    fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

fn get(id: u64) -> Cmd {
    let mut command = Cmd::with_capacity(2, 64);
    command.arg("GET").arg(Key::new(id).as_bytes());
    command
}

impl Way for Floor {
    const NAME: &'static str = "floor";

    fn key(id: u64) -> impl Sized {
        Key::new(id)
    }

    fn command(id: u64) -> impl Sized {
        get(id)
    }

    fn get(id: u64, con: &mut impl redis::ConnectionLike) -> Option<String> {
        let answer = con.req_command(&get(id)).expect("the server answers");
        Option::<String>::from_redis_value(answer).expect("it is text")
    }

    fn set(id: u64, value: &str, con: &mut impl redis::ConnectionLike) {
        let mut command = Cmd::with_capacity(5, 64 + value.len());
        command.arg("SET").arg(Key::new(id).as_bytes()).arg(value).arg("PX").arg(TTL_MS);
        let answer = con.req_command(&command).expect("the server answers");
        <()>::from_redis_value(answer).expect("it is done");
    }
}

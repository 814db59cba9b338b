//! Work on a single key: with redis-keys, by hand, and by hand with as little as redis-rs allows.

use redis::{Cmd, ConnectionLike, FromRedisValue as _};
use redis_keys::prelude::*;
use redis_keys_bench::strings::{BasicInfo, LegacyInfo, TTL_MS};

/// One way to implement the work. Each method returns its result, so that nothing is optimized away.
pub(crate) trait Side {
    /// Builds the key.
    fn key(id: u64) -> impl Sized;

    /// Builds a GET.
    fn command(id: u64) -> impl Sized;

    /// Builds a GET, sends it, and decodes the reply.
    fn get(id: u64, con: &mut impl ConnectionLike) -> Option<String>;

    /// Builds a SET with an expiry, sends it, and decodes the reply.
    fn set(id: u64, value: &str, con: &mut impl ConnectionLike);
}

macro_rules! side {
    ($(#[doc = $doc:literal])* $name:ident, $key:ident) => {
        $(#[doc = $doc])*
        pub(crate) struct $name;

        impl Side for $name {
            fn key(id: u64) -> impl Sized {
                $key { user_id: id }.key().expect("a number is valid")
            }

            fn command(id: u64) -> impl Sized {
                $key { user_id: id }.get()
            }

            fn get(id: u64, con: &mut impl ConnectionLike) -> Option<String> {
                $key { user_id: id }.get().query(con).expect("the server replies")
            }

            fn set(id: u64, value: &str, con: &mut impl ConnectionLike) {
                $key { user_id: id }.set(value).query(con).expect("the server replies");
            }
        }
    };
}

side! {
    /// redis-keys.
    Ours, BasicInfo
}

side! {
    /// redis-keys, with a legacy text.
    Legacy, LegacyInfo
}

/// redis-rs and `format!`.
pub(crate) struct ByHand;

fn formatted_key(id: u64) -> String {
    format!("user:basic.info:{id}:string")
}

impl Side for ByHand {
    fn key(id: u64) -> impl Sized {
        formatted_key(id)
    }

    fn command(id: u64) -> impl Sized {
        let mut command = redis::cmd("GET");
        command.arg(formatted_key(id));
        command
    }

    fn get(id: u64, con: &mut impl ConnectionLike) -> Option<String> {
        redis::cmd("GET").arg(formatted_key(id)).query(con).expect("the server replies")
    }

    fn set(id: u64, value: &str, con: &mut impl ConnectionLike) {
        redis::cmd("SET")
            .arg(formatted_key(id))
            .arg(value)
            .arg("PX")
            .arg(TTL_MS)
            .exec(con)
            .expect("the server replies");
    }
}

/// A key on the stack, and commands of the right capacity, without checks.
pub(crate) struct Minimal;

struct StackKey {
    bytes: [u8; 128],
    len: usize,
}

impl StackKey {
    fn new(id: u64) -> Self {
        let mut key = Self { bytes: [0; 128], len: 0 };
        key.push(b"user:basic.info:");
        key.push(itoa::Buffer::new().format(id).as_bytes());
        key.push(b":string");
        key
    }

    fn push(&mut self, text: &[u8]) {
        self.bytes[self.len..self.len + text.len()].copy_from_slice(text);
        self.len += text.len();
    }

    fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

fn minimal_get(id: u64) -> Cmd {
    let mut command = Cmd::with_capacity(2, 64);
    command.arg("GET").arg(StackKey::new(id).as_bytes());
    command
}

impl Side for Minimal {
    fn key(id: u64) -> impl Sized {
        StackKey::new(id)
    }

    fn command(id: u64) -> impl Sized {
        minimal_get(id)
    }

    fn get(id: u64, con: &mut impl ConnectionLike) -> Option<String> {
        let reply = con.req_command(&minimal_get(id)).expect("the server replies");
        Option::<String>::from_redis_value(reply).expect("the reply is text")
    }

    fn set(id: u64, value: &str, con: &mut impl ConnectionLike) {
        let mut command = Cmd::with_capacity(5, 64 + value.len());
        command.arg("SET").arg(StackKey::new(id).as_bytes()).arg(value).arg("PX").arg(TTL_MS);
        let reply = con.req_command(&command).expect("the server replies");
        <()>::from_redis_value(reply).expect("the reply is OK");
    }
}

//! The workloads of the benchmarks: the same work with redis-keys and by hand, with redis-rs and `format!`.

#![allow(
    clippy::expect_used,
    clippy::missing_panics_doc,
    clippy::panic,
    reason = "a benchmark cannot go on when these fail"
)]

pub mod blooms;
pub mod cards;
pub mod collections;
pub mod records;
pub mod strings;

use redis::{Connection, FromRedisValue, Pipeline};
use redis_keys::Batch;

/// Work that is done repeatedly, each time with another id.
pub trait Workload {
    /// The number of commands if each is sent alone.
    const COMMANDS: u64 = 1;

    /// The commands of redis-keys.
    type Ours: Batch;

    /// The type of a reply that the code by hand does not ignore.
    type Reply: FromRedisValue;

    /// Builds the work with redis-keys.
    fn ours(&self, id: u64) -> Self::Ours;

    /// Builds the work by hand.
    fn by_hand(&self, id: u64, pipe: &mut Pipeline);

    /// Converts a reply by hand.
    fn read(reply: Self::Reply) -> impl Sized {
        reply
    }

    /// Converts the replies of a pipeline by hand.
    fn read_all(replies: Vec<Self::Reply>) -> impl Sized {
        replies.into_iter().map(Self::read).collect::<Vec<_>>()
    }

    /// Builds commands that are sent alone.
    fn one_by_one(&self, id: u64, pipe: &mut Pipeline) {
        self.by_hand(id, pipe);
    }
}

/// A script, called by hand by its SHA-1.
struct Script {
    sha1: String,
}

impl Script {
    /// Loads the script into the server.
    fn load(con: &mut Connection, text: &str) -> Self {
        let sha1 = redis::cmd("SCRIPT").arg("LOAD").arg(text).query(con).expect("the server replies");
        Self { sha1 }
    }

    /// A script for a mock, which runs none.
    fn for_mock() -> Self {
        Self { sha1: "0".repeat(40) }
    }

    fn call<'p>(&self, pipe: &'p mut Pipeline, key: String) -> &'p mut Pipeline {
        pipe.cmd("EVALSHA").arg(&self.sha1).arg(1).arg(key)
    }
}

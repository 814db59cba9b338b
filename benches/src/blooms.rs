//! Bloom filters.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use redis::{Client, Cmd, Pipeline};
use redis_keys::prelude::*;

use crate::Workload;
use crate::strings::SingleCommand;

/// The number of items in the filter.
const ITEMS: u64 = 100_000;

/// The bits and the hashes of the filter by hand: those of the declaration.
const BITS: u64 = 958_512;
const HASHES: u64 = 7;

#[derive(RedisKey)]
#[redis_key(order:known:bitmap, value = u64, ttl = 1h, bloom(expected = 100_000, false_positives = 1%))]
struct KnownOrders;

/// Whether an item may be in a filter; by hand without a look at whether the filter was built.
#[derive(Clone, Copy)]
pub struct MightContain;

impl MightContain {
    /// Builds the filter on a server.
    pub fn new(url: &str) -> Self {
        let con = &mut Client::open(url).and_then(|client| client.get_connection()).expect("the server replies");
        let build = KnownOrders.begin().query(con).expect("the server replies");
        assert!(KnownOrders.finish(build, 0..ITEMS).query(con).expect("the server replies"), "it is built");
        Self
    }
}

impl Workload for MightContain {
    type Ours = Command<bool>;
    type Reply = Vec<u8>;

    fn ours(&self, id: u64) -> Self::Ours {
        KnownOrders.might_contain(&id)
    }

    fn by_hand(&self, id: u64, pipe: &mut Pipeline) {
        pipe.add_command(self.command(id));
    }

    fn read(reply: Self::Reply) -> impl Sized {
        reply.iter().all(|bit| *bit == 1)
    }
}

impl SingleCommand for MightContain {
    fn command(&self, id: u64) -> Cmd {
        let mut command = redis::cmd("BITFIELD_RO");
        command.arg("order:known:bitmap");
        let mut hasher = DefaultHasher::new();
        id.hash(&mut hasher);
        let (mut position, step) = (hasher.finish(), hasher.finish() >> 32 | 1);
        for _ in 0..HASHES {
            command.arg("GET").arg("u1").arg(128 + position % BITS);
            position = position.wrapping_add(step);
        }
        command
    }
}

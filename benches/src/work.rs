//! A piece of work, by this library and by hand.

use redis::{FromRedisValue, Pipeline};
use redis_keys::Batch;

/// What is done again and again, each time with another id.
pub trait Work {
    /// How many commands it is when each goes by itself.
    const COMMANDS: u64 = 1;

    /// By this library.
    type Ours: Batch;

    /// What the code by hand asks of each reply that it does not ignore.
    type Reply: FromRedisValue;

    /// What this library sends.
    fn ours(&self, id: u64) -> Self::Ours;

    /// What is sent by hand.
    fn by_hand(&self, id: u64, pipe: &mut Pipeline);

    /// What the code by hand makes of a reply.
    fn read(reply: Self::Reply) -> impl Sized {
        reply
    }

    /// What it makes of many.
    fn read_all(replies: Vec<Self::Reply>) -> impl Sized {
        replies.into_iter().map(Self::read).collect::<Vec<_>>()
    }

    /// What is sent where each command goes by itself.
    fn one_by_one(&self, id: u64, pipe: &mut Pipeline) {
        self.by_hand(id, pipe);
    }
}

// What a type of one's own can print counts, too.
use redis_keys::prelude::*;
use redis_keys::{parameter::SegmentWriter, KeySegment};

struct Token(u64);

impl KeySegment for Token {
    const LONGEST: Option<usize> = Some(100);

    fn write(&self, out: &mut SegmentWriter<'_>) {
        out.number(self.0);
    }
}

#[derive(RedisKey)]
#[redis_key(user:name:{token}:{page}:string, value = u64, ttl = 1h)]
struct Case {
    token: Token,
    page: u64,
}

fn main() {}

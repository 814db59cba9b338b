//! Underlines in a key that can be too long.
use redis_keys::prelude::*;
use redis_keys::{parameter::SegmentWriter, KeySegment};

struct Token(u64);

impl KeySegment for Token {
    const LONGEST: Option<usize> = Some(100);

    fn write(&self, out: &mut SegmentWriter<'_>) {
        out.number(self.0);
    }
}

struct Version(u64, u64);

impl KeySegment for Version {
    const LONGEST: Option<usize> = Some(41);
    const DOTTED: bool = true;

    fn write(&self, out: &mut SegmentWriter<'_>) {
        out.number(self.0);
        out.text(".");
        out.number(self.1);
    }
}

#[derive(RedisKey)]
#[redis_key(user:name:{token}:{page}:string, value = u64, ttl = 1h)]
//          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
// key-length: shorten it: the literal text has 18 bytes, `token` up to 100, `page` up to 20
struct OwnType {
    token: Token,
    page: u64,
}

#[derive(RedisKey)]
#[redis_key("shop:name:{token}:{page}:string", value = u64, ttl = 1h)]
//          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
// key-length: shorten it: the literal text has 18 bytes, `token` up to 100, `page` up to 20
struct QuotedTemplate {
    token: Token,
    page: u64,
}

#[derive(RedisKey)]
#[redis_key(app:v.{version}:string, value = u64, ttl = 1h)]
//                ^^^^^^^^^
// one-key-each: make it a whole segment: `:{version}:`
struct DottedParameter {
    version: Version,
}

fn main() {}

// What types of the program print is known to the compiler alone.
use redis_keys::prelude::*;
use redis_keys::{parameter::SegmentWriter, KeySegment};

// What a type of one's own can print counts, too.
struct Token(u64);

impl KeySegment for Token {
    const LONGEST: Option<usize> = Some(100);

    fn write(&self, out: &mut SegmentWriter<'_>) {
        out.number(self.0);
    }
}

#[derive(RedisKey)]
#[redis_key(user:name:{token}:{page}:string, value = u64, ttl = 1h)]
struct TooLongOwnType {
    token: Token,
    page: u64,
}

// A type that prints a `.` is a whole segment.
struct Version(u8, u8);

impl KeySegment for Version {
    const LONGEST: Option<usize> = Some(7);
    const DOTTED: bool = true;

    fn write(&self, out: &mut SegmentWriter<'_>) {
        out.number(self.0.into());
        out.text(".");
        out.number(self.1.into());
    }
}

#[derive(RedisKey)]
#[redis_key(app:v.{version}:string, value = u64, ttl = 1h)]
struct DottedWord {
    version: Version,
}

fn main() {}

// A type that prints a `.` is a whole segment.
use redis_keys::prelude::*;
use redis_keys::{parameter::SegmentWriter, KeySegment};

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
struct Case {
    version: Version,
}

fn main() {}

// A parameter type of the user's own that cannot be read back, in a scan.
use redis_keys::{parameter::SegmentWriter, prelude::*, KeySegment};

struct UserId(u64);

impl KeySegment for UserId {
    const LONGEST: Option<usize> = u64::LONGEST;

    fn write(&self, out: &mut SegmentWriter<'_>) {
        self.0.write(out);
    }
}

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = String, ttl = 1h)]
pub struct Name {
    id: UserId,
}

fn main() {
    drop(Name::scan());
}

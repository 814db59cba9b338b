// A parameter type of the user's own that can be written and not read back.
use redis_keys::{parameter::SegmentWriter, prelude::*, KeySegment};

struct UserId(u64);

impl KeySegment for UserId {
    const LONGEST: Option<usize> = u64::LONGEST;

    fn write(&self, out: &mut SegmentWriter<'_>) {
        self.0.write(out);
    }
}

#[derive(RedisKey)]
#[redis_key(user:name:{id}:{page}:string, value = String, ttl = 1h)]
struct Name {
    id: UserId,
    page: u64,
}

fn parse<'k, K: ParseKey<'k>>(text: &'k str) -> Option<K> {
    K::parse(text).ok()
}

fn main() {
    let _ = Name { id: UserId(1), page: 2 }.get();
    let _ = parse::<Name>("user:name:1:2:string");
    let _ = Name::parse("user:name:1:2:string");
}

// Keys with parts that cannot be read back.
use redis_keys::{parameter::SegmentWriter, prelude::*, KeySegment};

// Keys with parts that do not tell what they are made of.
#[derive(RedisKey)]
#[redis_key(user:tags:{id % 1000}:set, value = String, ttl = 1h)]
struct Tags {
    id: u64,
}

fn one_way() {
    let _ = Tags { id: 1 }.scard();
    let _ = Tags::parse("user:tags:1:set");
}

// A parameter type of the user's own that can be written and not read back.
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

fn own_type() {
    let _ = Name { id: UserId(1), page: 2 }.get();
    let _ = parse::<Name>("user:name:1:2:string");
    let _ = Name::parse("user:name:1:2:string");
}

// A parameter type of the user's own that cannot be read back, in a scan.
#[derive(RedisKey)]
#[redis_key(user:nick:{id}:string, value = String, ttl = 1h)]
pub struct ScannedKey {
    id: UserId,
}

fn scan_own_type() {
    drop(ScannedKey::scan());
}

fn main() {}

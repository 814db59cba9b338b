// A union is no parameter.
use redis_keys::KeySegment;

#[derive(KeySegment)]
union Either {
    small: u32,
    large: u64,
}

fn main() {}

// An enum that is a parameter has variants, and they have no fields.
use redis_keys::KeySegment;

#[derive(KeySegment)]
enum Nothing {}

#[derive(KeySegment)]
enum WithFields {
    Number(u64),
    Named { id: u64 },
    Fine,
}

fn main() {}

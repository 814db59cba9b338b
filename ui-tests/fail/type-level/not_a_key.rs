// What is no key has no commands.
use redis_keys::prelude::*;

struct Case {
    id: u64,
}

fn read<K: RedisKey>(_key: &K) {}

fn count<K: StringKey>(_key: &K) {}

fn main() {
    let case = Case { id: 42 };
    read(&case);
    count(&case);
}

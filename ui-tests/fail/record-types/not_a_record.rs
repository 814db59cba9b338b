// What derives nothing is no record.
struct Plain {
    id: u64,
}

fn fields<R: redis_keys::RedisHash>() -> usize {
    R::FIELDS.len()
}

fn count() -> usize {
    fields::<Plain>()
}

fn main() {}

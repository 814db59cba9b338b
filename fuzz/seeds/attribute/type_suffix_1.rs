#[redis_key(user:name:{id}, value = u64, ttl = 1h)]
struct Missing {
    id: u64,
}

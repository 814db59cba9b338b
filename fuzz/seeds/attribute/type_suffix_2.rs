#[redis_key(user:{id}:name, value = u64, ttl = 1h)]
struct MissingAfterText {
    id: u64,
}

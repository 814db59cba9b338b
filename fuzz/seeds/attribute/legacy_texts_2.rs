#[redis_key(user:inbox:{user_id}:string, value = String, ttl = 1d, legacy = "{PREFIX}:inbox:{user_id}")]
struct Constant {
    user_id: u64,
}

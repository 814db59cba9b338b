#[redis_key(user:profile:{user_id}:string, value = String, ttl = 1d, legacy = "User:{uesr_id}:Profile")]
struct Misspelt {
    user_id: u64,
}

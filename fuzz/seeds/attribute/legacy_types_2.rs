#[redis_key(user:profile:{user_id}:string, value = String, ttl = 1d, legacy = "User:{user_id}:Profile")]
struct Profile {
    user_id: UserId,
}

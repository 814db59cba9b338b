#[redis_key("user:basicInfo:{id}:string", value = u64, ttl = 1h)]
struct Word {
    id: u64,
}

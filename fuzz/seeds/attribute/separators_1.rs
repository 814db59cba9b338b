#[redis_key(:user:name:{id}:string, value = u64, ttl = 1h)]
struct LeadingColon {
    id: u64,
}

#[redis_key(.user:name:{id}:string, value = u64, ttl = 1h)]
struct LeadingDot {
    id: u64,
}

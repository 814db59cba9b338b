#[redis_key(12345:{id}:string, value = u64, ttl = 1h)]
struct ModuleIsANumber {
    id: u64,
}

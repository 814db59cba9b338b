#[redis_key(2fa.codes:{id}:string, value = u64, ttl = 1h)]
struct ModuleStartsWithADigit {
    id: u64,
}

#[redis_key(r#"user:basicInfo:{id}:string"#, value = u64, ttl = 1h)]
struct RawString {
    id: u64,
}

struct Twice {
    id: u64,
    #[redis_hash(default, default)]
    first: u8,
    #[redis_hash(rename = "a")]
    #[redis_hash(rename = "b")]
    second: u8,
}

struct RenamedField {
    #[redis_hash(rename = "mail")]
    email: String,
    #[redis_hash(rename = "mail")]
    post: String,
}

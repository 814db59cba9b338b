#[redis_key(rename_all = "lowercase")]
enum RenameAll {
    A,
}

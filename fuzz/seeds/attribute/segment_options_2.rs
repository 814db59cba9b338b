#[redis_key(rename = "a")]
enum Rename {
    A,
}

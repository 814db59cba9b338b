// The only option of a variant is `rename`.
use redis_keys::KeySegment;

#[derive(KeySegment)]
enum Section {
    #[redis_key(renme = "a")]
    A,
    #[redis_key(name = "b")]
    B,
    #[redis_key("c")]
    C,
    #[redis_key(skip)]
    D,
    #[redis_key(rename)]
    E,
    #[redis_key(rename = "")]
    F,
    #[redis_key(rename = "g", rename = "h")]
    G,
    #[redis_key(rename = "p")]
    #[redis_key(rename = "q")]
    H,
    #[redis_key]
    I,
    #[redis_key = "k"]
    J,
}

fn main() {}

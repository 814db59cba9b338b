// The options of a parameter type and of its variants.
use redis_keys::KeySegment;

// The only option of a parameter type is `crate`.
#[derive(KeySegment)]
#[redis_key(rename_all = "lowercase")]
enum RenameAll {
    A,
}

#[derive(KeySegment)]
#[redis_key(rename = "a")]
enum Rename {
    A,
}

#[derive(KeySegment)]
#[redis_key(crat = redis_keys, crate = 5)]
enum Slip {
    A,
}

#[derive(KeySegment)]
#[redis_key(crate = ::redis_keys)]
#[redis_key(crate = ::redis_keys)]
struct Twice(u64);

#[derive(KeySegment)]
struct OfTheField(#[redis_key(digest)] String);

// The only option of a variant is `rename`.
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

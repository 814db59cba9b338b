// The only option of a parameter type is `crate`.
use redis_keys::KeySegment;

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

fn main() {}

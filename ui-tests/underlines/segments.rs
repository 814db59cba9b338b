//! Underlines in parameter types, and at their uses.
use redis_keys::{KeySegment, prelude::*};

#[derive(KeySegment)]
enum Section {
    #[redis_key(rename = basic_info)]
//                       ^^^^^^^^^^
// separators: write `basic.info`
    BasicInfo,
    Orders(u64),
//  ^^^^^^
// one-key-each: write `Orders` alone, and add a field to the key
    #[redis_key(renme = "past")]
//              ^^^^^
// declaration: did you mean `rename`?
    Past,
    Été,
//  ^^^
// alphabet: the letters `a` to `z` and the digits `0` to `9`
}

#[derive(KeySegment)]
enum Twins {
    FooBar,
    #[redis_key(rename = "foo.bar")]
//                       ^^^^^^^^^
// one-key-each: write another name
    Other,
}

#[derive(KeySegment)]
struct Pair {
    shop: u32,
    item: u64,
//  ^^^^
// one-key-each: add a field for each to the key
}

#[derive(KeySegment)]
struct Price(f64);
//           ^^^
// parameters: scale it to an integer, as in `u64`

#[derive(RedisKey)]
#[redis_key(user:{section}:{pair}:{price}:{name % 1000}:string, value = u64, ttl = 1h)]
struct Uses {
    section: Section,
    pair: Pair,
    price: Price,
    name: String,
//        ^^^^^^
// Shardable: use an integer, a `Uuid` with the feature `uuid`, or a newtype of one
}

fn main() {
    let _ = Twins::FooBar;
}

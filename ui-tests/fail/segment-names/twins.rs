// No two variants have the same text.
use redis_keys::KeySegment;

#[derive(KeySegment)]
enum Derived {
    FooBar,
    Foo_Bar,
}

#[derive(KeySegment)]
enum Renamed {
    Orders,
    #[redis_key(rename = "orders")]
    Past,
}

#[derive(KeySegment)]
enum NamedLikeAnother {
    #[redis_key(rename = "orders")]
    Past,
    Orders,
}

fn main() {}

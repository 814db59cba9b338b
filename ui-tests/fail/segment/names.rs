// The texts of variants have the alphabet of keys, and differ.
use redis_keys::KeySegment;

// The text of a variant has the alphabet of keys.
#[derive(KeySegment)]
enum Foreign {
    Été,
    __,
    Fine,
}

#[derive(KeySegment)]
enum RenamedVariant {
    #[redis_key(rename = "basicInfo")]
    A,
    #[redis_key(rename = "basic_info")]
    B,
    #[redis_key(rename = basic-info)]
    C,
    #[redis_key(rename = "basic info")]
    D,
    #[redis_key(rename = "basic:info")]
    E,
    #[redis_key(rename = "basic..info")]
    F,
    #[redis_key(rename = Info)]
    G,
    #[redis_key(rename = "été")]
    H,
    #[redis_key(rename = "{id}")]
    I,
}

// No two variants have the same text.
#[derive(KeySegment)]
enum DerivedNames {
    FooBar,
    Foo_Bar,
}

#[derive(KeySegment)]
enum RenamedTwins {
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

// Legacy texts of structs of any shape.
use std::borrow::Cow;
use std::fmt::Display;
use std::marker::PhantomData;

use redis_keys::prelude::*;
use redis_keys::{KeySegment, OtherName, TakenOver};

mod shop {
    use redis_keys::prelude::*;

    #[derive(KeySegment)]
    struct Sku(u64);

    impl std::fmt::Display for Sku {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            write!(f, "S{}", self.0)
        }
    }

    impl std::str::FromStr for Sku {
        type Err = std::num::ParseIntError;

        fn from_str(text: &str) -> Result<Self, Self::Err> {
            text.trim_start_matches('S').parse().map(Self)
        }
    }

    /// A type that is less public than the key.
    #[derive(RedisKey)]
    #[redis_key(shop:stock:{sku}:string, value = u32, ttl = 1d, legacy = "Stock/{sku}")]
    pub struct Stock {
        sku: Sku,
    }

    #[derive(RedisKey)]
    #[redis_key(shop:price:{sku}:string, value = u32, ttl = 1d, formerly = "Price/{sku}")]
    pub struct Price {
        sku: Sku,
    }

    pub fn keys() -> (Stock, Price) {
        (Stock { sku: Sku(7) }, Price { sku: Sku(7) })
    }
}

#[derive(RedisKey)]
#[redis_key(user:theme:{user}:{name}:string, value = String, ttl = 1d, legacy = "Theme:{user}:{name}")]
struct Theme<'a, T: Display + KeySegment, U> {
    user: u64,
    name: T,
    marker: PhantomData<&'a U>,
}

#[derive(Clone, RedisKey)]
#[redis_key(user:font:{0}:{1}:hash, field = String, value = u64, ttl = 1d, formerly = r"Font\{1}\{0}")]
struct Font<'a>(&'a str, Cow<'a, str>);

#[derive(RedisKey)]
#[redis_key(user:all:set, value = u64, ttl = never, reason = "as before", legacy = "{{users}}")]
struct Users;

#[derive(RedisKey)]
#[redis_key(job:mails:{shard % 8}:zset, value = Job<u64>, ttl = 1d, legacy = "mails-{shard}")]
struct Mails {
    shard: u64,
}

#[derive(RedisKey)]
#[redis_key(api:calls:{key}:string, limit = 5 / 1s, formerly = "calls:{key}")]
struct Calls {
    #[redis_key(digest)]
    key: String,
}

#[deprecated]
#[derive(RedisKey)]
#[redis_key(user:old:{r#type}:list, value = u64, ttl = 1d, legacy = "old.{type:?}", allow(ambiguous_text, reason = "so"))]
struct Old {
    r#type: &'static str,
}

struct Some;
struct Option;

fn main() -> Result<(), redis_keys::Error> {
    let _ = (Some, Option);
    let (stock, price) = shop::keys();
    assert_eq!(stock.key()?, "Stock/S7");
    assert_eq!(shop::Stock::parse("Stock/S7")?.key()?, "Stock/S7");
    assert_eq!((price.key()?, price.other_name().key()?), (shop::keys().1.key()?, "Price/S7"));
    let theme: Theme<'_, u8, String> = Theme { user: 1, name: 2, marker: PhantomData };
    assert_eq!((theme.key()?, theme.other_name().key()?), ("Theme:1:2", "user:theme:1:2:string"));
    let font = Font("a", "b".into());
    assert_eq!((font.key()?, font.clone().other_name().key()?), ("user:font:a:b:hash", r"Font\b\a"));
    assert_eq!(<OtherName<Font<'_>>>::parse(r"Font\b\a")?.into_inner().key()?, font.key()?);
    assert_eq!((Users.key()?, Users.other_name().key()?), ("{users}", "user:all:set"));
    assert_eq!((Mails { shard: 12 }.key()?, Mails { shard: 12 }.other_name().key()?), ("mails-12", "job:mails:4:zset"));
    assert_eq!(Calls { key: "A b".to_owned() }.other_name().key()?, "calls:A b");
    assert_eq!(TakenOver::Here, TakenOver::Here);
    Ok(())
}

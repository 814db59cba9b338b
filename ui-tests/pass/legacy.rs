//! Legacy texts of structs of any shape.
use std::borrow::Cow;
use std::fmt::Display;
use std::marker::PhantomData;

use redis_keys::KeySegment;
#[cfg(test)]
use redis_keys::legacy_key::OtherName;
use redis_keys::prelude::*;

#[cfg(test)]
use crate::assert_key;

/// Fields whose type is less public than the key.
pub mod shop {
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

    /// The stock of an article.
    #[derive(RedisKey)]
    #[redis_key(shop:stock:{sku}:string, value = u32, ttl = 1d, legacy = "Stock/{sku}")]
    pub struct Stock {
        sku: Sku,
    }

    /// The price of an article.
    #[derive(RedisKey)]
    #[redis_key(shop:costs:{sku}:string, value = u32, ttl = 1d, formerly = "Price/{sku}")]
    pub struct Price {
        sku: Sku,
    }

    /// A key of each.
    #[cfg(test)]
    pub(super) fn keys() -> (Stock, Price) {
        (Stock { sku: Sku(7) }, Price { sku: Sku(7) })
    }
}

#[derive(RedisKey)]
#[redis_key(user:theme:{user}:{name}:string, value = String, ttl = 1d, legacy = "Theme:{user}:{name}")]
/// The theme of a user.
pub struct Theme<'a, T: Display + KeySegment, U> {
    user: u64,
    name: T,
    marker: PhantomData<&'a U>,
}

#[derive(Clone, RedisKey)]
#[redis_key(user:font:{0}:{1}:hash, field = String, value = u64, ttl = 1d, formerly = r"Font\{1}\{0}")]
struct Font<'a>(&'a str, Cow<'a, str>);

#[derive(RedisKey)]
#[redis_key(user:all:set, value = u64, ttl = never, reason = "as before", rebuild = "from the database", legacy = "{{users}}")]
struct Users;

#[derive(RedisKey)]
#[redis_key(job:mails:{shard % 8}:{shard}:zset, value = u64, ttl = 1d, jobs, legacy = "mails-{shard}")]
struct Mails {
    shard: u64,
}

#[derive(RedisKey)]
#[redis_key(api:calls:{key}:string, value = u64, ttl = 1h, formerly = "calls:{key}")]
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

/// A type of the user's.
pub struct Some;

#[test]
fn both_names_are_written() -> Result<(), redis_keys::Error> {
    let (stock, price) = shop::keys();
    assert_key(&stock, "Stock/S7");
    assert_key(&shop::Stock::parse("Stock/S7")?, "Stock/S7");
    assert_key(&price, "shop:costs:7:string");
    assert_key(&price.other_name(), "Price/S7");
    let theme: Theme<'_, u8, String> = Theme { user: 1, name: 2, marker: PhantomData };
    assert_key(&theme, "Theme:1:2");
    assert_key(&theme.other_name(), "user:theme:1:2:string");
    let font = Font("a", "b".into());
    assert_key(&font, "user:font:a:b:hash");
    assert_key(&font.other_name(), r"Font\b\a");
    assert_key(&<OtherName<Font<'_>>>::parse(r"Font\b\a")?.into_inner(), "user:font:a:b:hash");
    assert_key(&Users, "{users}");
    assert_key(&Users.other_name(), "user:all:set");
    assert_key(&Mails { shard: 12 }, "mails-12");
    assert_key(&Mails { shard: 12 }.other_name(), "job:mails:4:12:zset");
    assert_key(&Calls { key: "A b".to_owned() }.other_name(), "calls:A b");
    Ok(())
}

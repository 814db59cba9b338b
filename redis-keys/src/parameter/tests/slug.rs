//! Slugs. The text in a key is stored data: none of the expected texts may ever change.

use std::borrow::Cow;
use std::sync::Arc;

use proptest::prelude::*;

use crate::{ErrorKind, RedisKey};

#[derive(crate::KeySegment, Debug, PartialEq)]
#[redis_key(crate = crate)]
struct Title(String);

#[derive(RedisKey)]
#[redis_key(shop:page:{slug}:string, crate = crate, value = String, ttl = 1h)]
struct Page<'p> {
    #[redis_key(slug)]
    slug: &'p str,
}

#[derive(RedisKey)]
#[redis_key(shop:article:{#slug}:string, crate = crate, value = String, ttl = 1h)]
struct Article {
    #[redis_key(slug = 20)]
    slug: Title,
}

#[test]
fn hyphens_become_dots() {
    for (slug, text) in
        [("tea", "tea"), ("green-tea", "green.tea"), ("green-tea-11", "green.tea.11"), ("1-2-3", "1.2.3")]
    {
        assert_eq!(Page { slug }.key().unwrap(), format!("shop:page:{text}:string").as_str());
    }
}

#[test]
fn what_is_no_slug_is_rejected() {
    let problem = "is not a slug: it can contain `a` to `z`, `0` to `9`, and single `-` between them";
    for slug in ["Tea", "green.tea", "green_tea", "green--tea", "-tea", "tea-", "-", "caf\u{e9}", "a:b", "a{b"] {
        let error = Page { slug }.key().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Parameter);
        assert!(
            error.to_string().contains(&format!("`slug` of `Page` (shop:page:{{slug}}:string) {problem}")),
            "{error}"
        );
    }
    assert!(Page { slug: "" }.key().unwrap_err().to_string().contains("is empty"));
}

#[test]
fn a_slug_has_at_most_the_declared_bytes() {
    let key = |bytes: usize| Article { slug: Title("a".repeat(bytes)) }.key();
    assert!(key(20).is_ok());
    let error = key(21).unwrap_err().to_string();
    assert!(error.contains("has more bytes than its option `slug` allows"), "{error}");
    assert!(Article::parse(&format!("shop:article:{{{}}}:string", "a".repeat(21))).is_err());
}

#[test]
fn owned_text_can_be_read_back() {
    macro_rules! read_back {
        ($($name:ident $type:ty;)*) => {$({
            #[derive(RedisKey)]
            #[redis_key(shop:page:{slug}:string, crate = crate, value = String, ttl = 1h, allow(overlap, reason = "a test"))]
            struct $name {
                #[redis_key(slug)]
                slug: $type,
            }
            assert_eq!(&*$name::parse("shop:page:green.tea.11:string").unwrap().slug, "green-tea-11");
        })*};
    }
    read_back! {
        OfString String;
        OfBox Box<str>;
        OfArc Arc<str>;
        OfCow Cow<'static, str>;
    }
    assert_eq!(Article::parse("shop:article:{green.tea}:string").unwrap().slug, Title("green-tea".to_owned()));
}

proptest! {
    /// Each slug has a text of its own, which reads back; anything else is rejected.
    #[test]
    fn texts_and_slugs_match_one_to_one(slug in "[a-c0-2.A_-]{0,8}") {
        let is_slug = slug.split('-').all(|word| {
            !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
        });
        let key = Article { slug: Title(slug.clone()) }.key();
        prop_assert_eq!(key.is_ok(), is_slug);
        if let Ok(key) = key {
            prop_assert_eq!(Article::parse(&key).unwrap().slug, Title(slug));
        }
    }
}

//! Keys that programs write are found as their own declaration.

use std::net::IpAddr;
use std::num::NonZero;

use proptest::prelude::*;
use proptest::sample::{Index, select};
use redis_keys::KeySegment;
use redis_keys::parameter::bucket::{Day, Hour, Month, Year};
use redis_keys::prelude::*;
use redis_keys::schema::Schema;
use redis_keys_core::ValueSet;

use super::*;

#[derive(RedisKey)]
#[redis_key(user:basic.info:{user_id}:string, value = String, ttl = 1h)]
struct BasicInfo {
    user_id: u64,
}

#[derive(Clone, Debug, KeySegment)]
enum Section {
    BasicInfo,
    Orders,
    #[redis_key(rename = "v.2")]
    Old,
}

#[derive(RedisKey)]
#[redis_key(user:{section}:string, value = String, ttl = 1h)]
struct BySection {
    section: Section,
}

#[derive(RedisKey)]
#[redis_key(user:seen:{name}:{day}:hash, field = String, value = u64, ttl = 1d, max_len = 100)]
struct Seen {
    name: String,
    day: Day,
}

#[derive(RedisKey)]
#[redis_key(shop:v.{row}.x:{ip}:{ok}:zset, value = String, ttl = 1d)]
struct Shelf {
    row: u8,
    ip: IpAddr,
    ok: bool,
}

#[derive(RedisKey)]
#[redis_key(cart:{#user_id}:items:list, value = String, ttl = 1d)]
struct Items {
    user_id: i64,
}

#[derive(RedisKey)]
#[redis_key(cart:v.{#code}.y:{number}:list, value = String, ttl = 1d)]
struct Coupons {
    code: String,
    number: NonZero<u16>,
}

#[derive(RedisKey)]
#[redis_key(page:{id % 100}:{id}:string, value = u64, ttl = 1d)]
struct Page {
    id: u128,
}

#[derive(RedisKey)]
#[redis_key(file:{path}:{of}:set, value = String, ttl = 1d)]
struct File {
    #[redis_key(base32)]
    path: String,
    #[redis_key(digest)]
    of: Vec<u8>,
}

#[derive(RedisKey)]
#[redis_key(log:{year}.{month}:{hour}:stream, value = Entry, ttl = 1d, keep_last = 100)]
struct Log {
    year: Year,
    month: Month,
    hour: Hour,
}

#[derive(RedisHash)]
struct Entry {
    #[allow(dead_code)]
    text: String,
}

/// The declaration in the catalog.
fn entry(schema: &Schema, values: &[ValueSet]) -> Key {
    let mut entry = serde_json::to_value(schema).expect("a schema is JSON");
    for (parameter, values) in entry["parameters"].as_array_mut().expect("a list").iter_mut().zip(values) {
        parameter["values"] = serde_json::to_value(values).expect("it is JSON");
    }
    for (name, value) in [("longest", 128.into()), ("package", "shop".into()), ("target", "lib:shop".into())] {
        entry[name] = value;
    }
    serde_json::from_value(entry).expect("it is a declaration")
}

fn values<T: KeySegment>() -> ValueSet {
    T::VALUES
}

fn catalog() -> Catalog {
    let keys = vec![
        entry(BasicInfo::SCHEMA, &[values::<u64>()]),
        entry(BySection::SCHEMA, &[values::<Section>()]),
        entry(Seen::SCHEMA, &[values::<String>(), values::<Day>()]),
        entry(Shelf::SCHEMA, &[values::<u8>(), values::<IpAddr>(), values::<bool>()]),
        entry(Items::SCHEMA, &[values::<i64>()]),
        entry(Coupons::SCHEMA, &[values::<String>(), values::<NonZero<u16>>()]),
        entry(Page::SCHEMA, &[ValueSet::up_to(99), values::<u128>()]),
        entry(File::SCHEMA, &[ValueSet::Base32, ValueSet::Hex { digits: 32 }]),
        entry(Log::SCHEMA, &[values::<Year>(), values::<Month>(), values::<Hour>()]),
    ];
    Catalog { format: 2, keys, unread: Vec::new(), left_out: None, foreign: None }
}

/// The text of a key, and the template of its declaration. `None` if the parameters are rejected.
fn written<K: RedisKey>(key: &K) -> Option<(String, &'static str)> {
    Some((String::from(key.key().ok()?), K::SCHEMA.template))
}

fn key() -> impl Strategy<Value = (String, &'static str)> {
    let text = || prop_oneof!["[a-z0-9]{1,9}(\\.[a-z0-9]{1,4}){0,2}", ".{0,4}"];
    let day =
        (0..10_000_u16, 1..13_u8, 1..32_u8).prop_filter_map("a day", |(year, month, day)| Day::new(year, month, day));
    let hour = (0..10_000_u16, 1..13_u8, 1..29_u8, 0..24_u8);
    let key = prop_oneof![
        any::<u64>().prop_map(|user_id| written(&BasicInfo { user_id })),
        select(vec![Section::BasicInfo, Section::Orders, Section::Old])
            .prop_map(|section| written(&BySection { section })),
        (text(), day).prop_map(|(name, day)| written(&Seen { name, day })),
        (any::<(u8, IpAddr, bool)>()).prop_map(|(row, ip, ok)| written(&Shelf { row, ip, ok })),
        any::<i64>().prop_map(|user_id| written(&Items { user_id })),
        ("[a-z0-9]{1,9}", any::<NonZero<u16>>()).prop_map(|(code, number)| written(&Coupons { code, number })),
        any::<u128>().prop_map(|id| written(&Page { id })),
        (".{1,20}", any::<Vec<u8>>()).prop_map(|(path, of)| written(&File { path, of })),
        hour.prop_map(|(year, month, day, hour)| {
            let (year, hour) = (Year::new(year)?, Hour::new(year, month, day, hour)?);
            written(&Log { year, month: Month::new(2026, month)?, hour })
        }),
    ];
    key.prop_filter_map("a valid key", |key| key)
}

/// Whether the program reads the key back as one of these.
fn is_parsed(key: &[u8]) -> bool {
    BasicInfo::parse(key).is_ok()
        || BySection::parse(key).is_ok()
        || Seen::parse(key).is_ok()
        || Shelf::parse(key).is_ok()
        || Items::parse(key).is_ok()
        || Coupons::parse(key).is_ok()
        || Page::parse(key).is_ok()
        || Log::parse(key).is_ok()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_written_key_is_found((key, template) in key()) {
        let catalog = catalog();
        let found = Matcher::new(&catalog, None).find(key.as_bytes()).map(|index| &*catalog.keys[index].template);
        prop_assert_eq!(found, Some(template), "{}", key);
    }

    #[test]
    fn a_changed_key_is_found_if_it_is_a_key(
        (key, template) in key(),
        at in any::<Index>(),
        piece in select(vec!["", "a", "0", "9", ".", ":", "{", "}", "A", "\u{e9}", "\0", ":string"]),
        replaces in any::<bool>(),
    ) {
        let catalog = catalog();
        let mut bytes = key.clone().into_bytes();
        let at = at.index(bytes.len());
        bytes.splice(at..at + usize::from(replaces), piece.bytes());
        let found = Matcher::new(&catalog, None).find(&bytes).map(|index| &*catalog.keys[index].template);
        // A digest cannot be read, and the catalog knows no months of 30 days.
        let is_vague = template.ends_with(":set") || template.ends_with("{day}:hash") || template.ends_with("{hour}:stream");
        if is_vague && found == Some(template) {
            return Ok(());
        }
        prop_assert_eq!(found.is_some(), is_parsed(&bytes), "{}", String::from_utf8_lossy(&bytes));
    }
}

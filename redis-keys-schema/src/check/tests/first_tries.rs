//! First tries in the notations of other libraries and languages: the suggestions alone lead to a valid declaration.
//!
//! The compiler compiles what becomes of them in `ui-tests/pass/first_tries.rs`, beside one of each kind of suggestion;
//! `SNAPSHOTS=overwrite` writes that file.

use std::fmt::Write as _;
use std::{env, fs};

use super::*;
use crate::record::{RecordItem, RecordShape, check_record};
use crate::segment::{SegmentItem, Variant, check_segment};
use crate::tests::applied::repaired;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../ui-tests/pass/first_tries.rs");

/// The fields, and the attribute.
pub(super) type Try = (&'static [(&'static str, &'static str)], &'static str);

const ID: &[(&str, &str)] = &[("id", "u64")];
const USER_ID: &[(&str, &str)] = &[("user_id", "u64")];

/// What people write who know other libraries, each with the declaration that it becomes.
const FIRST_TRIES: [(Try, &str); 48] = [
    // Names in other cases.
    (
        (USER_ID, "userProfile:{userId}, value = String, ttl = 3600"),
        "user.profile:{user_id}:string, value = String, ttl = 3600s",
    ),
    ((ID, "USER:ORDERS:{ID}, value = u64, ttl = 1h"), "user:orders:{id}:string, value = u64, ttl = 1h"),
    (
        (USER_ID, "User:LastLogin:{userId}:String, value = u64, ttl = 1h"),
        "user:last.login:{user_id}:string, value = u64, ttl = 1h",
    ),
    ((ID, "my-app:user-data:{id}, value = String, ttl = 1h"), "my.app:user.data:{id}:string, value = String, ttl = 1h"),
    // Other separators.
    ((ID, "user.settings.{id}, value = String, ttl = 1h"), "user:settings:{id}:string, value = String, ttl = 1h"),
    ((ID, "user/avatar/{id}, value = Vec<u8>, ttl = 60 * 60"), "user:avatar:{id}:string, value = Vec<u8>, ttl = 1h"),
    (
        (ID, "\"/users/{id}/orders\", value = String, ttl = 1h"),
        "\"users:{id}:orders:string\", value = String, ttl = 1h",
    ),
    (
        (&[("token", "String")], "sess_{token}, value = String, ttl = 30min"),
        "sess:{token}:string, value = String, ttl = 30m",
    ),
    ((ID, "cart-{id}, value = String, ttl = 1d"), "cart:{id}:string, value = String, ttl = 1d"),
    (
        (&[("name", "String")], "feature_flag.{name}, value = bool, ttl = 1h"),
        "feature.flag:{name}:string, value = bool, ttl = 1h",
    ),
    (
        (&[("a", "u64"), ("b", "u64")], "user:name:{a}-{b}:string, value = u64, ttl = 1h"),
        "user:name:{a}.{b}:string, value = u64, ttl = 1h",
    ),
    ((ID, "\"user history {id}\", value = String, ttl = 1h"), "\"user:history:{id}:string\", value = String, ttl = 1h"),
    ((ID, "user::devices::{id}, value = String, ttl = 1h"), "user:devices:{id}:string, value = String, ttl = 1h"),
    ((ID, "\"user:prefs:{id}:\", value = String, ttl = 1h"), "\"user:prefs:{id}:string\", value = String, ttl = 1h"),
    (
        (USER_ID, "user-session:{user-id}, value = String, ttl = 1h"),
        "user.session:{user_id}:string, value = String, ttl = 1h",
    ),
    // Placeholders of formats, routes, shells and templates.
    (
        (ID, "\"user:%s:email\", value = String, ttl = \"1 hour\""),
        "\"user:{id}:email:string\", value = String, ttl = \"1h\"",
    ),
    (
        (ID, "\"user:{}:phone\", value = String, expire = 3600"),
        "\"user:{id}:phone:string\", value = String, ttl = 3600s",
    ),
    ((ID, "\"user:%(id)s:city\", value = String, ex = 600"), "\"user:{id}:city:string\", value = String, ttl = 600s"),
    ((ID, "\"users/:id/name\", value = String, ttl = 1h"), "\"users:{id}:name:string\", value = String, ttl = 1h"),
    ((ID, "user:$id:lang, value = String, ttl = 1h"), "user:{id}:lang:string, value = String, ttl = 1h"),
    ((ID, "user:<id>:zone, value = String, ttl = 1h"), "user:{id}:zone:string, value = String, ttl = 1h"),
    ((ID, "user:[id]:mail, value = String, ttl = 1h"), "user:{id}:mail:string, value = String, ttl = 1h"),
    ((ID, "user:{{id}}:bio, value = String, ttl = 1h"), "user:{id}:bio:string, value = String, ttl = 1h"),
    (
        (ID, "\"user:${user.id}:theme\", value = String, ttl = 1h"),
        "\"user:{id}:theme:string\", value = String, ttl = 1h",
    ),
    ((ID, "\"user:#{id}:nick\", value = String, ttl = 1h"), "\"user:{#id}:nick:string\", value = String, ttl = 1h"),
    (
        (&[("user_id", "u64"), ("page", "u32")], "\"user:{0}:{1}\", value = u64, ttl = 1h"),
        "\"user:{user_id}:{page}:string\", value = u64, ttl = 1h",
    ),
    (
        (&[("user_id", "u64"), ("page", "u32")], "\"hits_%d_%d\", value = u64, ttl = 1h"),
        "\"hits:{user_id}:{page}:string\", value = u64, ttl = 1h",
    ),
    ((ID, "\"user:{id!r}:file\", value = String, ttl = 1h"), "\"user:{id}:file:string\", value = String, ttl = 1h"),
    (
        (ID, "\"order:{order.id:05}:items\", value = String, ttl = 1h"),
        "\"order:{id}:items:string\", value = String, ttl = 1h",
    ),
    ((ID, "user:*:views, value = u64, ttl = none"), "user:{id}:views:string, value = u64, ttl = never, reason = \"…\""),
    ((ID, "user:id:address:string, value = String, ttl = 1h"), "user:{id}:address:string, value = String, ttl = 1h"),
    // A first segment that is no module.
    ((ID, "{id}:status, value = String, ttl = 1h"), "user:{id}:status:string, value = String, ttl = 1h"),
    ((ID, "12:invoice:{id}:string, value = String, ttl = 1h"), "user:12:invoice:{id}:string, value = String, ttl = 1h"),
    // Types and values.
    (
        (ID, "user:tags:{id}:sorted_set, value = (String, f64), ttl = 1h"),
        "user:tags:{id}:zset, value = String, ttl = 1h",
    ),
    ((ID, "user:friends:{id}:HashSet, value = HashSet<u64>, ttl = 1h"), "user:friends:{id}:set, value = u64, ttl = 1h"),
    (
        (&[], "queue:mail:list, value = Vec<String>, max_len = 1k, ttl = 1day"),
        "queue:mail:list, value = String, max_len = 1000, ttl = 1d",
    ),
    (
        (ID, "user:score:{id}:string, value = Option<u64>, ttl = Duration::from_secs(60)"),
        "user:score:{id}:string, value = u64, ttl = 1m",
    ),
    (
        (ID, "user:login:{id}:hash, value = Json<Profile>, ttl = 1d"),
        "user:login:{id}:hash, value = Json<Profile>, ttl = 1d, field = String",
    ),
    (
        (ID, "user:flags:{id}:string, codec = json, value = Profile, ttl = 1h;"),
        "user:flags:{id}:string, value = Json<Profile>, ttl = 1h,",
    ),
    (
        (ID, "user:count:{id}, type = hash, field = String, value = u64, ttl = 1h"),
        "user:count:{id}:hash, field = String, value = u64, ttl = 1h",
    ),
    // Options.
    ((ID, "user:seen:{id}:string"), "user:seen:{id}:string, ttl = 1h, value = String"),
    (
        (ID, "key = \"user:{id}:alias\", ttl = 3600, type = String"),
        "\"user:{id}:alias:string\", ttl = 3600s, value = String",
    ),
    ((ID, "prefix = \"user:plan\", ttl = 1h, value = String"), "\"user:plan:{id}:string\", ttl = 1h, value = String"),
    (
        (ID, "value = String, ttl = 1h, \"user:{id}:motto:string\""),
        "\"user:{id}:motto:string\", value = String, ttl = 1h",
    ),
    ((ID, "user:visit:{id}:string value = u64 ttl = 1h"), "user:visit:{id}:string , value = u64 , ttl = 1h"),
    ((ID, "\"user:{}:quota\", id, value = u64, ttl = 1h"), "\"user:{id}:quota:string\", value = u64, ttl = 1h"),
    // Locks and rate limits.
    ((ID, "lock:invoice:{id}, value = lock, ttl = 30"), "lock:invoice:{id}:string, lock, ttl = 30s"),
    ((&[("ip", "String")], "rate:visit:{ip}, limit = 5, window = 60"), "rate:visit:{ip}:string, limit(5 / 1m)"),
];

/// Declarations whose suggestions edit more than a template and options.
const OTHER_KEYS: [Try; 12] = [
    (&[("price", "f64")], "shop:price:{price}:string, value = u64, ttl = 1h"),
    (&[("name", "Option<String>")], "shop:name:{name}:string, value = u64, ttl = 1h"),
    (&[("bytes", "Vec<u8>")], "shop:bytes:{bytes}:string, value = u64, ttl = 1h"),
    (&[("at", "DateTime<Utc>")], "shop:at:{at}:string, value = u64, ttl = 1h"),
    (
        &[("m", "redis_keys::parameter::bucket::Month")],
        "shop:sales:{m}:string, value = u64, ttl = 1h, ttl_from_end_of = m, renew = write",
    ),
    (ID, "shop:hot:{id}:string, value = u64, ttl = 1h, copies = 8"),
    (ID, "shop:tags:{id}:string, value = u64, ttl = 1h, shards = 10, copies = 1"),
    (ID, "cache:item:{id}:string, value = u64, ttl = 1h, refresh_ahead = 0.8, allow = missing_jitter, jitter = 2h"),
    (ID, "order:lock:{id}:string, value = Lock, lease = 10s, jitter = 1s, max_bytes = 1KB"),
    (ID, "queue:letter:{id}:list, value = Job<String>, max_tries = 99, ttl = never"),
    (ID, "feed:news:{id}:list, value = &str, max_len = 10, keep_last = ~20, ttl = 1h, ttl = 2h, owner = web"),
    (ID, "rate:lookup:{id}:string, value = u64, ttl = 1h, burst = 20"),
];

pub(super) fn item_of((fields, attribute): Try) -> Item<'static> {
    item(fields.iter().map(|(name, ty)| field(name, ty)).collect(), attribute)
}

#[test]
fn first_tries_become_valid_by_suggestions_alone() {
    let mut wrong = String::new();
    for (first_try, meant) in FIRST_TRIES {
        // All suggestions at once, or one after the other.
        for at_once in [usize::MAX, 1] {
            let (item, left) = repaired(&item_of(first_try), |item| check(item).diagnostics, at_once);
            let text = item.attributes.first().and_then(Attribute::text).unwrap_or_default();
            if !left.is_empty() || (at_once > 1 && text != meant) {
                let _ = writeln!(wrong, "{}\n  {text}\n  {meant}\n{left:#?}", first_try.1);
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn the_compiler_compiles_what_suggestions_lead_to() {
    let source = source();
    if env::var_os("SNAPSHOTS").is_some_and(|value| value == "overwrite") {
        assert!(fs::write(FILE, &source).is_ok(), "{FILE} cannot be written");
    }
    assert_eq!(fs::read_to_string(FILE).unwrap_or_default(), source, "{FILE} is not as expected");
}

/// The source of all repaired items.
fn source() -> String {
    let mut source = "//! First tries, as they are when only the suggestions of the compiler are followed.\n//!\n\
                      //! A test of `redis-keys-schema` writes this file.\n\
                      #![allow(dead_code, reason = \"each item is of interest by itself\")]\n\
                      #![allow(deprecated, reason = \"some of the keys could be fields of one hash\")]\n\n\
                      use redis_keys::KeySegment;\nuse redis_keys::prelude::*;\n\n\
                      #[derive(serde::Serialize, serde::Deserialize)]\nstruct Profile {\n    name: String,\n}\n"
        .to_owned();
    let tries =
        FIRST_TRIES.iter().map(|(first_try, _)| *first_try).chain(OTHER_KEYS).chain(followed_help::declarations());
    for (index, first_try) in tries.enumerate() {
        let (item, _) = repaired(&item_of(first_try), |item| check(item).diagnostics, usize::MAX);
        let attribute = item.attributes.first().and_then(Attribute::text).unwrap_or_default();
        let _ = write!(source, "\n// {}\n#[derive(RedisKey)]\n#[redis_key({attribute})]\n", first_try.1);
        write_struct(&format!("Key{index}"), &item.fields, "redis_key", &mut source);
    }
    let (record, _) = repaired(&record(), |item| check_record(item, &Policy::default()).diagnostics, usize::MAX);
    source += "\n#[derive(RedisHash)]\n";
    write_struct("Record", &record.fields, "redis_hash", &mut source);
    let (segment, _) = repaired(&segment(), |item| check_segment(item).diagnostics, usize::MAX);
    source += "\n#[derive(KeySegment)]\nenum Segment {\n";
    for variant in &segment.variants {
        for attribute in variant.attributes.iter().filter_map(Attribute::text) {
            let _ = writeln!(source, "    #[redis_key({attribute})]");
        }
        let _ = writeln!(source, "    {},", variant.name);
    }
    source + "}\n"
}

fn write_struct(name: &str, fields: &[Field<'_>], attribute: &str, source: &mut String) {
    if fields.is_empty() {
        let _ = writeln!(source, "struct {name};");
        return;
    }
    let _ = writeln!(source, "struct {name} {{");
    for field in fields {
        for text in field.attributes.iter().filter_map(Attribute::text) {
            let _ = writeln!(source, "    #[{attribute}({text})]");
        }
        let _ = writeln!(source, "    {}: {},", field.name, field.ty);
    }
    *source += "}\n";
}

/// A record with one of each kind of suggestion.
fn record() -> RecordItem<'static> {
    let of = |name: &str, ty: &'static str, attribute: &'static str| {
        let attributes = if attribute.is_empty() { vec![] } else { vec![Attribute::Arguments(attribute)] };
        Field { name: name.to_owned(), ty, phantom: false, attributes }
    };
    let fields = vec![
        of("id", "u64", ""),
        of("name", "&str", "name = \"full name\""),
        of("age", "u8", "expire = 600"),
        of("nick", "Option<String>", "default"),
        of("profile", "Profile", "json, rename = me rename = you"),
        of("other", "Json<Profile>", ""),
        of("mail", "String", "optional, ttl = never"),
        of("visits", "Option<Option<u64>>", "default = 5"),
    ];
    RecordItem { shape: RecordShape::Named, lifetimes: vec![], attributes: vec![], fields }
}

/// An enum with one of each kind of suggestion.
fn segment() -> SegmentItem<'static> {
    let variant = |name: &str, attribute: &'static str| Variant {
        name: name.to_owned(),
        has_fields: attribute.is_empty(),
        attributes: if attribute.is_empty() { vec![] } else { vec![Attribute::Arguments(attribute)] },
    };
    let variants = vec![
        variant("Fields", ""),
        variant("Renamed", "rename = \"basicInfo\""),
        variant("Named", "name = other"),
        variant("Quoted", "\"third\""),
        variant("Twice", "rename = \"one\", rename = \"two\""),
    ];
    SegmentItem { shape: Shape::Enum, attributes: vec![], fields: vec![], variants }
}

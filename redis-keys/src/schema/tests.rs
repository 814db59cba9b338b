//! The serialized schema. The names and meanings of its fields never change.

use redis_keys_macros::RedisKey;
use serde_json::{Value, json};

use crate::RedisKey as _;
use crate::schema::Schema;
use crate::types::copies::CopiedKey as _;

/// How often a page was seen.
///
/// By anybody.
#[derive(RedisKey)]
#[redis_key(page:seen:{page}:string, value = u64, ttl = 1d, jitter = 10m, crate = crate)]
struct Views {
    page: u32,
}

#[derive(RedisKey)]
#[redis_key(
    cart:{#user % 16}:{sort}:v.{name}:stream,
    value = Entry, ttl = 7d, renew = below(1h), keep_last = ~100, max_member_bytes = 1KB,
    owner = "the \"shop\"", reason = "asked for\nby law",
    allow(overlap, unneeded_allow, reason = "it\nis so"), allow(sibling_fields, reason = "they: differ"),
    crate = crate,
)]
struct Carts<'a> {
    user: u64,
    #[redis_key(digest)]
    name: Vec<u8>,
    #[redis_key(base32)]
    sort: &'a str,
}

#[derive(redis_keys_macros::RedisHash)]
#[redis_hash(crate = crate)]
struct Entry {
    #[allow(dead_code, reason = "only its schema is of interest")]
    name: String,
}

#[derive(RedisKey)]
#[redis_key(app:names:{day}:hash, field = String, value = Vec<u8>, ttl = 1d, ttl_from_end_of = day, max_len = 10, crate = crate)]
struct Names {
    day: crate::parameter::bucket::Day,
}

#[derive(RedisKey)]
#[redis_key(app:top:all:zset, value = u64, ttl = never, reason = "the books", rebuild = "from the books", keep_top = 10, crate = crate)]
struct Top;

#[derive(RedisKey)]
#[redis_key(app:hot:{id}:{copy}:string, value = u64, ttl = 1d, copies = 8, allow(overlap, reason = "it is the same"), crate = crate)]
struct Hot {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(app:page:{id}:string, value = u64, ttl = 1d, jitter = 1h, cache(null_ttl = 5m, lease = 2s, refresh = 80%, near = 10s, stale = 1h), crate = crate)]
struct CachedPage {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(lock:order:{id}:string, lock, ttl = 30s, crate = crate)]
struct OrderLock {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(rate:api:{user}:string, limit(100 / 1m, burst = 20), crate = crate)]
struct ApiLimit {
    user: u64,
}

#[derive(RedisKey)]
#[redis_key(queue:mail:all:zset, value = Json<u64>, ttl = 7d, jobs(lease = 2m, tries = 3), crate = crate)]
struct Mails;

#[derive(RedisKey)]
#[redis_key(
    user:known.ids:all:bitmap, value = u64, ttl = 7d,
    bloom(expected = 100_000, false_positives = 1%), crate = crate
)]
struct KnownUsers;

/// Types that have signs between their words.
#[derive(RedisKey)]
#[redis_key(app:typed:{id}:{text}:hash, field = Json<(u8,u8)>, value = Json<[u8;2]>, ttl = 1d, crate = crate)]
struct TypedHash<'t> {
    #[redis_key(base32)]
    id: [u8; 16],
    text: std::borrow::Cow<'t, str>,
}

#[test]
fn types_are_shown_as_they_are_written() {
    let types: Vec<_> = TypedHash::SCHEMA.parameters.iter().map(|parameter| parameter.type_name).collect();
    assert_eq!(types, ["[u8; 16]", "std::borrow::Cow<'t, str>"]);
    assert_eq!(TypedHash::SCHEMA.value, Some("Json<[u8; 2]>"));
    assert_eq!(TypedHash::SCHEMA.field, Some("Json<(u8, u8)>"));
}

/// The line and the file are where they happen to be.
fn shown(schema: &'static Schema) -> Value {
    let mut shown = serde_json::to_value(schema).unwrap();
    assert_eq!(shown["line"], json!(schema.line));
    assert_eq!(shown["file"], json!(schema.file));
    assert!(schema.line > 0 && schema.file.ends_with("tests.rs"));
    shown["line"] = json!(0);
    shown["file"] = json!("");
    shown
}

#[test]
fn a_schema_is_data() {
    let schemas = [Views::SCHEMA, Carts::SCHEMA, Names::SCHEMA, Top::SCHEMA, Hot::SCHEMA].into_iter();
    let patterns = [CachedPage::SCHEMA, OrderLock::SCHEMA, ApiLimit::SCHEMA, Mails::SCHEMA, KnownUsers::SCHEMA];
    let schemas: Vec<_> = schemas.chain(patterns).map(shown).collect();
    let golden: Value = serde_json::from_str(include_str!("golden.json")).unwrap();
    assert_eq!(Value::from(schemas.clone()), golden, "{:#}", Value::from(schemas));
}

/// As the page of `Schema` lists them.
#[test]
fn fields_are_in_the_order_of_the_declaration() {
    let text = serde_json::to_string(Views::SCHEMA).unwrap();
    let names = [
        "name",
        "template",
        "type",
        "legacy",
        "formerly",
        "parameters",
        "ttl_ms",
        "jitter_ms",
        "ttl_from_end_of",
        "renew",
        "renew_below_ms",
        "pattern",
        "null_ttl_ms",
        "lease_ms",
        "refresh_percent",
        "near_ms",
        "stale_ms",
        "limit",
        "limit_per_ms",
        "burst",
        "tries",
        "expected",
        "false_positives_per_million",
        "bits",
        "value",
        "field",
        "max_bytes",
        "max_len",
        "max_member_bytes",
        "keep_last",
        "keep_about",
        "keep_top",
        "max_key_bytes",
        "reason",
        "rebuild",
        "owner",
        "docs",
        "allowed",
        "file",
        "line",
    ];
    let places: Vec<_> = names.iter().map(|name| text.find(&format!("\"{name}\":")).unwrap()).collect();
    assert!(places.is_sorted(), "{text}");
    let shown = serde_json::to_value(Views::SCHEMA).unwrap();
    assert_eq!(shown.as_object().unwrap().len(), names.len());
}

#[test]
fn what_is_allowed_has_its_reason() {
    let allowed: Vec<_> = Carts::SCHEMA.allowed.iter().map(|allowed| (allowed.lint, allowed.reason)).collect();
    assert_eq!(allowed, [("overlap", "it is so"), ("unneeded_allow", "it is so"), ("sibling_fields", "they: differ")]);
    assert!(Views::SCHEMA.allowed.is_empty() && !Carts::SCHEMA.allowed.is_empty());
}

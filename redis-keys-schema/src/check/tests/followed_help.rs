//! Wrong declarations whose suggestions, followed literally, end in the declaration that was meant.
//!
//! The compiler compiles what becomes of them in `ui-tests/pass/first_tries.rs`.

use std::fmt::Write as _;

use super::first_tries::{Try, item_of};
use super::*;
use crate::tests::applied::repaired;

const ID: &[(&str, &str)] = &[("id", "u64")];
const USER: &[(&str, &str)] = &[("user_id", "u64")];
const PLACE: &[(&str, &str)] = &[("shop", "u64"), ("item", "u64")];
const TEXTS: &[(&str, &str)] = &[("one", "String"), ("other", "String")];

/// A wrong declaration with what it becomes: the attribute, and those of fields.
type FollowedHelp = (Try, &'static str, &'static str);

#[rustfmt::skip]
const FOLLOWED: [FollowedHelp; 47] = [
    // The text of a key that exists, as an expression.
    (
        (USER, "old:name:{user_id}:string, value = String, ttl = 1h, formerly = 'User:{user_id}'"),
        "old:name:{user_id}:string, value = String, ttl = 1h, formerly = \"User:{user_id}\"", "",
    ),
    (
        (PLACE, "old:item:{shop}:{item}:string, value = String, ttl = 1h, formerly = format!(\"item{shop}_{item}\")"),
        "old:item:{shop}:{item}:string, value = String, ttl = 1h, formerly = \"item{shop}_{item}\"", "",
    ),
    (
        (PLACE, "old:part:{shop}:{item}:string, value = String, ttl = 1h, formerly = format!(\"part{}_{}\", item, &self.shop)"),
        "old:part:{shop}:{item}:string, value = String, ttl = 1h, formerly = \"part{item}_{shop}\"", "",
    ),
    (
        (USER, "old:mail:{user_id}:string, value = String, ttl = 1h, legacy = concat!(\"Mail:\", \"{user_id}\")"),
        "old:mail:{user_id}:string, value = String, ttl = 1h, legacy = \"Mail:{user_id}\"", "",
    ),
    (
        (USER, "old:city:{user_id}:string, value = String, ttl = 1h, legacy = \"City:{user_id}\".to_string()"),
        "old:city:{user_id}:string, value = String, ttl = 1h, legacy = \"City:{user_id}\"", "",
    ),
    (
        (USER, "old:town:{user_id}:string, value = String, ttl = 1h, legacy = String::from(\"Town:{user_id}\")"),
        "old:town:{user_id}:string, value = String, ttl = 1h, legacy = \"Town:{user_id}\"", "",
    ),
    ((USER, "rate:calls:{user_id}:string, limit = 10 / 1s, legacy = \"rl:{user_id}\""), "rate:calls:{user_id}:string, limit(10 / 1s)", ""),
    (
        (USER, "old:team:{user_id}:string, value = String, ttl = 1h, owner = \"web\".to_owned()"),
        "old:team:{user_id}:string, value = String, ttl = 1h, owner = \"web\"", "",
    ),
    // Options of fields.
    ((&[("page", "String")], "shop:page:{page}:string, value = String, ttl = 1h, slug"), "shop:page:{page}:string, value = String, ttl = 1h", "page: slug"),
    (
        (&[("page", "String"), ("n", "u64")], "shop:part:{page}:{n}:string, value = String, slug = 60, ttl = 1h"),
        "shop:part:{page}:{n}:string, value = String, ttl = 1h", "page: slug = 60",
    ),
    ((TEXTS, "shop:find:{one}:{other}:string, value = String, ttl = 1h, digest = other"), "shop:find:{one}:{other}:string, value = String, ttl = 1h", "other: digest"),
    ((TEXTS, "shop:file:{one}:{other}:string, value = String, digest(one), ttl = 1h"), "shop:file:{one}:{other}:string, value = String, ttl = 1h", "one: digest"),
    // Stored forms.
    ((ID, "user:login:{id}:string, value = String, secret, ttl = 1d"), "user:login:{id}:string, value = Secret<String>, ttl = 1d", ""),
    ((ID, "user:token:{id}:string, encrypted = true, value = Json<Profile>, ttl = 1d"), "user:token:{id}:string, value = Secret<Json<Profile>>, ttl = 1d", ""),
    ((ID, "user:json:{id}:string, value = Profile, json, ttl = 1d"), "user:json:{id}:string, value = Json<Profile>, ttl = 1d", ""),
    ((ID, "user:plain:{id}:string, value = Json<Profile>, compress = false, ttl = 1d"), "user:plain:{id}:string, value = Json<Profile>, ttl = 1d", ""),
    ((ID, "user:small:{id}:string, value = Json<Profile>, zstd, ttl = 1d"), "user:small:{id}:string, value = Zstd<Json<Profile>>, ttl = 1d", ""),
    ((ID, "user:tiny:{id}:string, compress, value = String, ttl = 1d"), "user:tiny:{id}:string, value = Zstd<String>, ttl = 1d", ""),
    ((ID, "user:map:{id}:hash, value = HashMap<String, u64>, ttl = 1h"), "user:map:{id}:hash, field = String, value = u64, ttl = 1h", ""),
    // Values without a name.
    ((ID, "\"bare:name:{id}:string\", String, \"1h\""), "\"bare:name:{id}:string\", value = String, ttl = 1h", ""),
    ((ID, "\"bare:data:{id}:string\", Json<Profile>, 3600"), "\"bare:data:{id}:string\", value = Json<Profile>, ttl = 3600s", ""),
    ((ID, "bare:count:{id}:string, u64, 90 d"), "bare:count:{id}:string, value = u64, ttl = 90d", ""),
    ((ID, "bare:text:{id}:string, value = String, 1h"), "bare:text:{id}:string, value = String, ttl = 1h", ""),
    ((ID, "bare:map:{id}:hash, String, u64, 1d"), "bare:map:{id}:hash, field = String, value = u64, ttl = 1d", ""),
    ((ID, "bare:time:{id}:string, value: String, ttl: 60 * 60"), "bare:time:{id}:string, value = String, ttl = 1h", ""),
    // Last segments that name a role or a form.
    ((ID, "lock:first:{id}:lock, ttl = 30s"), "lock:first:{id}:string, ttl = 30s, lock", ""),
    ((ID, "lock:second:{id}:lock"), "lock:second:{id}:string, ttl = 30s, lock", ""),
    ((ID, "lock:third:{id}:lock, value = Lock, ttl = 30s"), "lock:third:{id}:string, lock, ttl = 30s", ""),
    ((ID, "data:profile:{id}:json, value = Profile, ttl = 1h"), "data:profile:{id}:string, value = Json<Profile>, ttl = 1h", ""),
    ((ID, "data:small:{id}:zstd, value = Json<Profile>, ttl = 1h"), "data:small:{id}:string, value = Zstd<Json<Profile>>, ttl = 1h", ""),
    ((ID, "data:any:{id}:json, ttl = 1h"), "data:any:{id}:string, ttl = 1h, value = Json<Profile>", ""),
    (
        (ID, "data:seen:{id}:bloom, value = u64, expected = 1e4, false_positives = 0.01, ttl = 1d"),
        "data:seen:{id}:bitmap, value = u64, bloom(expected = 10000, false_positives = 1%), ttl = 1d", "",
    ),
    // Shards and hash tags.
    ((USER, "near:first:{user_id / 1000}:set, value = u64, ttl = 30d"), "near:first:{user_id % 1000}:set, value = u64, ttl = 30d", ""),
    ((USER, "near:second:{user_id & 1023}:set, value = u64, ttl = 30d"), "near:second:{user_id % 1024}:set, value = u64, ttl = 30d", ""),
    ((USER, "near:third:{self.user_id >> 4}:set, value = u64, ttl = 30d"), "near:third:{user_id % 16}:set, value = u64, ttl = 30d", ""),
    ((USER, "near:fourth:{hash(user_id) % 16}:set, value = u64, ttl = 30d"), "near:fourth:{user_id % 16}:set, value = u64, ttl = 30d", ""),
    ((USER, "near:fifth:{#user_id mod 16}:set, value = u64, ttl = 30d"), "near:fifth:{#user_id % 16}:set, value = u64, ttl = 30d", ""),
    ((ID, "near:sixth:{id}:string, value = u64, hash_tag = id, ttl = 1d"), "near:sixth:{#id}:string, value = u64, ttl = 1d", ""),
    // Options of other libraries.
    ((ID, "other:lasts:{id}:string, value = String, persist"), "other:lasts:{id}:string, value = String, ttl = never, reason = \"…\"", ""),
    ((ID, "other:short:{id}:string, value = String, ttl = 1h, no_expiry"), "other:short:{id}:string, value = String, ttl = 1h", ""),
    ((ID, "other:day:{id}:string, value = String, ttl = chrono::Duration::days(1)"), "other:day:{id}:string, value = String, ttl = 1d", ""),
    ((ID, "other:space:{id}:string, value = String, ttl = 1h, namespace = \"shop\""), "other:space:{id}:string, value = String, ttl = 1h", ""),
    ((ID, "other:log:{id}:stream, value = Record, ttl = 1h, maxlen = ~1000"), "other:log:{id}:stream, value = Record, ttl = 1h, keep_last = ~1000", ""),
    ((ID, "other:top:{id}:zset, value = u64, score = f64, top = 100, ttl = 1d"), "other:top:{id}:zset, value = u64, keep_top = 100, ttl = 1d", ""),
    (
        (&[("id", "u64"), ("month", "redis_keys::parameter::bucket::Month")], "other:sales:{id}:{month}:string, value = u64, ttl = 1d, expire_at = month"),
        "other:sales:{id}:{month}:string, value = u64, ttl = 1d, ttl_from_end_of = month", "",
    ),
    ((ID, "other:calls:{id}:string, limit = 100 per minute"), "other:calls:{id}:string, limit(100 / 1m)", ""),
    ((ID, "'other:quoted:{id}:string', value = String, ttl = 1h"), "other:quoted:{id}:string, value = String, ttl = 1h", ""),
];

pub(super) fn declarations() -> impl Iterator<Item = Try> {
    FOLLOWED.iter().map(|(wrong, ..)| *wrong)
}

#[test]
fn help_that_is_followed_literally_ends_in_what_was_meant() {
    let mut wrong = String::new();
    for (declaration, meant, fields) in FOLLOWED {
        assert!(!check(&item_of(declaration)).diagnostics.is_empty(), "{} is right", declaration.1);
        // All suggestions at once, or one after the other.
        for at_once in [usize::MAX, 1] {
            let (item, left) = repaired(&item_of(declaration), |item| check(item).diagnostics, at_once);
            let text = item.attributes.first().and_then(Attribute::text).unwrap_or_default();
            let of_fields = item.fields.iter().flat_map(|field| {
                field.attributes.iter().filter_map(|text| Some(format!("{}: {}", field.name, text.text()?)))
            });
            let of_fields = of_fields.collect::<Vec<_>>().join(", ");
            if !left.is_empty() || [text, &of_fields] != [meant, fields] {
                let _ = writeln!(wrong, "{}\n  {text} {of_fields}\n  {meant} {fields}\n{left:#?}", declaration.1);
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn an_expression_whose_text_is_elsewhere_is_no_text() {
    for expression in ["OLD", "keys::OLD", "format!(\"User:{}\", id())", "concat!(\"User:\", id)"] {
        let attribute = format!("user:name:{{id}}:string, value = String, ttl = 1h, legacy = {expression}");
        let what = if expression.ends_with("OLD") { "the constant " } else { "" };
        let checked = checked(&["id"], &attribute);
        let [error] = &checked.diagnostics[..] else { panic!("{:?}", checked.diagnostics) };
        assert_eq!(error.message, format!("expected a text in quotes, found {what}`{expression}`"));
        assert_eq!(
            error.suggestion,
            "write its text, as in `legacy = \"User:{user_id}:Profile\"`: a derive cannot evaluate an expression"
        );
        assert!(error.edits.is_empty(), "{error:?}");
    }
    let help = "write its text, as in `owner = \"…\"`: a derive cannot evaluate an expression";
    options_report("ttl = 1h, owner = TEAM", "TEAM", Rule::Declaration, help);
}

#[test]
fn an_option_of_fields_without_one_field_names_none() {
    let fields = || TEXTS.iter().map(|(name, ty)| field(name, ty)).collect();
    let help = "move it to a field: `#[redis_key(digest)]` before its name";
    let attribute = "shop:find:{one}:{other}:string, value = String, ttl = 1h, digest";
    item_reports(fields(), attribute, &[("digest", Rule::Declaration, help)]);
}

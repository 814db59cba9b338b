//! The item, its attributes, and what a right declaration says.

use std::time::Duration;

use super::*;
use crate::{Part, Ttl};

/// The places that are reported for an item with these attributes.
fn places(shape: Shape, attributes: Vec<Attribute<'_>>) -> Vec<Place> {
    let checked = check(&Item { name: "Case".to_owned(), shape, documented: true, attributes, fields: vec![] });
    checked.diagnostics.iter().map(|diagnostic| diagnostic.place.clone()).collect()
}

const RIGHT: Attribute<'_> = Attribute::Arguments("user:name:all:string, value = u64, ttl = 1h");

#[test]
fn keys_are_structs_with_one_attribute() {
    let value = Attribute::Value("\"user:name:all:string\"");
    for (shape, attributes, expected) in [
        (Shape::Struct, vec![RIGHT], vec![]),
        (Shape::Enum, vec![RIGHT], vec![Place::Item]),
        (Shape::Union, vec![RIGHT], vec![Place::Item]),
        (Shape::Struct, vec![], vec![Place::Item]),
        (Shape::Struct, vec![Attribute::Word], vec![Place::WholeAttribute(0)]),
        (Shape::Struct, vec![value], vec![Place::WholeAttribute(0)]),
        (Shape::Struct, vec![RIGHT, RIGHT], vec![Place::WholeAttribute(1)]),
    ] {
        assert_eq!(places(shape, attributes.clone()), expected, "{shape:?} {attributes:?}");
    }
}

#[test]
fn a_declaration_is_read_whole() {
    let attribute =
        "cart : { # user } : v.{n} : string, value = \"Json<Cart>\", ttl = 1h30m, jitter = 10%, max_bytes = 64KB";
    let checked = checked(&["n", "user"], attribute);
    let template = template(&checked);
    assert_eq!(template.text, "cart:{#user}:v.{n}:string");
    let shown: Vec<_> = template
        .parts
        .iter()
        .map(|part| match part {
            Part::Literal(text) => text.clone(),
            Part::Placeholder(placeholder) => {
                format!("{placeholder} {:?} {}", placeholder.field, placeholder.whole_segment)
            }
        })
        .collect();
    assert_eq!(shown, ["cart:{", "{#user} Some(1) true", "}:v.", "{n} Some(0) false", ":string"]);
    assert_eq!(template.literal_bytes(), "cart:{}:v.:string".len());
    assert_eq!(checked.declaration.ttl(), Some(Ttl::After(Duration::from_secs(5400))));
    assert_eq!(checked.declaration.expiry().jitter(), Duration::from_secs(540));
    let value = checked.declaration.options.value.as_ref().map(|given| &attribute[given.range.clone()]);
    assert_eq!(value, Some("Json<Cart>"));
    assert_eq!(
        checked.declaration.summary(),
        "`cart:{#user}:v.{n}:string`, a string that expires after 1h30m, plus up to 10% of jitter, of at most 64KB."
    );
}

#[test]
fn summaries_say_what_is_declared() {
    let summary =
        |options: &str| checked(&[], &format!("user:name:all:string, value = u64, {options}")).declaration.summary();
    let key = "`user:name:all:string`, a string that";
    assert_eq!(summary("ttl = never, reason = \"x\""), format!("{key} never expires."));
    assert_eq!(summary("ttl = 7d, jitter = 1h"), format!("{key} expires after 1w, plus up to 1h of jitter."));
    assert_eq!(
        checked(&["month"], "user:tasks:{month}:set, value = u64, ttl = 90d, jitter = 1d, ttl_from_end_of = month")
            .declaration
            .summary(),
        "`user:tasks:{month}:set`, a set that expires after 90d from the end of its month, plus up to 1d of jitter."
    );
    assert_eq!(summary("ttl = 1h, renew = write"), format!("{key} expires after 1h, renewed at each write."));
    assert_eq!(summary("ttl = 1h, renew = read"), format!("{key} expires after 1h, renewed at each read and write."));
    let cached = "absence after 5m, refreshed after 80% of the ttl";
    assert_eq!(summary("ttl = 1h, cache(null_ttl = 5m, refresh = 80%)"), format!("{key} expires after 1h, {cached}."));
    assert_eq!(
        summary("ttl = 1h, cache(null_ttl = 5m, near = 10s)"),
        format!("{key} expires after 1h, absence after 5m, with near copies of up to 10s.")
    );
    let stale = "with expired values for up to 1h when a load fails";
    assert_eq!(
        summary("ttl = 1h, cache(null_ttl = 5m, stale = 1h)"),
        format!("{key} expires after 1h, absence after 5m, {stale}.")
    );
    assert_eq!(summary("ttl = 1h, owner = \"shop\""), format!("{key} expires after 1h. Owner: shop."));
    let of = |attribute: &str| checked(&[], attribute).declaration.summary();
    let lock = of("order:lock:all:string, lock, ttl = 30s");
    assert_eq!(lock, "`order:lock:all:string`, a lock that expires after 30s.");
    let limit = of("rate:api:all:string, limit(100 / 1m)");
    assert_eq!(limit, "`rate:api:all:string`, a rate limit of 100 per 1m that expires after 1m.");
    let limit = of("rate:api:all:string, limit(100 / 1m, burst = 20), owner = \"web\"");
    let burst = "a rate limit of 100 per 1m in bursts of up to 20 that expires after 12s. Owner: web.";
    assert_eq!(limit, format!("`rate:api:all:string`, {burst}"));
    let queue = of("queue:mail:all:zset, value = Json<Mail>, jobs(lease = 2m), ttl = 7d, max_len = 100");
    let jobs = "a queue of jobs that expires after 1w, leased for 2m, with up to 5 tries, of at most 100 elements.";
    assert_eq!(queue, format!("`queue:mail:all:zset`, {jobs}"));
    let legacy = of("user:name:all:string, value = u64, ttl = 1h, legacy = \"UserNames\"");
    assert_eq!(legacy, "`user:name:all:string`, a string called `UserNames` that expires after 1h.");
    let formerly = of("user:name:all:string, value = u64, ttl = 1h, formerly = \"UserNames\"");
    assert_eq!(formerly, "`user:name:all:string`, a string formerly called `UserNames` that expires after 1h.");
    let below = "renewed at a read that finds less than 10m left";
    assert_eq!(summary("ttl = 1h, renew = below(10m)"), format!("{key} expires after 1h, {below}."));
}

//! How long the file keeps a former shape.

use std::time::Duration;

use super::super::expires_after;
use super::schema;

#[test]
fn a_former_shape_is_kept_as_long_as_its_values_and_two_weeks() {
    const HOUR: u64 = 60 * 60;
    const GRACE: u64 = 14 * 24 * HOUR;
    let string = |options: &str| format!("user:name:{{id}}:string, value = String, {options}");
    let cases = [
        (string("ttl = 1h"), Some(HOUR)),
        (string("ttl = 1h, jitter = 10m"), Some(HOUR + 600)),
        (string("ttl = 1h, cache(null_ttl = 5m, stale = 2h)"), Some(3 * HOUR)),
        // A write replaces the value.
        (string("ttl = 1h, renew = write"), Some(HOUR)),
        (string("ttl = 1h, renew = read"), None),
        (string("ttl = 1h, renew = below(10m)"), None),
        (string("ttl = never, reason = \"a reason that explains it\""), None),
        ("user:name:{id}:list, value = String, ttl = 1h".to_owned(), Some(HOUR)),
        ("user:name:{id}:list, value = String, ttl = 1h, renew = write".to_owned(), None),
        ("user:name:{id}:channel, value = String".to_owned(), Some(0)),
        ("queue:mail:{id}:zset, value = String, ttl = 7d, jobs".to_owned(), None),
        ("user:name:{day}:string, value = String, ttl = 1h, ttl_from_end_of = day".to_owned(), Some(25 * HOUR)),
    ];
    for (attribute, expected) in cases {
        let expected = expected.map(|life| Duration::from_secs(life + GRACE));
        assert_eq!(expires_after(&schema(&attribute)), expected, "{attribute}");
    }
}

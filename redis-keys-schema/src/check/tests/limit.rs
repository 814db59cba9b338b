//! Rate limits: `limit` and `burst`.

use std::time::Duration;

use super::*;

/// Asserts what is reported for the options of a key without others.
#[track_caller]
fn limit_reports(options: &str, expected: &[ExpectedMessage<'_>]) {
    reports(&["id"], &format!("rate:api:{{id}}:string, {options}"), expected);
}

/// Asserts the one error of a limit, and that there is none when its suggestion is followed.
#[track_caller]
fn limit_reports_one(limit: &str, rule: Rule, help: &str) {
    limit_reports(&format!("limit({limit})"), &[(limit, rule, help)]);
    let suggested = help.split('`').nth(1).unwrap_or_default();
    limit_reports(&format!("limit({suggested})"), &[]);
}

#[test]
fn the_ttl_follows_from_the_limit() {
    let limit = |options: &str| {
        let attribute = format!("user:api:{{id}}:string, {options}");
        let checked = checked(&["id"], &attribute);
        assert_eq!(*checked.diagnostics, [], "{attribute}");
        let limit = checked.declaration.limit();
        let ttl = checked.declaration.ttl();
        (limit.map(|(rate, burst)| (rate.count, rate.per.as_millis(), burst)), ttl)
    };
    let after = |millis| Some(crate::Ttl::After(Duration::from_millis(millis)));
    assert_eq!(limit("limit(100 / 1m)"), (Some((100, 60_000, 100)), after(60_000)));
    assert_eq!(limit("limit(100/1m, burst = 20)"), (Some((100, 60_000, 20)), after(12_000)));
    assert_eq!(limit("limit(\"3 / 1s\", burst = 1)"), (Some((3, 1000, 1)), after(334)));
    assert_eq!(limit("limit(1_000_000 / 1s, burst = 1)"), (Some((1_000_000, 1000, 1)), after(1)));
    assert_eq!(limit("limit(7 / 1h)"), (Some((7, 3_600_000, 7)), after(3_600_001)));
    assert_eq!(limit("limit(1 / 3650d)"), (Some((1, 315_360_000_000, 1)), after(315_360_000_000)));
    for other in ["owner = \"web\"", "reason = \"x\"", "allow(unusual_ttl, reason = \"x\")"] {
        assert!(limit(&format!("limit(1 / 1h30m), {other}")).0.is_some(), "{other}");
    }
}

#[test]
fn a_limit_is_a_number_in_a_period() {
    let report = |limit, help| limit_reports_one(limit, Rule::RateLimit, help);
    report("\"100/min\"".trim_matches('"'), "write `100 / 1m`");
    report("100/m", "write `100 / 1m`");
    report("100 per 1m", "write `100 / 1m`");
    report("100", "write `100 / 1m`");
    report("100 / 60", "write `100 / 1m`");
    report("100 / 1 hour", "write `100 / 1h`");
    report("1.5 / 1s", "write `1 / 1s`");
    report("1m / 100", "write `1 / 1m40s`");
    report("0 / 1s", "write `100 / 1s`");
    report("LIMIT / 1s", "write `100 / 1s`");
    report("soon", "write `100 / 1m`");
    report("-5 / 1s", "write `100 / 1s`");
    report("2_000_000_000 / 1s", "write `1000000 / 1s` or less");
    report("2_000_000_000 / 365d", "write `1000000000 / 365d` or less");
    report("5 / 4000d", "write `5 / 3650d` or less");
    report("5 / 99999999999999999999w", "write `5 / 3650d` or less");
    limit_reports("limit", &[("limit", Rule::RateLimit, "write `limit(100 / 1m)`")]);
    limit_reports("limit()", &[("limit", Rule::RateLimit, "write `limit(100 / 1m)`")]);
    limit_reports("limit(burst = 20)", &[("limit", Rule::RateLimit, "write `limit(100 / 1m, burst = 20)`")]);
    limit_reports("limit(100, 1m)", &[("100, 1m", Rule::RateLimit, "write `100 / 1m`")]);
    limit_reports("limit(100 / 1m, 20)", &[("20", Rule::Declaration, "write `burst = 20`")]);
    // Each is one error, also beside a burst.
    limit_reports("limit(100/min, burst = 20)", &[("100/min", Rule::RateLimit, "write `100 / 1m`")]);
}

#[test]
fn a_limit_has_no_legacy_text() {
    for legacy in ["legacy", "formerly"] {
        let options = format!("limit(100 / 1m), {legacy} = \"calls:{{id}}\"");
        limit_reports(&options, &[(legacy, Rule::Declaration, "remove it")]);
    }
}

#[test]
fn a_limit_can_be_kept_in_whole_microseconds() {
    limit_reports("limit(10_001 / 1s)", &[]);
    limit_reports("limit(1_000_000 / 1s)", &[]);
    limit_reports_one("30_000 / 1s", Rule::RateLimit, "write `29412 / 1s`");
    limit_reports_one("1_000_000_000 / 1m", Rule::RateLimit, "write `60000000 / 1m`");
    let checked = checked(&["id"], "rate:api:{id}:string, limit(30_000 / 1s, burst = 20)");
    let [diagnostic] = &checked.diagnostics[..] else { panic!("{:?}", checked.diagnostics) };
    assert_eq!(
        diagnostic.message,
        "`30_000 / 1s` is too fast for whole microseconds: one every 34 µs allows over 1% less"
    );
}

#[test]
fn a_burst_is_that_of_a_limit() {
    for (burst, help) in
        [("0", "write `20`"), ("many", "write `20`"), ("10k", "write `10000`"), ("2000000000", "write `20`")]
    {
        limit_reports(&format!("limit(100 / 1m, burst = {burst})"), &[(burst, Rule::RateLimit, help)]);
    }
    // The last of a burst is allowed again in ten years.
    limit_reports("limit(1 / 365d, burst = 10)", &[]);
    limit_reports("limit(7 / 3650d, burst = 7)", &[]);
    limit_reports("limit(1 / 365d, burst = 11)", &[("11", Rule::LongLived, "write `10` or less")]);
    limit_reports("limit(1 / 3650d, burst = 1000000000)", &[("1000000000", Rule::LongLived, "write `1` or less")]);
}

#[test]
fn a_limit_takes_the_place_of_value_and_ttl() {
    for (option, name, rule) in [
        ("value = u64", "value", Rule::StoredForm),
        ("ttl = 1m", "ttl", Rule::Expiry),
        ("ttl = never", "ttl", Rule::Expiry),
        ("jitter = 5h", "jitter", Rule::Jitter),
        ("renew = read", "renew", Rule::Renewal),
        ("ttl_from_end_of = month", "ttl_from_end_of", Rule::Expiry),
        ("null_ttl = 5m", "null_ttl", Rule::Expiry),
        ("lease = 10s", "lease", Rule::Expiry),
        ("refresh = 80%", "refresh", Rule::Expiry),
        ("near = 10s", "near", Rule::Expiry),
        ("stale = 1h", "stale", Rule::Expiry),
        ("copies = 8", "copies", Rule::Copies),
        ("max_bytes = 1KB", "max_bytes", Rule::ValueSize),
    ] {
        let template = if name == "copies" { "rate:api:{copy}:string" } else { "rate:api:{id}:string" };
        let fields: &[&str] = if name == "copies" { &[] } else { &["id"] };
        reports(fields, &format!("{template}, limit(100 / 1m), {option}"), &[(name, rule, "remove it")]);
    }
    for option in ["keep_top = 5", "field = u8", "tries = 5", "max_len = 5"] {
        let attribute = format!("rate:api:{{id}}:string, limit(100 / 1m), {option}");
        assert_eq!(checked(&["id"], &attribute).diagnostics.len(), 1, "{option}");
    }
}

#[test]
fn only_strings_are_limits() {
    let help = "end the template with `:string`, or remove `limit`";
    reports(&["id"], "rate:api:{id}:list, limit(100 / 1m)", &[("limit", Rule::RateLimit, help)]);
    let help = "write `limit(100 / 1m)` and end the template with `:string`";
    reports(&["id"], "rate:api:{id}:hash, limit = 100 / 1m", &[("limit", Rule::RateLimit, help)]);
}

#[test]
fn options_of_the_role_stand_in_its_parentheses() {
    let report = |options: &str, name: &str, help: &str| limit_reports(options, &[(name, Rule::RateLimit, help)]);
    report("limit = 100 / 1m", "limit", "write `limit(100 / 1m)`");
    report("limit = 100/min", "limit", "write `limit(100 / 1m)`");
    report("limit = 5 / 1s, burst = 20", "limit", "write `limit(5 / 1s, burst = 20)`");
    report("burst = 20, limit = 5/1s", "burst", "write `limit(5 / 1s, burst = 20)`");
    report("burst=20,limit(5/1s)", "burst", "write `limit(5 / 1s, burst = 20)`");
    let spaced = "write `limit(100 / 1m, burst = 20)`";
    report("limit(burst=20)", "limit", spaced);
    report("limit(5 / 1s), burst = 20", "burst", "write `limit(5 / 1s, burst = 20)`");
    report("burst = 20", "burst", "write `limit(100 / 1m, burst = 20)`");
    report("limit = 100, per = 1m", "limit", "write `limit(100 / 1m)`");
    report("limit = 10, period = hour, burst = 5", "limit", "write `limit(10 / 1h, burst = 5)`");
    report("limit = 5 / 1s, window = 1h", "limit", "write `limit(5 / 1s)`");
    let instead = "write `limit(100 / 1m, burst = 20)` in place of `value` and `ttl`";
    report("value = u64, ttl = 1m, burst = 20", "burst", instead);
}

#[test]
fn other_names_of_limits_are_translated() {
    for (options, name, help) in [
        ("rate = 100 / 1m", "rate", "write `limit(100 / 1m)`"),
        ("rate_limit = \"5/s\", burst = 20", "rate_limit", "write `limit(5 / 1s, burst = 20)`"),
        ("rate_limit(5/s)", "rate_limit", "write `limit(5 / 1s)`"),
        ("requests = 50", "requests", "write `limit(50 / 1m)`"),
        ("window = 60, limit = 10", "window", "write `limit(10 / 1m)`"),
        ("limit(10 / 1m), max_burst = 5", "max_burst", "write `limit(10 / 1m, burst = 5)`"),
        ("limit(10 / 1m, max_burst = 5)", "max_burst", "write `burst = 5`"),
    ] {
        limit_reports(options, &[(name, Rule::Declaration, help)]);
    }
    let help = "write `limit(100 / 1h)` in place of `value` and `ttl`";
    limit_reports("value = u64, ttl = 1m, window = 1h", &[("window", Rule::Declaration, help)]);
}

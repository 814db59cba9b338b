//! The expiry of keys.

use super::*;

#[test]
fn every_key_expires_or_says_why_not() {
    let missing = |module: &str, ttl: &str| {
        let template = format!("{module}:name:{{id}}:string");
        let help = format!("add `ttl = {ttl}`, or `ttl = never, reason = \"…\"` for a key that must never expire");
        reports(&["id"], &format!("{template}, value = u64"), &[(&template, Rule::Expiry, &help)]);
    };
    missing("user", "1h");
    missing("cache", "10m");
    missing("session", "1d");
    missing("lock", "30s");
    options_report("ttl = never", "never", Rule::LongLived, "add `reason = \"…\"`");
    options_report("ttl = forever", "forever", Rule::LongLived, "write `never, reason = \"…\"`");
    let most = "write `3650d` or less, or `ttl = never, reason = \"…\"`";
    options_report("ttl = 99999d", "99999d", Rule::LongLived, most);
    options_report("ttl = 11y", "11y", Rule::LongLived, most);
    options_report("ttl = 600w", "600w", Rule::LongLived, most);
    options_report("ttl = never, reason = \"\"", "\"\"", Rule::Declaration, "write a few words");
    reports(&["id"], "user:name:{id}:string, value = u64, ttl = never, reason = \"a fixed table\"", &[]);
}

#[test]
fn an_expiry_has_units() {
    options_report("ttl = 3600", "3600", Rule::Expiry, "write `3600s`");
    options_report("ttl = 1hour", "1hour", Rule::Expiry, "write `1h`");
    options_report("ttl = 1h30", "1h30", Rule::Expiry, "write `1h30m`");
    options_report("ttl = 1.5h", "1.5h", Rule::Expiry, "write `1h30m`");
    options_report("ttl = 60 * 60", "60 * 60", Rule::Expiry, "write `1h`");
    options_report("ttl = 0s", "0s", Rule::Expiry, "write `1h`");
    options_report("ttl = -1h", "-1h", Rule::Expiry, "write `1h`");
    let units = "write whole numbers with the units `ms`, `s`, `m`, `h`, `d` and `w`, as in `1h30m`";
    let constant = "write the duration itself, as in `1h30m`: a derive cannot read a constant's value";
    options_report("ttl = TTL", "TTL", Rule::Expiry, constant);
    options_report("ttl = Self::TTL", "Self::TTL", Rule::Expiry, constant);
    options_report("ttl = crate::config::TTL_2", "crate::config::TTL_2", Rule::Expiry, constant);
    options_report("ttl = 1h, jitter = TTL", "TTL", Rule::Jitter, constant);
    options_report("ttl = 1h, renew = below(TTL)", "TTL", Rule::Renewal, constant);
    options_report("ttl = 1H", "1H", Rule::Expiry, "write `1h`");
    options_report("ttl = soon", "soon", Rule::Expiry, units);
    options_report(
        "ttl = 99999999999999999999w",
        "99999999999999999999w",
        Rule::LongLived,
        "write `3650d` or less, or `ttl = never, reason = \"…\"`",
    );
}

#[test]
fn jitter_is_a_share_of_the_expiry() {
    options_report("ttl = 1h, jitter = 2h", "2h", Rule::Jitter, "write `6m`");
    options_report("ttl = 1h, jitter = 300", "300", Rule::Jitter, "write `300s`");
    options_report("ttl = 1h, jitter = 0.1", "0.1", Rule::Jitter, "write `10%`");
    options_report("ttl = 1h, jitter = 0.05", "0.05", Rule::Jitter, "write `5%`");
    options_report("ttl = 1h, jitter = 20pct", "20pct", Rule::Jitter, "write `20%`");
    let help = "write a duration or a share of the ttl, as in `5m` or `10%`";
    options_report("ttl = 1h, jitter = some", "some", Rule::Jitter, help);
    options_report("ttl = 1h, jitter = 0%", "0%", Rule::Jitter, "write `10%`");
    options_report("ttl = 1h, jitter = 101%", "101%", Rule::Jitter, "write `10%`");
    options_report("ttl = 1h, jitter = 2.5%", "2.5%", Rule::Jitter, "write `10%`");
    for jitter in ["5m", "1h", "10%", "100%"] {
        reports(&["id"], &format!("user:name:{{id}}:string, value = u64, ttl = 1h, jitter = {jitter}"), &[]);
    }
}

#[test]
fn renewal_has_three_forms() {
    let both = "write `read` for each read and write, or `write` for each write";
    options_report("ttl = 1h, renew = always", "always", Rule::Renewal, both);
    options_report("ttl = 1h, renew = raed", "raed", Rule::Renewal, "write `read`");
    options_report("ttl = 1h, renew = Write", "Write", Rule::Renewal, "write `write`");
    options_report("ttl = 1h, renew = writes", "writes", Rule::Renewal, "write `write`");
    options_report("ttl = 1h, renew = 5", "5", Rule::Renewal, "write `write`, `read` or `below(10m)`");
    options_report("ttl = 1h, renew = below(10)", "10", Rule::Renewal, "write `10s`");
    options_report("ttl = 1h, renew = below(2h)", "2h", Rule::Renewal, "write `6m`");
    let below = "write `below(10m)`, to renew when a read finds less than that left";
    options_report("ttl = 1h, renew = below()", "below()", Rule::Renewal, below);
    options_report("ttl = 1h, renew = below", "below", Rule::Renewal, below);
    options_report("ttl = 1h, renew = below 10m", "below 10m", Rule::Renewal, below);
    for renew in ["write", "read", "below(10m)", "below(\"10m\")", "\"below(10m)\"", "below ( 10m )"] {
        reports(&["id"], &format!("user:name:{{id}}:string, value = u64, ttl = 1h, renew = {renew}"), &[]);
    }
}

#[test]
fn a_key_that_never_expires_has_no_shares_of_an_expiry() {
    let help = "remove it, or give the key a `ttl`";
    options_report("ttl = never, reason = \"x\", jitter = 5m", "jitter", Rule::Jitter, help);
    options_report("ttl = never, reason = \"x\", renew = read", "renew", Rule::Renewal, help);
}

#[test]
fn a_key_that_expires_is_not_rebuilt() {
    let help = "remove it, or write `ttl = never`";
    options_report("ttl = 1h, rebuild = \"from the database\"", "rebuild", Rule::LongLived, help);
    let limit = "user:name:{id}:string, limit(5 / 1m), rebuild = \"x\"";
    reports(&["id"], limit, &[("rebuild", Rule::LongLived, "remove it")]);
    let lock = "user:name:{id}:string, lock, ttl = 30s, rebuild = \"x\"";
    reports(&["id"], lock, &[("rebuild", Rule::LongLived, "remove it")]);
    let never = "ttl = never, reason = \"a table\"";
    reports(&["id"], &format!("user:name:{{id}}:string, value = u64, {never}, rebuild = \"from the database\""), &[]);
    options_report(&format!("{never}, rebuild = \"\""), "\"\"", Rule::Declaration, "write a few words");
    options_report(&format!("{never}, rebuild"), "rebuild", Rule::Declaration, "write `rebuild = \"…\"`");
    options_report(
        &format!("{never}, restored_by = \"x\""),
        "restored_by",
        Rule::Declaration,
        "write `rebuild = \"x\"`",
    );
    // That a `ttl` is missing is reported alone.
    let missing = "add `ttl = 1h`, or `ttl = never, reason = \"…\"` for a key that must never expire";
    options_report("rebuild = \"x\"", "user:name:{id}:string", Rule::Expiry, missing);
}

#[test]
fn what_was_meant_as_an_expiry_counts_as_one() {
    for (written, instead) in [
        ("expire = 3600", "ttl = 3600s"),
        ("ex = 60", "ttl = 60s"),
        ("px = 500", "ttl = 500ms"),
        ("expires = \"1 hour\"", "ttl = 1h"),
        ("timeout = 1h30m", "ttl = 1h30m"),
        ("expire", "ttl = 1h"),
    ] {
        let name = written.split(' ').next().unwrap_or_default();
        options_report(written, name, Rule::Declaration, &format!("write `{instead}`"));
    }
    options_report("tll = 1h", "tll", Rule::Declaration, "did you mean `ttl`?");
    options_report("ttl(1h)", "ttl(1h)", Rule::Declaration, "write `ttl = 1h`");
    options_report("ttl: 1h", "ttl: 1h", Rule::Declaration, "write `ttl = 1h`");
    options_report("ttl", "ttl", Rule::Declaration, "write `ttl = 1h`");
    options_report("ttl =", "ttl", Rule::Declaration, "write `ttl = 1h`");
}

#[test]
fn a_bucket_is_a_parameter() {
    reports(
        &["id"],
        "user:name:{id}:string, value = u64, ttl = 1h, ttl_from_end_of = month",
        &[("month", Rule::Expiry, "add a field `month` and `{month}` to the template")],
    );
    reports(
        &["month"],
        "user:name:{month}:string, value = u64, ttl = 1h, ttl_from_end_of = mouth",
        &[("mouth", Rule::Expiry, "did you mean `month`?")],
    );
    let key = "user:name:{month}:string, value = u64, ttl_from_end_of = month";
    reports(&["month"], &format!("{key}, ttl = 1h, jitter = 10%"), &[]);
    for renew in ["write", "read", "below(10m)"] {
        reports(
            &["month"],
            &format!("{key}, ttl = 1h, renew = {renew}"),
            &[("renew", Rule::Renewal, "keep one of `renew` and `ttl_from_end_of`")],
        );
    }
    reports(
        &["month"],
        &format!("{key}, ttl = never, renew = read, reason = \"x\""),
        &[
            ("ttl_from_end_of", Rule::Expiry, "remove it, or give the key a `ttl`"),
            ("renew", Rule::Renewal, "remove it, or give the key a `ttl`"),
        ],
    );
    reports(
        &["month"],
        "user:name:{month % 2}:string, value = u64, ttl = 1h, ttl_from_end_of = month",
        &[("month", Rule::Expiry, "add a field `month` and `{month}` to the template")],
    );
}

#[test]
fn the_field_of_a_bucket_is_called_as_the_bucket() {
    let reports = |ty, written: &str, help: &str| {
        let field = Field { name: "d".to_owned(), ty, phantom: false, attributes: vec![] };
        let attribute = format!("user:name:{{d}}:string, value = u64, ttl = 1h, ttl_from_end_of = {written}");
        item_reports(vec![field], &attribute, &[(written, Rule::Expiry, help)]);
    };
    for (ty, bucket) in [
        ("Month", "month"),
        ("bucket::Year", "year"),
        ("&'a redis_keys::parameter::bucket::Hour", "hour"),
        ("&Day", "day"),
        ("chrono::NaiveDate", "day"),
        ("jiff::civil::Date", "day"),
    ] {
        let rename = format!("rename the field `d` to `{bucket}`, with `{{{bucket}}}` in the template");
        reports(ty, "d", &format!("write `{bucket}`, and {rename}"));
        reports(ty, bucket, &rename);
    }
    reports("Monthly", "d", "use `year`, `month`, `week`, `day` or `hour`, the name of the field that holds one");
    reports("Month", "5", "use `year`, `month`, `week`, `day` or `hour`");
    // Another bucket than that of the field.
    reports("Month", "year", "add a field `year` and `{year}` to the template");
}

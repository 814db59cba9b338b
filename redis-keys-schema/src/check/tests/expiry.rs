//! When keys expire.

use super::*;

#[test]
fn every_key_expires_or_says_why_not() {
    let missing = |module: &str, ttl: &str| {
        let template = format!("{module}:name:{{id}}:string");
        let help = format!("add `ttl = {ttl}`, or `ttl = never, reason = \"…\"` for a key that must live for ever");
        tells(&["id"], &format!("{template}, value = u64"), &[(&template, Rule::Expiry, &help)]);
    };
    missing("user", "1h");
    missing("cache", "10m");
    missing("session", "1d");
    missing("lock", "30s");
    options_tell("ttl = never", "never", Rule::LongLived, "write `never, reason = \"…\"`");
    options_tell("ttl = forever", "forever", Rule::LongLived, "write `never, reason = \"…\"`");
    options_tell("ttl = 11y", "11y", Rule::LongLived, "write `never, reason = \"…\"`");
    options_tell("ttl = 600w", "600w", Rule::LongLived, "write `never, reason = \"…\"`");
    options_tell("ttl = never, reason = \"\"", "\"\"", Rule::Declaration, "say it in a few words");
    tells(&["id"], "user:name:{id}:string, value = u64, ttl = never, reason = \"a fixed table\"", &[]);
}

#[test]
fn an_expiry_has_units() {
    options_tell("ttl = 3600", "3600", Rule::Expiry, "write `3600s`");
    options_tell("ttl = 1hour", "1hour", Rule::Expiry, "write `1h`");
    options_tell("ttl = 1.5h", "1.5h", Rule::Expiry, "write `1h30m`");
    options_tell("ttl = 60 * 60", "60 * 60", Rule::Expiry, "write `1h`");
    options_tell("ttl = 0s", "0s", Rule::Expiry, "write `1h`");
    options_tell("ttl = -1h", "-1h", Rule::Expiry, "write `1h`");
    let units = "write whole numbers with the units `ms` `s` `m` `h` `d` `w`, as in `1h30m`";
    options_tell("ttl = soon", "soon", Rule::Expiry, units);
    options_tell(
        "ttl = 99999999999999999999w",
        "99999999999999999999w",
        Rule::LongLived,
        "write `never, reason = \"…\"`",
    );
}

#[test]
fn jitter_is_a_share_of_the_expiry() {
    options_tell("ttl = 1h, jitter = 2h", "2h", Rule::Jitter, "write `6m`");
    options_tell("ttl = 1h, jitter = 300", "300", Rule::Jitter, "write `300s`");
    options_tell("ttl = 1h, jitter = 0%", "0%", Rule::Jitter, "write `10%`");
    options_tell("ttl = 1h, jitter = 101%", "101%", Rule::Jitter, "write `10%`");
    options_tell("ttl = 1h, jitter = 2.5%", "2.5%", Rule::Jitter, "write `10%`");
    for jitter in ["5m", "1h", "10%", "100%"] {
        tells(&["id"], &format!("user:name:{{id}}:string, value = u64, ttl = 1h, jitter = {jitter}"), &[]);
    }
}

#[test]
fn renewal_has_three_forms() {
    let both = "write `read` (each read and write) or `write` (each write)";
    options_tell("ttl = 1h, renew = always", "always", Rule::Renewal, both);
    options_tell("ttl = 1h, renew = raed", "raed", Rule::Renewal, "write `read`");
    options_tell("ttl = 1h, renew = Write", "Write", Rule::Renewal, "write `write`");
    options_tell("ttl = 1h, renew = writes", "writes", Rule::Renewal, "write `write`");
    options_tell("ttl = 1h, renew = 5", "5", Rule::Renewal, "write `write`, `read` or `below(10m)`");
    options_tell("ttl = 1h, renew = below(10)", "10", Rule::Renewal, "write `10s`");
    options_tell("ttl = 1h, renew = below(2h)", "below(2h)", Rule::Renewal, "write `below(6m)`");
    let below = "write `below(10m)`, with the time that a read must find left";
    options_tell("ttl = 1h, renew = below()", "below()", Rule::Renewal, below);
    options_tell("ttl = 1h, renew = below", "below", Rule::Renewal, below);
    options_tell("ttl = 1h, renew = below 10m", "below 10m", Rule::Renewal, below);
    for renew in ["write", "read", "below(10m)", "below(\"10m\")", "\"below(10m)\"", "below ( 10m )"] {
        tells(&["id"], &format!("user:name:{{id}}:string, value = u64, ttl = 1h, renew = {renew}"), &[]);
    }
}

#[test]
fn a_key_that_never_expires_has_no_shares_of_an_expiry() {
    let help = "remove it, or give the key a `ttl`";
    options_tell("ttl = never, reason = \"x\", jitter = 5m", "jitter", Rule::Jitter, help);
    options_tell("ttl = never, reason = \"x\", renew = read", "renew", Rule::Renewal, help);
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
        options_tell(written, name, Rule::Declaration, &format!("write `{instead}`"));
    }
    options_tell("tll = 1h", "tll", Rule::Declaration, "write `ttl`");
    options_tell("ttl(1h)", "ttl(1h)", Rule::Declaration, "write `ttl = 1h`");
    options_tell("ttl: 1h", "ttl: 1h", Rule::Declaration, "write `ttl = 1h`");
    options_tell("ttl", "ttl", Rule::Declaration, "write `ttl = 1h`");
    options_tell("ttl =", "ttl", Rule::Declaration, "write `ttl = 1h`");
}

#[test]
fn a_bucket_is_a_parameter() {
    tells(
        &["id"],
        "user:name:{id}:string, value = u64, ttl = 1h, ttl_from_end_of = month",
        &[("month", Rule::Expiry, "add a field `month` and `{month}` to the template")],
    );
    tells(
        &["month"],
        "user:name:{month}:string, value = u64, ttl = 1h, ttl_from_end_of = mouth",
        &[("mouth", Rule::Expiry, "write `month`")],
    );
    let key = "user:name:{month}:string, value = u64, ttl_from_end_of = month";
    tells(&["month"], &format!("{key}, ttl = 1h, jitter = 10%"), &[]);
    for renew in ["write", "read", "below(10m)"] {
        tells(
            &["month"],
            &format!("{key}, ttl = 1h, renew = {renew}"),
            &[("renew", Rule::Renewal, "keep one of `renew` and `ttl_from_end_of`")],
        );
    }
    tells(
        &["month"],
        &format!("{key}, ttl = never, renew = read, reason = \"x\""),
        &[
            ("ttl_from_end_of", Rule::Expiry, "remove it, or give the key a `ttl`"),
            ("renew", Rule::Renewal, "remove it, or give the key a `ttl`"),
        ],
    );
    tells(
        &["month"],
        "user:name:{month % 2}:string, value = u64, ttl = 1h, ttl_from_end_of = month",
        &[("month", Rule::Expiry, "add a field `month` and `{month}` to the template")],
    );
}

#[test]
fn the_field_of_a_bucket_is_called_as_the_bucket() {
    let told = |ty, options: &str| {
        let field = Field { name: "d".to_owned(), ty, phantom: false, attributes: vec![] };
        let attribute = format!("user:name:{{d}}:string, value = u64, ttl = 1h, {options}");
        let attributes = vec![Attribute::Arguments(&attribute)];
        let item = Item { shape: Shape::Struct, documented: true, attributes, fields: vec![field] };
        let told = check(&item).diagnostics;
        assert_eq!((told.len(), told[0].rule), (1, Rule::Expiry), "{told:?}");
        (
            underlined(&attribute, &told[0].place).to_owned(),
            told[0].message.clone(),
            told[0].help.clone().unwrap_or_default(),
        )
    };
    let of = |at: &str, message: &str, help: &str| (at.to_owned(), message.to_owned(), help.to_owned());
    for (ty, span) in [
        ("Month", "month"),
        ("bucket::Year", "year"),
        ("&'a redis_keys::bucket::Hour", "hour"),
        ("&Day", "day"),
        ("chrono::NaiveDate", "day"),
        ("jiff::civil::Date", "day"),
    ] {
        let message =
            format!("the ttl counts from the end of a field that is called `{span}`, and this one is called `d`");
        let rename = format!("rename the field `d` to `{span}`, with `{{{span}}}` in the template");
        assert_eq!(told(ty, "ttl_from_end_of = d"), of("d", &message, &format!("write `{span}`, and {rename}")));
        let message = format!("the key has no `{{{span}}}` whose end the ttl could count from");
        assert_eq!(told(ty, &format!("ttl_from_end_of = {span}")), of(span, &message, &rename));
    }
    let message = "`d` is no span of the calendar";
    let help = "write `year`, `month`, `day` or `hour`, the name of the field that holds one";
    assert_eq!(told("Monthly", "ttl_from_end_of = d"), of("d", message, help));
    let help = "write `year`, `month`, `day` or `hour`";
    assert_eq!(told("Month", "ttl_from_end_of = 5"), of("5", "`5` is no span of the calendar", help));
    // Another span than that of the field.
    let help = "add a field `year` and `{year}` to the template";
    assert_eq!(told("Month", "ttl_from_end_of = year").2, help);
}

#[test]
fn absent_values_are_kept_no_longer_than_present_ones() {
    tells(
        &["id"],
        "user:name:{id}:string, value = u64, ttl = 1h, null_ttl = 2h",
        &[("null_ttl", Rule::Available, "remove it for now"), ("2h", Rule::Expiry, "write `6m`")],
    );
}

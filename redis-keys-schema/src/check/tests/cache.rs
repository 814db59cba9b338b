//! Cached keys: `cache(…)` with `null_ttl`, `lease`, `refresh`, `near` and `stale`.

use std::time::Duration;

use redis_keys_core::schema::Role;

use super::*;

const NEVER: &str = "remove it, or give the key a `ttl`";

#[test]
fn the_role_makes_a_cached_key() {
    let cache = |options: &str| {
        let attribute = format!("user:profile:{{id}}:string, value = u64, {options}");
        let checked = checked(&["id"], &attribute);
        assert_eq!(*checked.diagnostics, [], "{attribute}");
        let Some(Role::Cache(cache)) = checked.declaration.role() else { return None };
        Some((cache.null_ttl.as_secs(), cache.lease, cache.refresh_percent, cache.near))
    };
    let seconds = Duration::from_secs;
    assert_eq!(cache("ttl = 1h"), None);
    assert_eq!(cache("ttl = 1h, cache(null_ttl = 5m)"), Some((300, seconds(10), None, None)));
    assert_eq!(
        cache("cache(null_ttl = 1h, lease = 1m, refresh = 80%,), ttl = 1h"),
        Some((3600, seconds(60), Some(80), None))
    );
    assert_eq!(
        cache("ttl = 1h, cache(null_ttl = 5m, lease = 1m, refresh = 80%, near = 1m)"),
        Some((300, seconds(60), Some(80), Some(seconds(60))))
    );
    // The default lease is no longer than the ttl.
    assert_eq!(cache("ttl = 4s, cache(null_ttl = 1s)"), Some((1, seconds(4), None, None)));
    for refresh in ["50%", "95%", "\"75 %\""] {
        assert!(cache(&format!("ttl = 1h, cache(null_ttl = 5m, refresh = {refresh})")).is_some(), "{refresh}");
    }
    for lease in ["100ms", "5m", "\"10s\""] {
        assert!(cache(&format!("ttl = 1h, cache(lease = {lease}, null_ttl = 5m)")).is_some(), "{lease}");
    }
    let near = |near| Some((300, seconds(10), None, Some(seconds(near))));
    assert_eq!(cache("ttl = 1h, cache(null_ttl = 5m, near = 10s)"), near(10));
    for (written, time) in [("1s", 1), ("1h", 3600), ("\"1m30s\"", 90)] {
        assert_eq!(cache(&format!("ttl = 1h, cache(near = {written}, null_ttl = 5m)")), near(time), "{written}");
    }
    for (options, time) in [("stale = 1h", 3600), ("stale = 11s", 11), ("lease = 1s, stale = 1001ms", 1)] {
        let attribute = format!("user:name:{{id}}:string, value = u64, ttl = 1h, cache(null_ttl = 5m, {options})");
        let checked = checked(&["id"], &attribute);
        let Some(Role::Cache(cache)) = checked.declaration.role() else { panic!("{attribute}") };
        assert_eq!(
            (checked.diagnostics.len(), cache.stale.map(|stale| stale.as_secs())),
            (0, Some(time)),
            "{attribute}"
        );
    }
    for other in ["jitter = 10%", "renew = write", "max_bytes = 64KB", "owner = \"web\""] {
        assert!(cache(&format!("ttl = 1h, cache(null_ttl = 5m), {other}")).is_some(), "{other}");
    }
    let bucket =
        "user:name:{month}:string, value = u64, ttl = 1h, ttl_from_end_of = month, cache(null_ttl = 5m, lease = 5s)";
    reports(&["month"], bucket, &[]);
}

#[test]
fn absent_values_are_kept_no_longer_than_present_ones() {
    options_report("ttl = 1h, cache(null_ttl = 2h)", "2h", Rule::Expiry, "write `6m`");
    options_report("ttl = 1h, cache(null_ttl = 300)", "300", Rule::Expiry, "write `300s`");
    options_report("ttl = 1h, cache(null_ttl = 0s)", "0s", Rule::Expiry, "write `5m`");
    options_report("ttl = 1h, cache(null_ttl)", "null_ttl", Rule::Declaration, "write `null_ttl = 5m`");
    options_report("ttl = 1h, cache", "cache", Rule::Expiry, "write `cache(null_ttl = 5m)`");
    options_report("ttl = 20m, cache()", "cache", Rule::Expiry, "write `cache(null_ttl = 2m)`");
    let help = "write `cache(null_ttl = 9s, lease = 1s)`";
    options_report("ttl = 90s, cache(lease = 1s)", "cache", Rule::Expiry, help);
    // A second attribute may have it.
    let two = [Attribute::Arguments("user:name:all:string, value = u64, ttl = 1h, cache"), Attribute::Word];
    let mut case = item(vec![], "");
    case.attributes = two.to_vec();
    assert_eq!(check(&case).diagnostics.len(), 1);
}

#[test]
fn a_lease_is_between_100ms_and_5m() {
    let report = |options: &str, underlined: &str, help: &str| {
        let options = options.replace("lease", "cache(null_ttl = 1s, lease") + ")";
        options_report(&options, underlined, Rule::Expiry, help);
        let suggested = options.replace(underlined, help.split('`').nth(1).unwrap_or_default());
        reports(&["id"], &format!("user:name:{{id}}:string, value = u64, {suggested}"), &[]);
    };
    report("ttl = 1h, lease = 99ms", "99ms", "write `100ms` or more");
    let most = "write `5m` or less: others wait that long for a process that dies while it loads a value";
    report("ttl = 1h, lease = 6m", "6m", most);
    report("ttl = 1m, lease = 2m", "2m", "write `10s`");
    // One error, whose suggestion is right.
    report("ttl = 1m, lease = 6m", "6m", "write `10s`");
    report("ttl = 5s, lease = 10s", "10s", "write `5s`");
    report("ttl = 1h, lease = 10", "10", "write `10s`");
    report("ttl = 1h, lease = 0s", "0s", "write `10s`");
    for lease in ["10s", "20ms"] {
        let options = format!("ttl = 50ms, cache(null_ttl = 10ms, lease = {lease})");
        options_report(&options, lease, Rule::Expiry, "remove it: the ttl is too short for it");
    }
    options_report("ttl = 1h, cache(null_ttl = 5m, lease)", "lease", Rule::Declaration, "write `lease = 10s`");
}

#[test]
fn refresh_is_a_share_of_the_ttl() {
    let report = |refresh: &str, help: &str| {
        let options = |refresh: &str| format!("cache(refresh = {refresh}, null_ttl = 5m), ttl = 1h");
        options_report(&options(refresh), refresh, Rule::Expiry, help);
        let suggested = help.split('`').nth(1).unwrap_or_default();
        reports(&["id"], &format!("user:name:{{id}}:string, value = u64, {}", options(suggested)), &[]);
    };
    let left = |percent: u8| format!("write `{}%`, which is when {percent}% of the ttl is left", 100 - percent);
    report("80", "write `80%`");
    report("0.8", "write `80%`");
    report("0.75", "write `75%`");
    report("75pct", "write `75%`");
    report("20%", &left(20));
    report("49%", &left(49));
    report("0.1", &left(10));
    report("96%", "write `95%`");
    report("100%", "write `95%`");
    for other in ["0%", "4%", "82.5%", "300%", "300", "true", "REFRESH", "soon", "2h", "-48m", "99999999999w"] {
        report(other, "write `80%`");
    }
    // A duration is the share of the ttl that it is.
    report("48m", "write `80%`");
    report("48 min", "write `80%`");
    report("3300s", "write `92%`");
    report("12m", &left(20));
    report("1h", "write `95%`");
    options_report("ttl = 1h, cache(null_ttl = 5m, refresh)", "refresh", Rule::Declaration, "write `refresh = 80%`");
    // It was another name of `renew`.
    for renew in ["read", "write", "below(10m)"] {
        report(renew, &format!("write `80%`, or `renew = {renew}` to restart the ttl"));
    }
}

#[test]
fn near_copies_are_kept_for_1s_to_1h() {
    let report = |options: &str, underlined: &str, help: &str| {
        let options = options.replace("near", "cache(null_ttl = 1s, near") + ")";
        options_report(&options, underlined, Rule::Expiry, help);
        let suggested = options.replace(underlined, help.split('`').nth(1).unwrap_or_default());
        reports(&["id"], &format!("user:name:{{id}}:string, value = u64, {suggested}"), &[]);
    };
    report("ttl = 1h, near = 200ms", "200ms", "write `1s` or more: below that, most calls read Redis anyway");
    let most = "write `1h` or less: a copy can be that old where the server does not report that the key has changed";
    report("ttl = 1d, near = 2h", "2h", most);
    report("ttl = 1h, near = 3h", "3h", "write `10s`");
    report("ttl = 5s, near = 10s", "10s", "write `5s`");
    report("ttl = 1h, near = 10", "10", "write `10s`");
    report("ttl = 1h, near = 0s", "0s", "write `10s`");
    options_report("ttl = 1h, cache(null_ttl = 5m, near)", "near", Rule::Declaration, "write `near = 10s`");
    options_report("ttl = 1h, cache(near = 10s)", "cache", Rule::Expiry, "write `cache(null_ttl = 5m, near = 10s)`");
    for near in ["1s", "200ms"] {
        let options = format!("ttl = 500ms, cache(null_ttl = 1ms, near = {near})");
        options_report(&options, near, Rule::Expiry, "remove it: the ttl is too short for it");
    }
}

#[test]
fn an_expired_value_outlives_the_load_that_fails() {
    let report = |options: &str, underlined: &str, rule: Rule, help: &str| {
        let options = options.replace("cache(", "cache(null_ttl = 1s, ");
        options_report(&options, underlined, rule, help);
        let suggested = match help.split('`').nth(1) {
            Some(suggested) => options.replace(underlined, suggested),
            None => options.replace(&format!(", stale = {underlined}"), ""),
        };
        reports(&["id"], &format!("user:name:{{id}}:string, value = u64, {suggested}"), &[]);
    };
    let short = "write `1h`: an expired value must outlive the load that fails";
    report("ttl = 1h, cache(stale = 10s)", "10s", Rule::Expiry, short);
    report("ttl = 1h, cache(lease = 2m, stale = 120s)", "120s", Rule::Expiry, short);
    report("ttl = 4s, cache(stale = 3s)", "3s", Rule::Expiry, short);
    report("ttl = 1h, cache(stale = 60)", "60", Rule::Expiry, "write `60s`");
    report("ttl = 1h, cache(stale = 0s)", "0s", Rule::Expiry, "write `1h`");
    let long = |most: &str| format!("write `{most}` or less: ttl, jitter and stale are at most 3650d");
    report("ttl = 1d, cache(stale = 3650d)", "3650d", Rule::LongLived, &long("3649d"));
    report("ttl = 3010d, jitter = 10%, cache(stale = 340d)", "340d", Rule::LongLived, &long("339d"));
    let never = "remove it: the ttl is too long for it";
    report("ttl = 3650d, cache(stale = 1h)", "1h", Rule::LongLived, never);
    report("ttl = 3650d, jitter = 1h, cache(stale = 1s)", "1s", Rule::LongLived, never);
    let little = "write `30m`: an expired value must outlive the load that fails";
    report("ttl = 3649d, jitter = 1410m, cache(stale = 5s)", "5s", Rule::Expiry, little);
    options_report("ttl = 1h, cache(null_ttl = 5m, stale)", "stale", Rule::Declaration, "write `stale = 1h`");
    options_report("ttl = 1h, cache(stale = 1h)", "cache", Rule::Expiry, "write `cache(null_ttl = 5m, stale = 1h)`");
    let twice = "ttl = 1h, cache(null_ttl = 5m, stale = 1h, stale = 2h)";
    options_report(twice, "stale", Rule::Declaration, "keep one of them");
}

#[test]
fn an_encrypted_value_has_no_copy_in_memory() {
    for value in ["Secret<String>", "Secret<Json<Profile>>", "Secret<Zstd<Json<Profile>>>"] {
        let attribute = format!("user:name:{{id}}:string, value = {value}, ttl = 1h, cache(null_ttl = 5m, near = 10s)");
        reports(&["id"], &attribute, &[("near", Rule::StoredForm, "remove it")]);
    }
    // The order of the forms is reported first.
    let inside = "user:name:{id}:string, value = Zstd<Secret<String>>, ttl = 1h, cache(null_ttl = 5m, near = 10s)";
    reports(&["id"], inside, &[("Secret", Rule::StoredForm, "write `Secret<Zstd<String>>`")]);
}

#[test]
fn options_of_the_role_stand_in_its_parentheses() {
    let report = |options: &str, name: &str, help: &str| options_report(options, name, Rule::Expiry, help);
    report("ttl = 1h, null_ttl = 5m", "null_ttl", "write `cache(null_ttl = 5m)`");
    let all = "write `cache(null_ttl = 5m, lease = 10s, refresh = 80%)`";
    report("ttl = 1h, null_ttl = 5m, lease = 10s, refresh = 80%", "null_ttl", all);
    report("refresh = 80%, lease = 10s, ttl = 1h, null_ttl = 5m", "refresh", all);
    report("ttl = 1h, lease = 10s", "lease", "write `cache(null_ttl = 5m, lease = 10s)`");
    report("ttl = 20m, refresh = 80%", "refresh", "write `cache(null_ttl = 2m, refresh = 80%)`");
    report("ttl = 90s, lease = 1s", "lease", "write `cache(null_ttl = 9s, lease = 1s)`");
    report("ttl = 1h, near = 10s", "near", "write `cache(null_ttl = 5m, near = 10s)`");
    report("near = 10s, ttl = 1h, refresh = 80%", "near", "write `cache(null_ttl = 5m, refresh = 80%, near = 10s)`");
    report("cache(null_ttl = 5m), ttl = 1h, near = 10s", "near", "write `cache(null_ttl = 5m, near = 10s)`");
    report("ttl = 1h, stale = 1h", "stale", "write `cache(null_ttl = 5m, stale = 1h)`");
    // Some of them do.
    report("cache(null_ttl = 5m), ttl = 1h, lease = 10s", "lease", "write `cache(null_ttl = 5m, lease = 10s)`");
    report(
        "lease = 10s, ttl = 1h, cache(refresh = 80%)",
        "lease",
        "write `cache(null_ttl = 5m, refresh = 80%, lease = 10s)`",
    );
    report("null_ttl = 5m, ttl = 1h, cache", "null_ttl", "write `cache(null_ttl = 5m)`");
    // An option that cannot be read is reported first.
    report("ttl = 1h, lease = 10", "10", "write `10s`");
    let renew = "write `80%`, or `renew = read` to restart the ttl";
    report("ttl = 1h, cache(null_ttl = 5m, refresh = read)", "read", renew);
    // One that was meant is there.
    let meant = "write `cache(null_ttl = 5m, lease = 10s)`";
    options_report("ttl = 1h, nul_ttl = 5m, lease = 10s", "nul_ttl", Rule::Declaration, meant);
    let near = "did you mean `null_ttl`?";
    options_report("ttl = 1h, cache(lease = 10s, nul_ttl = 5m)", "nul_ttl", Rule::Declaration, near);
    options_report("ttl = 1h, cache(lease = 10s, null_ttl =)", "null_ttl", Rule::Declaration, "write `null_ttl = 5m`");
}

#[test]
fn other_options_stand_outside_of_its_parentheses() {
    let report = |options: &str, name: &str, help: &str| options_report(options, name, Rule::Declaration, help);
    let ttl = "write `ttl = 1h` outside of the parentheses";
    report("cache(null_ttl = 5m, ttl = 1h)", "ttl", ttl);
    report("cache(ttl = 1h, null_ttl = 5m)", "ttl", ttl);
    report("cache(null_ttl = 5m, expire = 3600)", "expire", "write `ttl = 3600s` outside of the parentheses");
    report("ttl = 1h, cache(null_ttl = 5m, jitter = 5m)", "jitter", "write `jitter = 5m` outside of the parentheses");
    let allow = "write `allow(unusual_ttl, reason = \"x\")` outside of the parentheses";
    report("ttl = 1h, cache(null_ttl = 5m, allow(unusual_ttl, reason = \"x\"))", "allow", allow);
    options_report("ttl = 1h, cache(null_ttl = 5m, ttl = 2h)", "ttl", Rule::Expiry, "remove it");
    options_report("ttl = 1h, cache(null_ttl = 5m, tries = 5)", "tries", Rule::Jobs, "remove it");
    report(
        "ttl = 1h, cache(null_ttl = 5m, nothing)",
        "nothing",
        "the options of `cache` are `null_ttl`, `lease`, `refresh`, `near` and `stale`",
    );
}

#[test]
fn a_key_has_one_role() {
    let both = "keep one of them";
    options_report("ttl = 1h, cache(null_ttl = 5m), cache(null_ttl = 6m)", "cache", Rule::Declaration, both);
    let attribute = "user:name:{id}:string, value = u64, ttl = 1h, cache(null_ttl = 5m), lock";
    reports(&["id"], attribute, &[("lock", Rule::Declaration, both)]);
}

#[test]
fn a_role_is_a_word() {
    let report = |options: &str, name: &str, help: &str| options_report(options, name, Rule::Declaration, help);
    report("ttl = 1h, cache = 5m", "=", "write `cache(null_ttl = 5m)`");
    report("ttl = 1h, cach(null_ttl = 5m)", "cach", "did you mean `cache`?");
    report("ttl = 1h, cached(null_ttl = 5m)", "cached", "write `cache(null_ttl = 5m)`");
    report("ttl = 1h, cached", "cached", "write `cache(null_ttl = 5m)`");
    report("ttl = 1h cache(null_ttl = 5m)", "cache", "write `, cache`");
    report("cache(null_ttl = 5m) ttl = 1h", "ttl", "write `, ttl`");
    report("ttl = 1h, cache(null_ttl = 5m lease = 5s)", "lease", "write `, lease`");
}

#[test]
fn only_strings_are_cached() {
    let role = "end the template with `:string`, or remove `cache`";
    let outside = |role: &str| format!("write `{role}` and end the template with `:string`");
    for (option, name, help) in [
        ("cache(null_ttl = 5m)", "cache", role.to_owned()),
        ("cache(lease = 1s)", "cache", role.to_owned()),
        ("null_ttl = 5m", "null_ttl", outside("cache(null_ttl = 5m)")),
        ("lease = 10s", "lease", outside("cache(null_ttl = 5m, lease = 10s)")),
        ("refresh = 80%", "refresh", outside("cache(null_ttl = 5m, refresh = 80%)")),
        ("near = 10s", "near", outside("cache(null_ttl = 5m, near = 10s)")),
        ("stale = 1h", "stale", outside("cache(null_ttl = 5m, stale = 1h)")),
    ] {
        let attribute = format!("user:name:{{id}}:list, value = u64, ttl = 1h, {option}");
        reports(&["id"], &attribute, &[(name, Rule::Expiry, &help)]);
        assert_eq!(checked(&["id"], &attribute).warnings, [], "{attribute}");
    }
    let checked = checked(&["id"], "user:name:{id}:list, value = u64, ttl = 1h, cache(null_ttl = 5m)");
    assert_eq!(checked.diagnostics[0].message, "a list cannot be a cached key, which is a string");
}

#[test]
fn a_cached_key_expires() {
    options_report("ttl = never, reason = \"x\", cache(null_ttl = 5m, lease = 10s)", "cache", Rule::Expiry, NEVER);
}

#[test]
fn nothing_but_a_load_prolongs_a_lease() {
    let help = "remove it, and add `refresh = 80%` to `cache` to load a value again before it expires";
    for renew in ["read", "below(10m)"] {
        options_report(&format!("ttl = 1h, cache(null_ttl = 5m), renew = {renew}"), "renew", Rule::Renewal, help);
        let refreshed = format!("ttl = 1h, cache(null_ttl = 5m, refresh = 80%), renew = {renew}");
        let refresh = "remove it: `refresh` loads a value again before it expires";
        options_report(&refreshed, "renew", Rule::Renewal, refresh);
    }
    // One error for both.
    reports(
        &["month"],
        "user:name:{month}:string, value = u64, ttl = 1h, ttl_from_end_of = month, cache(null_ttl = 5m), renew = read",
        &[("renew", Rule::Renewal, "keep one of `renew` and `ttl_from_end_of`")],
    );
}

#[test]
fn a_cached_key_has_no_copies() {
    let attribute = "user:name:{copy}:string, value = u64, ttl = 1h, copies = 8, cache(null_ttl = 5m, lease = 10s)";
    reports(&[], attribute, &[("cache", Rule::Copies, "keep one of `cache` and `copies`")]);
}

#[test]
fn a_share_of_the_ttl_counts_from_the_write() {
    reports(
        &["month"],
        "user:name:{month}:string, value = u64, ttl = 1h, ttl_from_end_of = month, \
         cache(null_ttl = 5m, refresh = 80%)",
        &[("refresh", Rule::Expiry, "keep one of `refresh` and `ttl_from_end_of`")],
    );
}

#[test]
fn other_names_of_cached_keys_are_translated() {
    let refresh = "write `cache(null_ttl = 5m, refresh = 80%)`: from then on, one reader loads the value again while the others get the old one";
    for (written, instead) in [
        ("negative_ttl = 1m", "write `cache(null_ttl = 1m)`"),
        ("not_found_ttl = 60", "write `cache(null_ttl = 60s)`"),
        ("empty_ttl = soon", "write `cache(null_ttl = 5m)`"),
        ("none_ttl", "write `cache(null_ttl = 5m)`"),
        ("lock_ttl = 5s", "write `cache(null_ttl = 5m, lease = 5s)`"),
        ("lock_timeout = 5", "write `cache(null_ttl = 5m, lease = 5s)`"),
        ("load_timeout = \"1 min\"", "write `cache(null_ttl = 5m, lease = 1m)`"),
        ("refresh_ahead = 0.75", "write `cache(null_ttl = 5m, refresh = 75%)`"),
        ("refresh_at = 80%", "write `cache(null_ttl = 5m, refresh = 80%)`"),
        ("early_refresh = true", "write `cache(null_ttl = 5m, refresh = 80%)`"),
        ("refresh_at = 20%", "write `cache(null_ttl = 5m, refresh = 80%)`, which is when 20% of the ttl is left"),
        ("refresh_ahead = 10m", "write `cache(null_ttl = 5m, refresh = 80%)`"),
        ("local_ttl = 30", "write `cache(null_ttl = 5m, near = 30s)`"),
        ("near_ttl = \"1 min\"", "write `cache(null_ttl = 5m, near = 1m)`"),
        ("client_side = true", "write `cache(null_ttl = 5m, near = 10s)`"),
        ("l1", "write `cache(null_ttl = 5m, near = 10s)`"),
        ("stale_ttl = 60", "write `cache(null_ttl = 5m, stale = 60s)`"),
        ("stale_if_error = \"1 day\"", "write `cache(null_ttl = 5m, stale = 1d)`"),
        ("fail_safe = true", "write `cache(null_ttl = 5m, stale = 1h)`"),
        ("beta = 1.0", refresh),
        ("stale_while_revalidate = 30s", refresh),
    ] {
        let name = written.split(' ').next().unwrap_or_default();
        options_report(&format!("ttl = 1h, {written}"), name, Rule::Declaration, instead);
    }
}

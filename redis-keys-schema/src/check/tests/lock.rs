//! Locks: `lock`.

use super::*;

/// Asserts what is reported for the options of a lock.
#[track_caller]
fn lock_reports(options: &str, expected: &[ExpectedMessage<'_>]) {
    reports(&["id"], &format!("order:lock:{{id}}:string, lock, {options}"), expected);
}

#[test]
fn the_role_makes_a_lock() {
    let is_lock = |options: &str| {
        let attribute = format!("order:lock:{{id}}:string, {options}, ttl = 30s");
        let checked = checked(&["id"], &attribute);
        assert_eq!(*checked.diagnostics, [], "{attribute}");
        checked.declaration.is_lock()
    };
    assert!(is_lock("lock") && is_lock("lock()"));
    // A user's own types.
    for own in ["Lock<u64>", "my::Lock", "self::Lock", "Json<Lock>", "Locks", "lock::Lock", "lock<u64>"] {
        assert!(!is_lock(&format!("value = {own}")), "{own}");
    }
    for options in ["ttl = 1ms", "ttl = 1h, owner = \"web\", reason = \"x\"", "ttl = 3650d"] {
        reports(
            &["id"],
            &format!("order:lock:{{id}}:string, lock, {options}, allow(unusual_ttl, reason = \"x\")"),
            &[],
        );
    }
}

#[test]
fn a_lock_is_a_string() {
    for kind in ["list", "zset", "hash", "stream", "bitmap"] {
        let attribute = format!("order:lock:{{id}}:{kind}, lock, ttl = 30s");
        let help = "end the template with `:string`, or remove `lock`";
        reports(&["id"], &attribute, &[("lock", Rule::Expiry, help)]);
    }
    let checked = checked(&["id"], "order:lock:{id}:hash, lock, ttl = 30s");
    assert_eq!(checked.diagnostics[0].message, "a hash cannot be a lock, which is a string");
}

#[test]
fn a_lock_is_no_value() {
    for value in ["Lock", "lock", "\"Lock\""] {
        let help = "write `lock`, or `self::Lock` for a type of your own";
        let attribute = format!("order:lock:{{id}}:string, value = {value}, ttl = 30s");
        reports(&["id"], &attribute, &[(value.trim_matches('"'), Rule::StoredForm, help)]);
    }
    let help = "write `lock` and end the template with `:string`, or `self::Lock` for a type of your own";
    reports(&["id"], "order:lock:{id}:list, value = Lock, ttl = 30s", &[("Lock", Rule::StoredForm, help)]);
    reports(
        &["id"],
        "order:lock:{id}:string, value = Lock, ttl = 30s, jitter = 5s",
        &[
            ("Lock", Rule::StoredForm, "write `lock`, or `self::Lock` for a type of your own"),
            ("jitter", Rule::Jitter, "remove it"),
        ],
    );
    lock_reports("ttl = 30s, value = u64", &[("value", Rule::StoredForm, "remove it")]);
}

#[test]
fn only_its_owner_extends_a_lock() {
    for (option, name, rule) in [
        ("jitter = 5s", "jitter", Rule::Jitter),
        ("jitter = 5m", "jitter", Rule::Jitter),
        ("renew = read", "renew", Rule::Renewal),
        ("renew = below(1h)", "renew", Rule::Renewal),
        ("ttl_from_end_of = month", "ttl_from_end_of", Rule::Expiry),
        ("null_ttl = 5m", "null_ttl", Rule::Expiry),
        ("lease = 10s", "lease", Rule::Expiry),
        ("refresh = 80%", "refresh", Rule::Expiry),
        ("near = 10s", "near", Rule::Expiry),
        ("stale = 1h", "stale", Rule::Expiry),
        ("tries = 5", "tries", Rule::Jobs),
        ("burst = 5", "burst", Rule::RateLimit),
        ("max_bytes = 1KB", "max_bytes", Rule::ValueSize),
    ] {
        lock_reports(&format!("ttl = 30s, {option}"), &[(name, rule, "remove it")]);
    }
    let copies = "order:lock:{copy}:string, lock, ttl = 30s, copies = 8";
    reports(&[], copies, &[("copies", Rule::Copies, "remove it")]);
    lock_reports("ttl = 30s, keep_top = 5", &[("keep_top", Rule::CollectionSize, "remove it")]);
    lock_reports("ttl = 30s, field = u8", &[("field", Rule::StoredForm, "remove it")]);
}

#[test]
fn a_lock_has_no_options_of_its_own() {
    let report = |role: &str, name: &str, rule, help: &str| {
        reports(&["id"], &format!("order:lock:{{id}}:string, {role}"), &[(name, rule, help)]);
    };
    report("lock(ttl = 10s)", "ttl", Rule::Declaration, "write `ttl = 10s` outside of the parentheses");
    report("lock(10s), ttl = 10s", "10s", Rule::Declaration, "remove it: `lock` has no options");
    report("lock(lease = 10s), ttl = 10s", "lease", Rule::Expiry, "remove it");
    report("mutex, ttl = 10s", "mutex", Rule::Declaration, "write `lock`");
    report("Lock, ttl = 10s", "Lock", Rule::Declaration, "did you mean `lock`?");
    report("lok, ttl = 10s", "lok", Rule::Declaration, "did you mean `lock`?");
    report("lock = true, ttl = 10s", "=", Rule::Declaration, "write `lock`");
}

#[test]
fn a_lock_ends() {
    lock_reports("ttl = never, reason = \"x\"", &[("never", Rule::LongLived, "write `30s`")]);
    lock_reports("ttl = never", &[("never", Rule::LongLived, "write `30s`")]);
    // One that never ends is no suggestion.
    for module in ["lock:order", "order:lock"] {
        let template = format!("{module}:{{id}}:string");
        reports(&["id"], &format!("{template}, lock"), &[(&template, Rule::Expiry, "add `ttl = 30s`")]);
    }
    // Names of the ttl in other libraries.
    lock_reports("lease = 30s", &[("lease", Rule::Expiry, "write `ttl = 30s`")]);
    lock_reports("lock_timeout = 10", &[("lock_timeout", Rule::Declaration, "write `ttl = 10s`")]);
    lock_reports("lock_ttl", &[("lock_ttl", Rule::Declaration, "write `ttl = 30s`")]);
}

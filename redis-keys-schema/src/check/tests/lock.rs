//! Locks: `value = Lock`.

use super::*;

/// Asserts what is reported for the options of a lock.
#[track_caller]
fn lock_reports(options: &str, expected: &[Expected<'_>]) {
    reports(&["id"], &format!("order:lock:{{id}}:string, value = Lock, {options}"), expected);
}

#[test]
fn a_value_of_that_name_makes_a_lock() {
    let is_lock = |value: &str| {
        let attribute = format!("order:lock:{{id}}:string, value = {value}, ttl = 30s");
        let checked = checked(&["id"], &attribute);
        assert_eq!(*checked.diagnostics, [], "{attribute}");
        checked.declaration.is_lock()
    };
    assert!(is_lock("Lock") && is_lock("\"Lock\""));
    // A user's own types.
    for own in ["Lock<u64>", "my::Lock", "self::Lock", "Json<Lock>", "Locks", "lock::Lock", "lock<u64>"] {
        assert!(!is_lock(own), "{own}");
    }
    for options in ["ttl = 1ms", "ttl = 1h, owner = \"web\", reason = \"x\"", "ttl = 3650d"] {
        reports(
            &["id"],
            &format!("order:lock:{{id}}:string, value = Lock, {options}, allow(unusual_ttl, reason = \"x\")"),
            &[],
        );
    }
}

#[test]
fn a_lock_is_a_string() {
    for (kind, more) in [("list", ""), ("zset", ", tries = 5"), ("hash", ""), ("hash", ", field = u8"), ("stream", "")]
    {
        let help = "end the template with `:string`, or write `self::Lock` for a type of your own";
        let attribute = format!("order:lock:{{id}}:{kind}, value = Lock, ttl = 30s{more}");
        reports(&["id"], &attribute, &[("Lock", Rule::StoredForm, help)]);
        reports(&["id"], &attribute.replace("Lock", "self::Lock").replace(", tries = 5", ""), &[]);
    }
    // No value at all.
    let bitmap = "order:lock:{id}:bitmap, value = Lock, ttl = 30s";
    assert_eq!(checked(&["id"], bitmap).diagnostics.len(), 1);
}

#[test]
fn a_lock_is_written_with_a_capital() {
    reports(
        &["id"],
        "order:lock:{id}:string, value = lock, ttl = 30s, jitter = 5s",
        &[("lock", Rule::StoredForm, "write `Lock`"), ("jitter", Rule::Jitter, "remove it")],
    );
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
        ("max_bytes = 1KB", "max_bytes", Rule::ValueSize),
    ] {
        lock_reports(&format!("ttl = 30s, {option}"), &[(name, rule, "remove it")]);
    }
    let copies = "order:lock:{copy}:string, value = Lock, ttl = 30s, copies = 8";
    reports(&[], copies, &[("copies", Rule::Copies, "remove it")]);
    for (option, name) in [("keep_top = 5", "keep_top"), ("field = u8", "field"), ("tries = 5", "tries")] {
        let rule = checked(&["id"], &format!("order:lock:{{id}}:string, value = Lock, ttl = 30s, {option}"))
            .diagnostics[0]
            .rule;
        lock_reports(&format!("ttl = 30s, {option}"), &[(name, rule, "remove it")]);
    }
    let burst = "write `limit = 100 / 1m` in place of `value` and `ttl`";
    lock_reports("ttl = 30s, burst = 5", &[("burst", Rule::RateLimit, burst)]);
}

#[test]
fn a_lock_ends() {
    lock_reports("ttl = never, reason = \"x\"", &[("never", Rule::LongLived, "write `30s`")]);
    lock_reports("ttl = never", &[("never", Rule::LongLived, "write `30s`")]);
    // One that never ends is no suggestion.
    for module in ["lock:order", "order:lock"] {
        let template = format!("{module}:{{id}}:string");
        reports(&["id"], &format!("{template}, value = Lock"), &[(&template, Rule::Expiry, "add `ttl = 30s`")]);
    }
    // Names of the ttl in other libraries.
    lock_reports("lease = 30s", &[("lease", Rule::Expiry, "write `ttl = 30s`")]);
    lock_reports("lock_timeout = 10", &[("lock_timeout", Rule::Declaration, "write `ttl = 10s`")]);
    lock_reports("lock_ttl", &[("lock_ttl", Rule::Declaration, "write `ttl = 30s`")]);
}

//! The rules of a project's policy.

use redis_keys_core::schema::Limits;

use super::*;

fn checked(policy: &str, attribute: &str) -> CheckedDeclaration {
    let (policy, faults) = Policy::parse(policy);
    assert_eq!(faults, []);
    let fields = if attribute.contains("{id}") { vec![field("id", "u64")] } else { vec![] };
    super::super::check(&item(fields, attribute), &policy)
}

#[track_caller]
fn reports(policy: &str, attribute: &str, expected: &[ExpectedMessage<'_>]) {
    assert_reported(attribute, &checked(policy, attribute), expected);
}

#[test]
fn a_module_is_one_of_the_projects() {
    let key = |module: &str| format!("{module}:name:{{id}}:string, value = u64, ttl = 1h");
    for module in ["user", "shop.admin", " shop . admin "] {
        reports("modules = ['user', 'shop.admin']", &key(module), &[]);
    }
    let add = |help: &str, module: &str| format!("{help}, or add `\"{module}\"` to `modules` in redis-keys.toml");
    let reported = |module: &str, help: &str| {
        reports(
            "modules = ['user', 'shop.admin']",
            &key(module),
            &[(module, Rule::Modules, &add(help, module.trim()))],
        );
    };
    reported("usr", "write `user`");
    reported("shop", "write `user` or `shop.admin`");
    reported("page.start", "write `user` or `shop.admin`");
    reports("", &key("anything"), &[]);
    // A misspelt module and a missing one are reported once.
    reports("modules = ['user']", &key("Shop"), &[("Shop", Rule::LowerCase, "write `shop`")]);
    let help = "write the module first, as in `user:{id}`";
    reports("modules = ['user']", "{id}:name:string, value = u64, ttl = 1h", &[("{id}", Rule::Shape, help)]);
}

#[test]
fn a_legacy_text_is_listed() {
    let key = |option: &str| format!("user:name:{{id}}:string, value = u64, ttl = 1h, {option} = \"User:{{id}}\"");
    for policy in ["", "legacy.keys = ['Case']", "legacy.keys = ['Other', 'shop::keys::Case']"] {
        reports(policy, &key("legacy"), &[]);
    }
    let help = "declare new keys by their template alone; for one that exists today, add `\"Case\"` to `keys`";
    for policy in ["[legacy]", "legacy.keys = ['Other']", "legacy.keys = ['Case::Other']"] {
        reports(policy, &key("legacy"), &[("legacy", Rule::Declaration, help)]);
        reports(policy, &key("formerly"), &[]);
    }
}

#[test]
fn limits_are_inherited_where_they_are_less() {
    let declaration = |limits: &str, attribute: &str| {
        let checked = checked(&format!("[limits]\n{limits}"), attribute);
        assert_eq!(*checked.diagnostics, [], "{attribute}");
        checked.declaration
    };
    let string = "user:name:{id}:string, value = u64, ttl = 1h";
    assert_eq!(declaration("max_bytes = '9KB'\nmax_len = 5", string).limits().max_bytes, Some(9 * 1024));
    assert_eq!(declaration("max_bytes = '9KB'\nmax_len = 5", string).limits().max_len, None);
    // More than what holds without a declaration is for those that declare it.
    assert_eq!(declaration("max_bytes = '64KB'", string).limits().max_bytes, None);
    assert_eq!(
        declaration("max_bytes = '64KB'", &format!("{string}, max_bytes = 20KB")).limits().max_bytes,
        Some(20 * 1024)
    );
    assert_eq!(declaration("max_key_bytes = 128", string).max_key_bytes(), None);
    assert_eq!(declaration("max_key_bytes = 100", string).max_key_bytes(), Some(100));
    let list = "user:name:{id}:list, value = u64, ttl = 1h";
    let limits = "max_len = 50\nmax_member_bytes = '5KB'\nmax_bytes = '1KB'";
    let read = |declaration: Declaration| {
        let Limits { max_len, max_member_bytes, max_bytes } = declaration.limits();
        (max_len, max_member_bytes, max_bytes)
    };
    assert_eq!(read(declaration(limits, list)), (Some(50), None, None));
    assert_eq!(read(declaration(limits, &format!("{list}, keep_last = 7"))), (None, None, None));
    assert_eq!(read(declaration("max_member_bytes = 100", list)), (None, Some(100), None));
    for pattern in ["lock, ttl = 30s", "limit(5 / 1m)"] {
        assert_eq!(
            declaration("max_bytes = '1KB'", &format!("user:lock:{{id}}:string, {pattern}")).limits().max_bytes,
            None
        );
    }
    let queue = "queue:mail:{id}:zset, value = String, ttl = 1h, jobs";
    assert_eq!(read(declaration("max_len = 50\nmax_member_bytes = '1KB'", queue)), (Some(50), Some(1024), None));
    let bitmap = "user:days:{id}:bitmap, ttl = 1h";
    assert_eq!(declaration("max_bytes = 100", bitmap).limits().max_bytes, Some(100));
}

#[test]
fn limits_hold_for_what_is_declared() {
    let limits = "[limits]\nmax_bytes = '1KB'\nmax_len = 50\nmax_member_bytes = '1KB'\nlongest_ttl = '1d'";
    let help = |most: &str, name: &str| format!("write `{most}` or less: `{name}` in redis-keys.toml");
    let reported = |kind: &str, options: &str, what: &str, rule: Rule, help: &str| {
        let ttl = if options.contains("ttl") { "" } else { ", ttl = 1d" };
        reports(limits, &format!("user:name:{{id}}:{kind}, {options}{ttl}"), &[(what, rule, help)]);
    };
    reported("string", "value = u64, max_bytes = 1025", "1025", Rule::ValueSize, &help("1KB", "max_bytes"));
    reported("bitmap", "max_bytes = 2KB", "2KB", Rule::ValueSize, &help("1KB", "max_bytes"));
    reported("set", "value = u64, max_member_bytes = 2KB", "2KB", Rule::ValueSize, &help("1KB", "max_member_bytes"));
    reported("set", "value = u64, max_len = 51", "51", Rule::CollectionSize, &help("50", "max_len"));
    reported("zset", "value = u64, keep_top = 51", "51", Rule::CollectionSize, &help("50", "max_len"));
    reported("stream", "value = Event, keep_last = ~51", "~51", Rule::CollectionSize, &help("50", "max_len"));
    reported("string", "value = u64, ttl = 25h", "25h", Rule::Expiry, &help("1d", "longest_ttl"));
    let never = "value = u64, ttl = never, reason = \"a test\"";
    reported("string", never, "never", Rule::Expiry, &help("1d", "longest_ttl"));
    // Jitter comes on top, as it does of the longest ttl of the rules.
    reports(limits, "user:name:{id}:string, value = u64, ttl = 1d, jitter = 1d", &[]);
    reports("", "user:name:{id}:string, value = u64, ttl = 3650d, jitter = 100%", &[]);
    // The ttl of a limit follows from it.
    let limit = "shorten the period, or lower `burst`: `longest_ttl` in redis-keys.toml";
    reports(limits, "rate:api:{id}:string, limit(5 / 2d)", &[("5 / 2d", Rule::Expiry, limit)]);
    reports(limits, "rate:api:{id}:string, limit(5 / 2d, burst = 2)", &[]);
    // The period counts as it is declared, not the rounded step.
    reports(limits, "rate:api:{id}:string, limit(7 / 1d)", &[]);
    // A value beyond the rules is reported once.
    let split = "write `5000` or less, or divide the collection into several keys: by shards, as in `{id % 8}`, or by time \
                 with a bucket, as in `{month}`";
    reported("set", "value = u64, max_len = 5001", "5001", Rule::CollectionSize, split);
}

#[test]
fn a_module_has_an_owner() {
    let owner = |module: &str| {
        let attribute = format!("{module}:name:{{id}}:string, value = u64, ttl = 1h");
        checked("module.user.owner = 'web'", &attribute).declaration.inherited_owner().map(str::to_owned)
    };
    assert_eq!((owner("user").as_deref(), owner("users")), (Some("web"), None));
}

//! The file is valid, also with its comments made settings, and fits the keys that are there.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on")]

use redis_keys_core::schema::Role;
use redis_keys_schema::{ModulePolicy, Policy};
use serde_json::json;

use super::*;
use crate::declare::catalog::{Key, UnreadPlace};

fn key(template: &str, kind: &str, ttl_ms: Option<u64>) -> Key {
    let key = json!({
        "name": "Case", "template": template, "type": kind, "parameters": [], "ttl_ms": ttl_ms, "jitter_ms": 0,
        "keep_about": false, "max_key_bytes": 128, "allowed": [], "file": "src/lib.rs", "line": 1, "longest": 20,
        "package": "shop", "target": "lib:shop",
    });
    serde_json::from_value(key).unwrap()
}

fn catalog() -> Catalog {
    let owned = |mut key: Key| {
        key.owner = Some("web \"team\" \u{7f}".to_owned());
        key
    };
    let lock = |mut key: Key| {
        key.role = Some(Role::Lock);
        key
    };
    let mut of_month = key("stats:of:{month}:string", "string", Some(1));
    of_month.ttl_from_end_of = Some("month".to_owned());
    let keys = vec![
        owned(key("user:name:{id}:string", "string", Some(3_600_000))),
        owned(key("user:changes:{id}:channel", "channel", None)),
        owned(key("user:names:{id}:hash", "hash", Some(90_061_500))),
        key("user.admin:name:{id}:string", "string", None),
        key("user.admin:names:{id}:string", "string", Some(60_000)),
        key("cache:page:{id}:string", "string", None),
        of_month,
        lock(key("user:lock:{id}:string", "string", Some(5_000))),
        lock(key("lock:user:{id}:string", "string", Some(30_000))),
    ];
    Catalog::new(keys, Vec::new())
}

/// The settings of a file, with those that are comments.
fn uncommented(text: &str) -> String {
    let setting = |line: &str| {
        let rest = line.strip_prefix("# ")?;
        let name = rest.split([' ', '[']).next()?;
        let is_setting = rest.starts_with('[') || rest.get(name.len()..)?.starts_with(" = ");
        is_setting.then(|| rest.to_owned())
    };
    text.lines().map(|line| setting(line).unwrap_or_else(|| line.to_owned()) + "\n").collect()
}

#[track_caller]
fn parsed(text: &str) -> Policy {
    let (policy, errors) = Policy::parse(text);
    assert_eq!(errors, [], "{text}");
    policy
}

#[test]
fn only_the_modules_are_in_force() {
    let policy = parsed(&policy_text(&catalog()));
    let modules = ["cache", "lock", "stats", "user", "user.admin"].map(str::to_owned).to_vec();
    assert_eq!(policy, Policy { modules: Some(modules), ..Policy::default() });
}

#[test]
fn the_comments_are_settings() {
    let policy = parsed(&uncommented(&policy_text(&catalog())));
    assert_eq!(policy.lints, Policy::default().lints);
    assert_eq!((policy.limits.max_len, policy.limits.max_key_bytes), (Some(5000), Some(128)));
    assert_eq!(policy.limits.longest_ttl, Some(limits::LONGEST_TTL));
    assert_eq!(policy.abbreviations.len(), 1);
    let shown = |name: &str| {
        let ModulePolicy { ttl, types, owner } = policy.of_module(name).unwrap();
        let types: Vec<_> = types.iter().flatten().map(|kind| kind.name()).collect();
        (ttl.map(|ttl| ttl.to_string()), types.join(" "), owner.clone())
    };
    let ttl = |ttl: &str| Some(ttl.to_owned());
    let owner = || Some("web team".to_owned());
    assert_eq!(shown("user"), (ttl("1h..1d1h1m1s500ms"), "channel hash string".to_owned(), owner()));
    // Some keys never expire.
    assert_eq!(shown("user.admin"), (ttl("1m.."), "string".to_owned(), owner()));
    assert_eq!(shown("cache").0, None);
    // The expiry counts from the end of the month.
    assert_eq!(shown("stats").0, None);
    // Its range applies to the locks of other modules.
    assert_eq!(shown("lock").0, ttl("5s..30s"));
}

#[test]
fn an_owner_of_all_keys_is_kept() {
    let mut catalog = catalog();
    catalog.keys.retain(|key| key.owner.is_some());
    let policy = parsed(&uncommented(&policy_text(&catalog)));
    let owner = policy.of_module("user").and_then(|module| module.owner.clone());
    assert_eq!(owner.as_deref(), Some("web \"team\" \u{7f}"));
}

#[test]
fn the_list_is_a_comment_if_modules_may_be_missing() {
    let place = UnreadPlace { file: "src/x.rs".to_owned(), line: 9, why: "macro_rules".to_owned() };
    let text = policy_text(&Catalog { unread: vec![place], ..catalog() });
    assert!(text.contains("\n# 1 place makes keys that were not read: add their modules.\n# modules = ["), "{text}");
    assert_eq!(parsed(&text), Policy::default());
    assert_eq!(parsed(&policy_text(&Catalog::new(Vec::new(), Vec::new()))), Policy::default());
}

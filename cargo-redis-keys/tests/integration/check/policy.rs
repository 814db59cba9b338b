//! The policy file.

use snapbox::{assert_data_eq, str};

use crate::workspace::Workspace;

const PAGE: &str =
    "#[derive(RedisKey)]\n#[redis_key(cache:page:{id}:string, value = String, ttl = 1h)]\nstruct Page { id: u64 }";

#[test]
fn it_applies_to_the_declarations() {
    let workspace = Workspace::new("policy", &[("shop", &[("src/lib.rs", PAGE)])]);
    workspace.write("redis-keys.toml", "modules = [\"user\"]\n[lints]\nmissing_jitter = \"deny\"\n");
    assert_data_eq!(
        workspace.run(&["check"]).findings(),
        str![[r#"
error: unknown module `cache`
 --> packages/shop/src/lib.rs:2:13
  |
2 | #[redis_key(cache:page:{id}:string, value = String, ttl = 1h)]
  |             ^^^^^
  |
  = help: write `user`, or add `"cache"` to `modules` in redis-keys.toml
  = rule: modules

error: `cache` keys without jitter expire at the same time
 --> packages/shop/src/lib.rs:2:59
  |
2 | #[redis_key(cache:page:{id}:string, value = String, ttl = 1h)]
  |                                                           ^^
  |
  = help: add `jitter = 10%`, or opt out with `allow(missing_jitter, reason = "…")`
  = lint: missing_jitter

2 errors, 0 warnings
checked what the sources say of 1 declaration; cargo check proves the rest

"#]]
    );
}

#[test]
fn names_without_a_legacy_text_can_go() {
    let legacy = |name: &str, option: &str| {
        PAGE.replace("Page", name)
            .replace("page", &name.to_lowercase())
            .replace(", value", &format!(", {option} = \"{name}-{{id}}\", value"))
    };
    let shop = [
        legacy("Cart", "legacy"),
        legacy("Old", "formerly"),
        format!("#[cfg(feature = \"x\")]\n{}", legacy("Far", "legacy")),
    ];
    let shop = shop.join("\n");
    let workspace = Workspace::new("policy-legacy", &[("shop", &[("src/lib.rs", &shop)])]);
    workspace.write(
        "redis-keys.toml",
        "[lints]\nmissing_jitter = \"allow\"\n[legacy]\nkeys = [\n  \"shop::Cart\",\n  \"Old\",\n  \"Far\",\n]\n",
    );
    assert_data_eq!(
        workspace.run(&["check", "--deny-warnings"]).findings(),
        str![[r#"
error: unneeded `Old` in `[legacy]`: no key of that name has `legacy`
 --> redis-keys.toml:6:3
  |
6 |   "Old",
  |   ^^^^^
  |
  = help: remove it from `keys`, so that no new key can have a legacy text under that name
  = rule: policy

1 error, 0 warnings
checked what the sources say of 2 declarations; cargo check proves the rest

"#]]
    );
    // A declaration with errors may need its name.
    let new = legacy("New", "legacy");
    workspace.write("packages/shop/src/lib.rs", &format!("{shop}\n{new}"));
    assert_data_eq!(
        workspace.run(&["check"]).findings(),
        str![[r#"
error: `New` has a legacy text and is not in `[legacy]` of redis-keys.toml
  --> packages/shop/src/lib.rs:12:36
   |
12 | #[redis_key(cache:new:{id}:string, legacy = "New-{id}", value = String, ttl = 1h)]
   |                                    ^^^^^^
   |
   = help: declare new keys by their template alone; for one that exists today, add `"New"` to `keys`
   = rule: declaration

1 error, 0 warnings
checked what the sources say of 3 declarations; cargo check proves the rest

"#]]
    );
}

#[test]
fn its_errors_are_reported_once() {
    let workspace =
        Workspace::new("policy-errors", &[("shop", &[("src/lib.rs", PAGE)]), ("user", &[("src/lib.rs", PAGE)])]);
    workspace.write("redis-keys.toml", "[limits]\nmax_byte = \"4KB\"\n[module.cahce]\nttl = \"1h\"\n");
    assert_data_eq!(
        workspace.run(&["check"]).findings(),
        str![[r#"
error: unknown limit `max_byte`
 --> redis-keys.toml:2:1
  |
2 | max_byte = "4KB"
  | ^^^^^^^^
  |
  = help: did you mean `max_bytes`?
  = rule: policy

error: expected a range, found `1h`
 --> redis-keys.toml:4:7
  |
4 | ttl = "1h"
  |       ^^^^
  |
  = help: write `"..1h"`
  = rule: policy

warning: module `cahce` is probably a typo of `cache`
 --> redis-keys.toml:3:9
  |
3 | [module.cahce]
  |         ^^^^^
  |
  = help: write `[module.cache]`, or add `misspelt_module = "allow"` to `[lints]`
  = lint: misspelt_module

warning: `cache` keys without jitter expire at the same time
 --> packages/shop/src/lib.rs:2:59
  |
2 | #[redis_key(cache:page:{id}:string, value = String, ttl = 1h)]
  |                                                           ^^
  |
  = help: add `jitter = 10%`, or opt out with `allow(missing_jitter, reason = "…")`
  = lint: missing_jitter

error: `Page` of package `user` and `Page` of package `shop` overlap: they can produce the same key
 --> packages/user/src/lib.rs:2:13
  |
2 | #[redis_key(cache:page:{id}:string, value = String, ttl = 1h)]
  |             ^^^^^^^^^^^^^^^^^^^^^^ can produce the same key as `Page` of package `shop`
  |
 ::: packages/shop/src/lib.rs:2:13
  |
2 | #[redis_key(cache:page:{id}:string, value = String, ttl = 1h)]
  |             ---------------------- `Page` of package `shop` is declared here
  |
  = help: rename one of them, or write `allow(overlap, reason = "…")` in one
  = rule: one-key-each

warning: `cache` keys without jitter expire at the same time
 --> packages/user/src/lib.rs:2:59
  |
2 | #[redis_key(cache:page:{id}:string, value = String, ttl = 1h)]
  |                                                           ^^
  |
  = help: add `jitter = 10%`, or opt out with `allow(missing_jitter, reason = "…")`
  = lint: missing_jitter

3 errors, 3 warnings
checked what the sources say of 2 declarations; cargo check proves the rest

"#]]
    );
}

#[test]
fn a_file_that_is_not_text_is_an_error() {
    let workspace = Workspace::new("policy-folder", &[("shop", &[("src/lib.rs", PAGE)])]);
    workspace.write("redis-keys.toml/file", "");
    assert_data_eq!(
        workspace.run(&["check"]).findings(),
        str![[r#"
error: the policy file is a folder
 --> redis-keys.toml:1:1
  |
1 |
  | ^
  |
  = help: replace it by a text file in TOML, or remove it
  = rule: policy

warning: `cache` keys without jitter expire at the same time
 --> packages/shop/src/lib.rs:2:59
  |
2 | #[redis_key(cache:page:{id}:string, value = String, ttl = 1h)]
  |                                                           ^^
  |
  = help: add `jitter = 10%`, or opt out with `allow(missing_jitter, reason = "…")`
  = lint: missing_jitter

1 error, 1 warning
checked what the sources say of 1 declaration; cargo check proves the rest

"#]]
    );
    for format in ["json", "sarif", "github"] {
        workspace.run(&["check", "--format", format]).findings();
    }
}

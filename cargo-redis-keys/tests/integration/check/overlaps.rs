//! Declarations of different packages that can produce the same key.

use std::fs;

use serde_json::Value;
use snapbox::{assert_data_eq, str};

use crate::command::run;
use crate::fixture::Fixture;
use crate::workspace::Workspace;

/// A key with that name and template, and with the parameters.
fn key(name: &str, template: &str, parameters: &str) -> String {
    format!(
        "#[derive(RedisKey)]\n#[redis_key({template}, value = String, ttl = 1h)]\npub struct {name} {{ {parameters} }}\n"
    )
}

/// Returns what `check` writes about a library `shop` and a program `user` beside it.
fn checked(name: &str, shop: &str, user: &str) -> String {
    let workspace = Workspace::new(name, &[("shop", &[("src/lib.rs", shop)]), ("user", &[("src/main.rs", user)])]);
    let ran = workspace.run(&["check"]);
    assert_eq!(ran.stderr, "");
    ran.stdout
}

/// The tests, the benchmarks and the examples of this repository, too.
#[test]
fn this_repository_has_none() {
    let ran = run(&["check", "--manifest-path", concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.toml")]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{}", ran.stdout);
    let count = ran.stdout.split("checked what the sources say of ").nth(1).and_then(|rest| rest.split(' ').next());
    assert!(count.and_then(|count| count.parse::<u32>().ok()).is_some_and(|count| count > 200), "{}", ran.stdout);
}

#[test]
fn both_places_are_shown() {
    let shop = key("Me", "user:me:string", "");
    let user = key("Named", "\"user:{name}:string\"", "name: String");
    assert_data_eq!(
        checked("overlap", &shop, &user),
        str![[r#"
error: `Named` of package `user` and `Me` of package `shop` overlap: they can produce the same key
 --> packages/user/src/main.rs:2:14
  |
2 | #[redis_key("user:{name}:string", value = String, ttl = 1h)]
  |              ^^^^^^^^^^^^^^^^^^ can produce the same key as `Me` of package `shop`
  |
 ::: packages/shop/src/lib.rs:2:13
  |
2 | #[redis_key(user:me:string, value = String, ttl = 1h)]
  |             -------------- `Me` of package `shop` is declared here
  |
  = help: rename one of them, or write `allow(overlap, reason = "…")` in one
  = rule: one-key-each

1 error, 0 warnings
checked what the sources say of 2 declarations; cargo check proves the rest

"#]]
    );
}

#[test]
fn inside_of_a_package_the_rule_is_the_same() {
    let keys = key("Me", "user:me:string", "") + &key("Named", "user:{name}:string", "name: String");
    assert_data_eq!(
        checked("overlap-inside", &keys, ""),
        str![[r#"
error: `Named` and `Me` overlap: they can produce the same key
 --> packages/shop/src/lib.rs:5:13
  |
2 | #[redis_key(user:me:string, value = String, ttl = 1h)]
  |             -------------- `Me` is declared here
...
5 | #[redis_key(user:{name}:string, value = String, ttl = 1h)]
  |             ^^^^^^^^^^^^^^^^^^ can produce the same key as `Me`
  |
  = help: rename one of them, or write `allow(overlap, reason = "…")` in one
  = rule: one-key-each

1 error, 0 warnings
checked what the sources say of 2 declarations; cargo check proves the rest

"#]]
    );
}

#[test]
fn legacy_texts_are_compared() {
    let with = |name: &str, option: &str, ty: &str, attribute: &str| {
        let template = format!("{}:new:{{id}}:string", name.to_lowercase());
        key(name, &format!("{template}, {option}"), &format!("{attribute} id: {ty}"))
    };
    let shop = key("Me", "user:me:string", "");
    let user = with("Old", r#"legacy = "user:{id}""#, "String", "");
    assert_data_eq!(
        checked("overlap-legacy", &shop, &user),
        str![[r#"
error: `Old` of package `user` and `Me` of package `shop` overlap: they can produce the same key
 --> packages/user/src/main.rs:2:44
  |
2 | #[redis_key(old:new:{id}:string, legacy = "user:{id}", value = String, ttl = 1h)]
  |                                            ^^^^^^^^^ can produce the same key as `Me` of package `shop`
  |
 ::: packages/shop/src/lib.rs:2:13
  |
2 | #[redis_key(user:me:string, value = String, ttl = 1h)]
  |             -------------- `Me` of package `shop` is declared here
  |
  = help: make the texts differ, add `#[redis_key(no_colon)]` to fields whose values never contain `:`, or write `allow(overlap, reason = "…")` in one
  = rule: one-key-each

1 error, 0 warnings
checked what the sources say of 2 declarations; cargo check proves the rest

"#]]
    );
    let fine = "checked what the sources say of 2 declarations; cargo check proves the rest\n";
    let old = |text: &str| with("Old", &format!("formerly = \"{text}\""), "u64", "");
    for user in [
        with("Old", r#"legacy = "user:{id}""#, "String", "#[redis_key(no_colon)]"),
        with("Old", r#"legacy = "user:{id}""#, "u64", ""),
        with("Old", r#"legacy = "user:{id}", allow(overlap, reason = "x")"#, "String", ""),
    ] {
        assert_eq!(checked("overlap-legacy", &shop, &user), fine, "{user}");
    }
    // A template that is not in use has no keys yet.
    let template = with("Late", r#"legacy = "Late:{id}""#, "u64", "");
    assert_eq!(checked("overlap-legacy", &template, &old("late:new:{id}:string")), fine);
    let overlapping = [
        (template.replace("legacy", "formerly"), old("late:new:{id}:string")),
        (template.replace("legacy", "formerly"), old("Late:{id}")),
        (template, old("La{id}").replace("u64", "String")),
    ];
    for (shop, user) in overlapping {
        let written = checked("overlap-legacy", &shop, &user);
        let overlap = "`Old` of package `user` and `Late` of package `shop` overlap";
        assert!(written.contains(overlap), "{written}");
    }
}

#[test]
fn types_decide() {
    let enums =
        "#[derive(KeySegment)]\npub enum Section { Orders, BasicInfo }\n#[derive(KeySegment)]\npub struct Id(u64);\n";
    for (one, other, overlap) in [
        ("of: u64", "me", false),
        ("of: u64", "42", true),
        ("of: Id", "me", false),
        ("of: Id", "42", true),
        ("of: Section", "me", false),
        ("of: Section", "basic.info", true),
        ("of: String", "me", true),
        ("of: &'static str", "me", true),
    ] {
        let shop = enums.to_owned() + &key("Of", "user:{of}:string", one);
        let found = checked("overlap-types", &shop, &key("Other", &format!("user:{other}:string"), ""));
        assert_eq!(found.contains("error: "), overlap, "{one} {other}\n{found}");
        assert!(!found.contains("warning: "), "{found}");
    }
    // Any type is possible.
    let generic =
        "#[derive(RedisKey)]\n#[redis_key(user:{of}:string, value = u64, ttl = 1h)]\npub struct Of<T> { of: T }\n";
    assert!(checked("overlap-generic", generic, &key("Me", "user:me:string", "")).contains("error: "));
}

#[test]
fn unknown_types_are_a_warning() {
    let shop = key("Of", "user:{of}:string", "of: their::Type");
    assert_data_eq!(
        checked("overlap-unknown", &shop, &key("Me", "user:me:string", "")),
        str![[r#"
warning: `Me` of package `user` and `Of` of package `shop` may overlap: only the compiler knows the values of `their::Type`
 --> packages/user/src/main.rs:2:13
  |
2 | #[redis_key(user:me:string, value = String, ttl = 1h)]
  |             ^^^^^^^^^^^^^^ may produce the same key as `Of` of package `shop`
  |
 ::: packages/shop/src/lib.rs:2:13
  |
2 | #[redis_key(user:{of}:string, value = String, ttl = 1h)]
  |             ---------------- `Of` of package `shop` is declared here
  |
  = help: rename one of them, or write `allow(overlap, reason = "…")` in one
  = rule: one-key-each

0 errors, 1 warning
checked what the sources say of 2 declarations; cargo check proves the rest

"#]]
    );
    // The compiler knows the types of a crate.
    let both = shop + &key("Me", "user:me:string", "");
    assert!(!checked("overlap-unknown-inside", &both, "").contains("overlap"));
}

#[test]
fn either_can_allow_it() {
    let named = key("Named", "user:{name}:string", "name: String");
    let me = key("Me", "user:me:string", "").replace("1h", "1h, allow(overlap, reason = \"a reserved name\")");
    for (shop, user) in [(&named, &me), (&me, &named)] {
        assert_eq!(
            checked("overlap-allowed", shop, user),
            "checked what the sources say of 2 declarations; cargo check proves the rest\n"
        );
    }
}

#[test]
fn a_file_of_several_targets_is_one_declaration() {
    let keys = key("Me", "user:me:string", "");
    let (lib, main) = ("pub mod keys;", "mod keys;\nfn main() {}");
    let elsewhere = "#[path = \"../../shop/src/keys.rs\"]\nmod keys;\nfn main() {}";
    let workspace = Workspace::new(
        "overlap-file",
        &[
            ("shop", &[("src/lib.rs", lib), ("src/main.rs", main), ("src/keys.rs", &keys)]),
            ("user", &[("src/main.rs", elsewhere)]),
        ],
    );
    let nothing = "checked what the sources say of 1 declaration; cargo check proves the rest\n";
    assert_eq!(workspace.run(&["check"]).fine(), nothing);
    // It is still one under a condition that cannot be decided.
    workspace.write("packages/user/src/main.rs", &format!("#[cfg(from_the_build_script)]\n{elsewhere}"));
    assert_eq!(workspace.run(&["check"]).fine(), nothing);
}

#[test]
fn tests_and_examples_are_compared_with_their_own_keys_only() {
    let me = key("Me", "user:me:string", "");
    let in_tests = format!("#[cfg(test)]\nmod tests {{\n{me}\n}}");
    let twice = me.clone() + &key("Named", "user:{name}:string", "name: String");
    let all = ["check", "--tests", "--examples"];
    let workspace = Workspace::new(
        "overlap-tests",
        &[
            ("shop", &[("src/lib.rs", &me), ("tests/it.rs", &me), ("examples/first.rs", &me)]),
            ("user", &[("src/lib.rs", &in_tests)]),
        ],
    );
    workspace.run(&all).fine();
    workspace.write("packages/user/examples/second.rs", &twice);
    let found = workspace.run(&all).findings();
    assert_eq!(found.matches("error: ").count(), 1, "{found}");
    assert!(found.contains("examples/second.rs:5:13"), "{found}");
}

#[test]
fn targets_of_a_package_are_compared() {
    let (lib, main) = (key("Me", "user:me:string", ""), key("Named", "user:{name}:string", "name: String"));
    let workspace = Workspace::new("overlap-targets", &[("shop", &[("src/lib.rs", &lib), ("src/main.rs", &main)])]);
    let found = workspace.run(&["check"]).findings();
    assert!(found.starts_with("error: `Named` and `Me` overlap"), "{found}");
}

#[test]
fn what_may_not_be_compiled_is_a_warning() {
    let conditional = "#[cfg(feature = \"none\")]\n".to_owned() + &key("Never", "user:me:string", "");
    let unknown = "#[cfg(from_the_build_script)]\n".to_owned() + &key("Maybe", "user:me:string", "");
    let user = key("Named", "user:{name}:string", "name: String");
    assert!(!checked("overlap-cfg", &conditional, &user).contains("overlap"));
    let found = checked("overlap-maybe", &unknown, &user);
    let expected = "warning: `Named` of package `user` and `Maybe` of package `shop` may overlap: they are not always declared together\n";
    assert!(found.starts_with(expected), "{found}");
}

/// The overlaps that the compiler reports in a file of its tests, each with the line and the column of what is
/// underlined.
fn expected(source: &str) -> Vec<(usize, usize, String)> {
    let mut expected = Vec::new();
    let (mut mark, mut before) = ((0, 0), "");
    for (index, line) in source.lines().enumerate() {
        if let Some(column) = line.find('^').filter(|_| line.starts_with("//")) {
            // Of a literal the compiler can only underline the whole.
            let is_literal = before.get(column..).is_some_and(|text| text.starts_with('"'));
            mark = (index, column + 1 + usize::from(is_literal));
        }
        if let Some(message) = line.strip_prefix("// Differ: ") {
            // The names without lifetimes and without the modules that rustc adds.
            let last = |name: &str| name.split('<').next().unwrap().rsplit("::").next().unwrap().to_owned();
            let names: Vec<_> = message.split('`').skip(1).step_by(2).take(2).map(last).collect();
            expected.push((mark.0, mark.1, names.join(" ")));
        }
        before = line;
    }
    expected
}

#[test]
fn the_compiler_reports_the_same() {
    let source = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../ui-tests/underlines/overlap.rs")).unwrap();
    let workspace = Workspace::new("overlap-compiler", &[("shop", &[("src/main.rs", &source)])]);
    let output = workspace.run(&["check", "--format", "json"]).findings();
    let found: Vec<Value> = output.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut found: Vec<_> = found
        .iter()
        .map(|finding| {
            let number = |name: &str| usize::try_from(finding["spans"][0][name].as_u64().unwrap()).unwrap();
            let last = |name: &str| name.rsplit("::").next().unwrap().to_owned();
            let message = finding["message"].as_str().unwrap();
            let names: Vec<_> = message.split('`').skip(1).step_by(2).take(2).map(last).collect();
            (number("line_start"), number("column_start"), names.join(" "))
        })
        .collect();
    let mut expected = expected(&source);
    // Values that only the compiler knows, of types with an `impl` by hand and of generic ones, and declarations in a
    // macro.
    let unknown = ["Seventh ById", "Home BySlug", "InYear Yearly", "Shard Yearly", "SameName Name"];
    expected.retain(|(.., names)| !unknown.contains(&names.as_str()));
    found.sort();
    expected.sort();
    assert!(expected.len() > 12, "{expected:?}");
    assert_eq!(found, expected);
}

#[test]
fn keys_that_macros_declare_are_compared_if_they_are_compiled() {
    let fixture = Fixture::new("macros", "check");
    let read = fixture.run(&["check"]);
    assert_eq!(read.status, Some(0), "{read:?}");
    assert!(read.stdout.starts_with("3 places make keys that the sources do not show"), "{}", read.stdout);
    assert_data_eq!(
        fixture.run(&["check", "--built", "--strict"]).findings(),
        str![[r#"
error: `Visits` of package `shop` and `Seen` of package `user` overlap: they can produce the same key
  --> shop/src/lib.rs:14:1
   |
14 | key!(Visits = visits);
   | ^^^^^^^^^^^^^^^^^^^^^^ can produce the same key as `Seen` of package `user`
   |
  ::: user/src/lib.rs:5:13
   |
 5 | #[redis_key(user:visits:{user_id}:string, value = u64, ttl = 1h)]
   |             ---------------------------- `Seen` of package `user` is declared here
   |
   = help: rename one of them, or write `allow(overlap, reason = "…")` in one
   = rule: one-key-each

1 error, 0 warnings
checked what the sources and the compiler say of 3 declarations

"#]]
    );
    // A declaration with errors does not compile.
    fixture.change("user/src/lib.rs", |text| text.replace(", ttl = 1h", ""));
    let wrong = fixture.run(&["check", "--built"]).findings();
    assert!(wrong.starts_with("error: missing `ttl`"), "{wrong}");
}

/// Tests are compiled with `--tests`. Their keys are compared with keys of the same test only.
#[test]
fn tests_that_macros_declare_are_compared_with_their_own_keys_only() {
    const TEST: &str = "\
use redis_keys::prelude::*;

macro_rules! key {
    ($name:ident) => {
        #[derive(RedisKey)]
        #[redis_key(user:visits:{id}:string, value = u64, ttl = 1h)]
        struct $name {
            id: u64,
        }
    };
}

key!(Faked);
";
    let fixture = Fixture::new("macros", "tests");
    fixture.change("shop/src/lib.rs", |text| text.replace("Visits = visits", "Views = views"));
    for package in ["shop", "user"] {
        let tests = fixture.folder().join(package).join("tests");
        fs::create_dir(&tests).unwrap();
        fs::write(tests.join("it.rs"), TEST).unwrap();
        // Unit tests as well.
        let unit = TEST.replace("user:visits", "user:drafts");
        fixture
            .change(&format!("{package}/src/lib.rs"), |text| format!("{text}\n#[cfg(test)]\nmod unit {{\n{unit}}}\n"));
    }
    let compiled = ["check", "--built", "--tests"];
    let ran = fixture.run(&compiled);
    assert_eq!(
        (ran.status, &*ran.stdout),
        (Some(0), "checked what the sources and the compiler say of 7 declarations\n")
    );
}

#[test]
fn a_key_of_a_macro_can_allow_overlaps() {
    let fixture = Fixture::new("macros", "allowed");
    fixture.change("shop/src/lib.rs", |text| {
        text.replace("ttl = 1h)", "ttl = 1h, allow(overlap, reason = \"the same visits\"))")
    });
    let ran = fixture.run(&["check", "--built"]);
    assert_eq!(
        (ran.status, &*ran.stdout),
        (Some(0), "checked what the sources and the compiler say of 3 declarations\n")
    );
}

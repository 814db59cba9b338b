//! Declarations in the sources of a project, compared with those of its derives.

use std::collections::BTreeSet;

use serde_json::Value;
use snapbox::{assert_data_eq, str};

use crate::command::Ran;
use crate::fixture::Fixture;

/// A catalog.
struct Catalog(Value);

impl Catalog {
    fn of(fixture: &Fixture, arguments: &[&str]) -> Self {
        let arguments = [&["catalog", "--format", "json"], arguments].concat();
        let ran = fixture.run(&arguments);
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
        Self(serde_json::from_str(&ran.stdout).unwrap())
    }

    fn keys(&self) -> &[Value] {
        self.0["keys"].as_array().unwrap()
    }

    /// The keys, each in a line, with these fields.
    fn list(&self, fields: &[&str]) -> String {
        let text = |value: &Value| match value {
            Value::Null => "-".to_owned(),
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let line = |key: &Value| fields.iter().map(|field| text(&key[*field])).collect::<Vec<_>>().join(" | ");
        self.keys().iter().map(|key| line(key) + "\n").collect()
    }

    /// The values of the parameters of each key that has some.
    fn values(&self) -> String {
        let line = |key: &Value| {
            let values: Vec<_> =
                key["parameters"].as_array().unwrap().iter().map(|parameter| parameter["values"].to_string()).collect();
            format!("{} {} {}\n    {}\n", key["template"], key["longest"], key["example"], values.join(" "))
        };
        self.keys().iter().filter(|key| key["parameters"] != serde_json::json!([])).map(line).collect()
    }

    /// The places that were not read.
    fn unread(&self) -> String {
        let places = self.0["unread"].as_array().unwrap().iter();
        let lines = places.map(|place| format!("{}:{} {}", text(&place["file"]), place["line"], text(&place["why"])));
        lines.flat_map(|line| [line, "\n".to_owned()]).collect()
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

#[test]
fn keys_are_found_wherever_they_are() {
    let fixture = Fixture::new("shop", "read");
    let read = Catalog::of(&fixture, &[]);
    assert_data_eq!(
        read.list(&["template", "target", "module", "condition", "file"]),
        str![[r#"
shop:attribute:{id}:string | lib:shop | conditions | - | shop/src/conditions.rs
shop:beside:string | lib:shop | keys_in_files::beside | - | shop/src/elsewhere/beside.rs
shop:by.path:{type}:string | lib:renamed |  | - | renamed/src/lib.rs
shop:deeper:string | lib:shop | keys_in_files::deeper | - | shop/src/keys_in_files/deeper.rs
shop:deepest:string | lib:shop | keys_in_files::shown::deepest | - | shop/src/keys_in_files/shown/deepest.rs
shop:first:string | lib:shop |  | - | shop/src/lib.rs
shop:folder.beside:string | lib:shop | folder::beside | - | shop/src/folder/beside.rs
shop:folder:string | lib:shop | folder | - | shop/src/folder/mod.rs
shop:from.build:string | lib:shop | conditions | from_build | shop/src/conditions.rs
shop:in.block:{of}:string | lib:shop |  | - | shop/src/lib.rs
shop:in.constant:string | lib:shop |  | - | shop/src/lib.rs
shop:in.function:{of}:string | lib:shop |  | - | shop/src/lib.rs
shop:in.included:string | lib:shop | included::in_included | - | shop/src/elsewhere/in_included.rs
shop:included:string | lib:shop | included | - | shop/src/elsewhere/included.rs
shop:inline.by.path:string | lib:shop | inline::named | - | shop/src/inline/by_path.rs
shop:inline.here:string | lib:shop | inline::here | - | shop/src/inline/here/mod.rs
shop:more:{day}:{text}:{id}:string | lib:shop | types | - | shop/src/types.rs
shop:odd:string | bin:shop | shared | - | shop/src/elsewhere/odd.rs
shop:odd:string | lib:shop | odd | - | shop/src/elsewhere/odd.rs
shop:of.made:{of}:string | lib:shop | macros | - | shop/src/macros.rs
shop:on:string | lib:shop | conditions | - | shop/src/conditions.rs
shop:one.way:string | lib:shop | conditions | from_build | shop/src/conditions.rs
shop:other.way:string | lib:shop | conditions | not(from_build) | shop/src/conditions.rs
shop:passed.module:string | lib:shop | macros::passed | - | shop/src/macros.rs
shop:passed:string | lib:shop | macros | - | shop/src/macros.rs
shop:renamed.derive:{of}:{day}:string | lib:renamed |  | - | renamed/src/lib.rs
shop:renamed:string | lib:shop | renamed::inside | - | shop/src/other/inside.rs
shop:second:string | lib:shop |  | - | shop/src/lib.rs
shop:shadowed:{id}:{own}:string | lib:shop | types::shadowed | - | shop/src/types.rs
shop:shown.by.path:string | lib:shop | keys_in_files::shown::named | - | shop/src/keys_in_files/shown/by_path.rs
shop:types:{id}:{page}:{size}:{other}:{section}:string | lib:shop | types | - | shop/src/types.rs
shop:unknown:{opaque}:{any}:string | lib:shop | types | - | shop/src/types.rs
shop:without.build:string | lib:shop | conditions::never | all(not(from_build), feature = "on") | shop/src/conditions.rs

"#]]
    );
    assert_data_eq!(
        read.unread(),
        str![[r#"
ids/src/lib.rs:55 `macro_rules! counter` declares keys
shop/src/lib.rs:34 `include!` of a computed path
shop/src/macros.rs:5 `macro_rules! named` declares keys
shop/src/macros.rs:13 `named!` declares keys
shop/src/macros.rs:22 `through!` declares keys
shop/src/macros.rs:24 `counter!` declares keys
shop/src/macros.rs:44 `macro_rules! derived` declares keys
shop/src/macros.rs:52 `derived!` declares keys
shop/src/macros.rs:54 `redis_key` without a derive
shop/src/macros.rs:76 `macro_rules! fixed` declares keys
shop/src/macros.rs:87 `fixed!` declares keys

"#]]
    );
    assert_data_eq!(
        read.values(),
        str![[r#"
"shop:attribute:{id}:string" 42 "shop:attribute:42:string"
    {"number":{"from":"0","to":"18446744073709551615"}}
"shop:by.path:{type}:string" 23 "shop:by.path:in:string"
    {"one_of":["in","out"]}
"shop:in.block:{of}:string" 24 "shop:in.block:one:string"
    {"one_of":["one","two"]}
"shop:in.function:{of}:string" 27 "shop:in.function:one:string"
    {"one_of":["one","two"]}
"shop:more:{day}:{text}:{id}:string" 128 "shop:more:20261231:abc:42:string"
    "days" "any" {"number":{"from":"1","to":"255"}}
"shop:of.made:{of}:string" 128 null
    null
"shop:renamed.derive:{of}:{day}:string" 39 "shop:renamed.derive:in:20261231:string"
    {"one_of":["in","out"]} "days"
"shop:shadowed:{id}:{own}:string" 24 "shop:shadowed:a:s:string"
    {"one_of":["a"]} {"one_of":["s","m"]}
"shop:types:{id}:{page}:{size}:{other}:{section}:string" 65 "shop:types:42:42:s:l:basic.info:string"
    {"number":{"from":"0","to":"18446744073709551615"}} {"number":{"from":"0","to":"4294967295"}} {"one_of":["s","m"]} {"one_of":["l","xl"]} {"one_of":["basic.info","orders"]}
"shop:unknown:{opaque}:{any}:string" 128 null
    null null

"#]]
    );
}

#[test]
fn tests_and_examples_are_read_if_they_are_wanted() {
    let fixture = Fixture::new("shop", "targets");
    let only = |arguments: &[&str], target: &str| {
        let read = Catalog::of(&fixture, &[&["--package", "shop"], arguments].concat())
            .list(&["template", "target", "module"]);
        read.lines().filter(|line| line.contains(target)).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(only(&[], "shop:in.test"), [""; 0]);
    assert_eq!(only(&["--tests"], "shop:in.test"), ["shop:in.test:string | lib:shop | tests"]);
    assert_eq!(only(&["--tests"], "test:check"), ["shop:in.integration.test:string | test:check | "]);
    assert_eq!(only(&["--examples"], "example:show"), ["shop:in.example:string | example:show | "]);
    assert_eq!(only(&["--tests"], "shop:on:"), ["shop:on:string | lib:shop | conditions"]);
    assert_eq!(only(&["--no-default-features", "-F", "off"], "shop:on:"), [""; 0]);
    assert_eq!(only(&["--no-default-features", "-F", "off"], "shop:off:").len(), 1);
    assert_eq!(only(&[], "lib:renamed"), [""; 0]);
    let failure = fixture.run(&["catalog", "--package", "nothing"]).failure();
    assert_eq!(failure, "error: no package `nothing` in the workspace\nhelp: the packages are ids, renamed, shop\n");
}

/// Every difference lies in a place that was not read, or in a condition that could not be decided.
#[test]
fn a_compilation_has_the_same_keys() {
    const FIELDS: [&str; 5] = ["template", "target", "file", "line", "name"];
    let fixture = Fixture::new("shop", "built");
    let arguments = ["--tests", "--examples"];
    let (read, built) =
        (Catalog::of(&fixture, &arguments), Catalog::of(&fixture, &[&["--built"], &arguments[..]].concat()));
    let lines = |catalog: &Catalog| catalog.list(&FIELDS).lines().map(str::to_owned).collect::<BTreeSet<_>>();
    let (in_read, in_built) = (lines(&read), lines(&built));
    assert_eq!(in_built.len(), built.keys().len(), "each key is there once");
    let only_read: Vec<_> = in_read.difference(&in_built).collect();
    assert_data_eq!(
        format!("{only_read:#?}"),
        str![[r#"
[
    "shop:other.way:string | lib:shop | shop/src/conditions.rs | 39 | EitherWay",
    "shop:without.build:string | lib:shop | shop/src/conditions.rs | 24 | WithoutBuild",
]
"#]]
    );
    let mut only_built = Catalog(built.0.clone());
    only_built.0["keys"].as_array_mut().unwrap().retain(|key| {
        let line = Catalog(serde_json::json!({ "keys": [key] })).list(&FIELDS);
        !in_read.contains(line.trim_end())
    });
    assert_data_eq!(
        only_built.list(&["template", "target", "module", "made_by", "line"]),
        str![[r#"
counter:by.macro:{id}:string | lib:shop | macros | counter | 24
shop:derived:string | lib:shop | macros | derived | 54
shop:fixed:string | lib:shop | macros::once | fixed | 80
shop:generated:{id}:string | lib:shop | - | - | 3
shop:one:string | lib:shop | macros | named | 13
shop:through:string | lib:shop | macros | through | 22
shop:two:string | lib:shop | macros | named | 13

"#]]
    );
    assert_eq!(built.unread(), "");
    for key in read.keys() {
        let same = built.keys().iter().find(|other| FIELDS.iter().all(|field| key[*field] == other[*field]));
        let Some(same) = same else { continue };
        let (mut key, same) = (key.clone(), same.clone());
        key["condition"] = Value::Null;
        // Only the compilation has the type that a macro declares.
        if key["template"] == "shop:of.made:{of}:string" {
            assert_eq!(same["parameters"][0]["values"], serde_json::json!({ "one_of": ["left", "right"] }));
        } else {
            assert_eq!(key, same);
        }
    }
}

/// Cargo does not compile again what has not changed, and what has is replaced.
#[test]
fn a_compilation_is_read_again() {
    let fixture = Fixture::new("shop", "again");
    let built = || Catalog::of(&fixture, &["--built"]).list(&["template", "target"]);
    let first = built();
    assert!(first.contains("shop:first:string"));
    assert_eq!(built(), first, "nothing has changed");
    fixture.change("shop/src/lib.rs", |text| text.replace("shop:first:", "shop:changed:"));
    assert_eq!(built(), {
        let mut lines: Vec<_> = first.lines().map(|line| line.replace("shop:first:", "shop:changed:")).collect();
        lines.sort();
        lines.join("\n") + "\n"
    });
    fixture.change("shop/src/lib.rs", |text| text.replace("shop:changed:", "shop:Changed:"));
    let failed = fixture.run(&["catalog", "--built"]);
    assert_eq!((failed.status, failed.stdout.as_str()), (Some(2), ""));
    assert!(failed.stderr.contains("`Changed` is not lower case"), "{}", failed.stderr);
    assert!(failed.stderr.contains("\nerror: the project does not compile"), "{}", failed.stderr);
    fixture.change("shop/src/lib.rs", |text| text.replace("shop:Changed:", "shop:first:"));
    assert_eq!(built(), first);
}

/// Other wrappers of the compiler, and another folder for what is compiled.
#[cfg(unix)]
#[test]
fn a_compilation_has_other_wrappers_and_folders() {
    use std::os::unix::fs::PermissionsExt as _;

    let fixture = Fixture::new("shop", "wrapped");
    let script = |name: &str, text: &str| {
        let path = fixture.folder().join(name);
        std::fs::write(&path, format!("#!/bin/sh\n{text}\nexec \"$@\"\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        path
    };
    let log = fixture.folder().join("log");
    let inner = script("inner.sh", &format!("echo \"$3\" >> {log:?}"));
    // It knows no compiler but one, as a cache does.
    let cache = script("cache.sh", "case \"$1\" in *rustc) ;; *) exit 1 ;; esac");
    std::fs::create_dir(fixture.folder().join(".cargo")).unwrap();
    let config = format!("[build]\ntarget-dir = \"../target-of-config\"\nrustc-wrapper = {cache:?}\n");
    std::fs::write(fixture.folder().join(".cargo").join("config.toml"), config).unwrap();
    let run = |change: &dyn Fn(&mut std::process::Command)| {
        let mut command =
            fixture.command(&["catalog", "--format", "json", "--built", "--package", "ids", "--package", "renamed"]);
        change(command.env_remove("CARGO_TARGET_DIR"));
        let ran = Ran::of(&mut command);
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
        Catalog(serde_json::from_str(&ran.stdout).unwrap()).list(&["template", "target"])
    };
    let expected = "shop:by.path:{type}:string | lib:renamed\nshop:renamed.derive:{of}:{day}:string | lib:renamed\n";
    assert_eq!(run(&|_| {}), expected);
    fixture.change("ids/src/lib.rs", |text| text + "\n");
    fixture.change("renamed/src/lib.rs", |text| text + "\n");
    // Cargo would call the cache with the other wrapper.
    assert_eq!(
        run(&|command| {
            command.env("RUSTC_WRAPPER", "").env("RUSTC_WORKSPACE_WRAPPER", &inner);
        }),
        expected
    );
    let log = std::fs::read_to_string(log).unwrap();
    assert!(log.lines().any(|line| line == "ids") && log.lines().any(|line| line == "renamed"), "{log}");
}

//! What keeps the command from running.

use std::fs;

use snapbox::{assert_data_eq, str};

use super::run::{fixture, values};
use crate::command::run;
use crate::fixture::Fixture;

#[test]
fn a_file_that_is_missing_or_damaged_is_reported_before_the_build() {
    let fixture = fixture("damaged");
    let failure = values(&fixture, &["--check"]).failure();
    assert!(failure.ends_with("help: run `cargo redis-keys values --accept`, and commit the file\n"), "{failure}");
    let write = |text: &str| fs::write(fixture.folder().join("redis-keys.values.toml"), text).unwrap();
    write("version = 1\n\n<<<<<<< HEAD\n[\"a:b:string\"]\n");
    for arguments in [["--check"], ["--accept"]] {
        assert_data_eq!(
            values(&fixture, &arguments).failure(),
            str![[r#"
error: redis-keys.values.toml:3: unresolved merge conflict
help: keep the side that is deployed first, and run `cargo redis-keys values --accept`

"#]]
        );
    }
    write("version = 7\n");
    assert_data_eq!(
        values(&fixture, &["--check"]).failure(),
        str![[r#"
error: redis-keys.values.toml:1: the file has version 7, expected 1
help: use the version of cargo-redis-keys that has written it

"#]]
    );
    fs::remove_file(fixture.folder().join("redis-keys.values.toml")).unwrap();
    fs::create_dir(fixture.folder().join("redis-keys.values.toml")).unwrap();
    assert!(values(&fixture, &["--accept"]).failure().starts_with("error: cannot read `"));
}

#[test]
fn a_project_that_does_not_compile_has_no_values() {
    let fixture = fixture("broken");
    fixture.change("shop/src/lib.rs", |text| text + "fn broken() -> u8 {}\n");
    let ran = values(&fixture, &["--accept"]);
    assert_eq!((ran.status, &*ran.stdout), (Some(2), ""));
    assert!(ran.stderr.contains("error[E0308]: mismatched types"), "{}", ran.stderr);
    assert!(ran.stderr.contains("\nerror: the project's unit tests do not compile"), "{}", ran.stderr);
    assert!(!fixture.folder().join("redis-keys.values.toml").exists());
}

#[test]
fn options_that_exclude_each_other_are_rejected() {
    for arguments in [["values", "--check", "--accept"], ["values", "--format", "json"]] {
        let failure = run(&arguments).failure();
        assert!(failure.contains("Usage: ") || failure.contains("required"), "{failure}");
    }
}

#[test]
fn a_package_that_has_redis_keys_from_outside_the_workspace_is_told_what_to_add() {
    let fixture = Fixture::new("values_reexported", "outside");
    fixture.change("Cargo.toml", |text| text.replace("[\"facade\", \"shop\"]", "[\"shop\"]\nexclude = [\"facade\"]"));
    let ran = values(&fixture, &[]);
    assert_eq!(ran.status, Some(2), "{ran:?}");
    let help = "help: mend the errors above; add `redis-keys` to the package's `[dependencies]`, even if another \
                package re-exports it: otherwise cargo cannot enable its feature `values` here\n";
    assert!(ran.stderr.ends_with(help), "{}", ran.stderr);
    // What the message says.
    let manifest = fs::read_to_string(fixture.folder().join("facade/Cargo.toml")).unwrap();
    let dependency = manifest.lines().last().unwrap();
    fixture.change("shop/Cargo.toml", |text| text + dependency + "\n");
    assert_eq!(values(&fixture, &[]).status, Some(0));
}

//! Changes of types whose values are stored.

use std::fs;

use snapbox::{assert_data_eq, str};

use super::run::{fixture, values, values_on};
use crate::fixture::Fixture;

const FILE: &str = "redis-keys.values.toml";

fn file(fixture: &Fixture) -> String {
    fs::read_to_string(fixture.folder().join(FILE)).unwrap()
}

/// A fixture with a file for its values.
fn accepted(test: &str) -> Fixture {
    let fixture = fixture(test);
    let ran = values(&fixture, &["--accept"]);
    assert_eq!((ran.status, &*ran.stdout), (Some(0), ""), "{ran:?}");
    assert!(ran.stderr.contains("9 new, 0 changed, 0 removed"), "{}", ran.stderr);
    fixture
}

/// Changes the types of the fixture.
fn change(fixture: &Fixture, changes: &[(&str, &str)]) {
    fixture.change("shop/src/lib.rs", |mut text| {
        for (from, to) in changes {
            assert!(text.contains(from), "{from}");
            text = text.replacen(from, to, 1);
        }
        text
    });
}

/// The output without the notes about values that were never known.
fn without_unknown(output: &str) -> String {
    let is_kept = |block: &&str| !block.contains("changes of them are not found");
    output.split("\n\n").filter(is_kept).collect::<Vec<_>>().join("\n\n")
}

#[test]
fn a_file_has_all_shapes_that_are_known() {
    let fixture = accepted("accepted");
    assert_data_eq!(
        file(&fixture),
        str![[r##"
# The shapes of the values that programs store in Redis, which `cargo redis-keys values --check` compares in CI.
# `cargo redis-keys values --accept` writes this file. Review its changes: they are what other releases have to read.
# A shape that was replaced stays as `older` until its values have expired: after their ttl, and 14 days for a deployment.
version = 1

["hostile:own.form:{id}:string"]
expires_after = "15d"
value = '''
own form Point
'''

["hostile:panics:{id}:string"]
expires_after = "15d"
value = '''
Json<unknown>
'''

["queue:mail:{tenant}:zset"]
expires_after = "never"
value = '''
Json<{
  to: text
}>
'''

["user:account:{user_id}:hash"]
expires_after = "44d"
value = '''
record {
  balance: u64
  limit: u32?
}
'''

["user:card:{user_id}:string"]
expires_after = "16d"
value = '''
Json<{
  title: text
}>
'''

["user:note:{name}:string"]
expires_after = "15d"
value = '''
text
'''

["user:profile:{user_id}:string"]
expires_after = "15d"
value = '''
Json<{
  name: text
  email: text
  plan: enum {
    Free
    Pro: u8
  }
}>
'''

["user:session:{token}:string"]
expires_after = "15d"
value = '''
Postcard<1, {
  user_id: u64
}>
'''

["user:visits:{user_id}:hash"]
expires_after = "15d"
value = '''
u64
'''
field = '''
u32
'''

"##]]
    );
    let ran = values(&fixture, &["--check"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert_data_eq!(
        without_unknown(&ran.stdout),
        str![[r#"
0 errors, 0 warnings, 4 notes
read the values of 13 declarations; 2 partly known; 4 not known

"#]]
    );
}

/// A change of each declaration.
fn change_everything(fixture: &Fixture) {
    change(
        fixture,
        &[
            ("pub email: String", "pub mail: String"),
            ("    Pro(u8),", "    Pro(u8),\n    /// All of it.\n    Team,"),
            ("pub title: String,", "pub title: String,\n    /// The color.\n    pub color: u32,"),
            ("pub user_id: u64,\n}\n\n/// A numbered", "pub user_id: u32,\n}\n\n/// A numbered"),
            ("pub to: String,", "pub to: String,\n    /// The language.\n    pub language: String,"),
            ("pub balance: u64,", "pub balance: u64,\n    /// The currency.\n    pub currency: String,"),
            ("field = u32, value = u64", "field = u32, value = i64"),
        ],
    );
}

#[test]
fn a_change_that_other_releases_cannot_read_is_found() {
    let fixture = accepted("unreadable");
    change_everything(&fixture);
    assert_data_eq!(
        without_unknown(&values(&fixture, &["--check"]).findings()),
        str![[r#"
warning: stored values cannot be read: `user:card:{user_id}:string`
  --> shop/src/lib.rs:51:12
   |
51 | pub struct CardKey {
   |            ^^^^^^^
   |
   = stored value, new program: `color`: mandatory, but not written
   = effect: a miss and a load for each cached value, once, for up to 1d2h after the last old program has stopped
   = help: make `color` an `Option`, or add `#[serde(default)]` to it
   = help: or accept it: `cargo redis-keys values --accept`, and review the file

error: stored values cannot be read: `queue:mail:{tenant}:zset`
  --> shop/src/lib.rs:81:12
   |
81 | pub struct MailQueue {
   |            ^^^^^^^^^
   |
   = stored value, new program: `language`: mandatory, but not written
   = effect: waiting jobs are buried when a worker takes them, until a program that reads them revives them
   = help: make `language` an `Option`, or add `#[serde(default)]` to it
   = help: use another queue, `queue:mail.v2:{tenant}:zset`, and run workers for both until the old one is empty
   = help: or accept it: `cargo redis-keys values --accept`, and review the file

error: stored values cannot be read: `user:account:{user_id}:hash`
   --> shop/src/lib.rs:100:12
    |
100 | pub struct AccountKey {
    |            ^^^^^^^^^^
    |
    = stored value, new program: `currency`: mandatory, but not written
    = effect: reads fail for up to 30d after the last old program has stopped
    = help: make `currency` an `Option`, or add `#[redis_hash(default)]` to it
    = help: use another key, `user:account.v2:{user_id}:hash`: the old values expire by themselves
    = help: or accept it: `cargo redis-keys values --accept`, and review the file

error: stored values cannot be read: `user:profile:{user_id}:string`
  --> shop/src/lib.rs:35:12
   |
35 | pub struct ProfileKey {
   |            ^^^^^^^^^^
   |
   = stored value, new program: `mail`: mandatory, but not written
   = new value, old program: `email`: mandatory, but not written
   = new value, old program: `plan`: the reader has no variant `Team`
   = effect: reads fail for up to 1h5m after the last old program has stopped
   = effect: while old programs run, and after a rollback, they cannot read values of new ones
   = help: keep the stored name: `#[serde(rename = "email")]` on `mail`
   = help: deploy twice: first programs that can read the variant `Team`, then programs that write it
   = help: use another key, `user:profile.v2:{user_id}:string`: the old values expire by themselves
   = help: or accept it: `cargo redis-keys values --accept`, and review the file

error: the shape of `Postcard<T, 1>` has changed, and its number has not: `user:session:{token}:string`
  --> shop/src/lib.rs:65:12
   |
65 | pub struct SessionKey {
   |            ^^^^^^^^^^
   |
   = stored value, new program: `user_id`: `u64` has numbers above 4294967295, the largest `u32`
   = effect: some reads fail for up to 1h after the last old program has stopped
   = help: write `Postcard<T, 2>`

error: some stored values cannot be read: `user:visits:{user_id}:hash`
   --> shop/src/lib.rs:107:12
    |
107 | pub struct VisitsKey {
    |            ^^^^^^^^^
    |
    = stored value, new program: `u64` has numbers above 9223372036854775807, the largest `i64`
    = new value, old program: `i64` has numbers below 0, the smallest `u64`
    = effect: some reads fail for up to 1d after the last old program has stopped
    = effect: while old programs run, and after a rollback, they cannot read some values of new ones
    = help: use another key, `user:visits.v2:{user_id}:hash`: the old values expire by themselves
    = help: or accept it: `cargo redis-keys values --accept`, and review the file

5 errors, 1 warning, 4 notes
`redis-keys.values.toml` is out of date: `cargo redis-keys values --accept` updates it
read the values of 13 declarations; 2 partly known; 4 not known

"#]]
    );
    let github = values(&fixture, &["--check", "--format", "github"]).findings();
    let of_profile = github.lines().find(|line| line.contains("user:profile")).unwrap();
    assert_data_eq!(
        of_profile,
        str![[
            r#"::error file=shop/src/lib.rs,line=35,endLine=35,col=12,endColumn=22,title=changed_value::stored values cannot be read: `user:profile:{user_id}:string`%0Astored value, new program: `mail`: mandatory, but not written%0Anew value, old program: `email`: mandatory, but not written%0Anew value, old program: `plan`: the reader has no variant `Team`%0Aeffect: reads fail for up to 1h5m after the last old program has stopped%0Aeffect: while old programs run, and after a rollback, they cannot read values of new ones%0Ahelp: keep the stored name: `#[serde(rename = "email")]` on `mail`%0Ahelp: deploy twice: first programs that can read the variant `Team`, then programs that write it%0Ahelp: use another key, `user:profile.v2:{user_id}:string`: the old values expire by themselves%0Ahelp: or accept it: `cargo redis-keys values --accept`, and review the file"#
        ]]
    );
    let json = values(&fixture, &["--check", "--format", "json"]).findings();
    for line in json.lines() {
        let finding: serde_json::Value = serde_json::from_str(line).unwrap();
        assert!(finding["children"].as_array().is_some_and(|children| !children.is_empty()), "{finding}");
    }
}

#[test]
fn a_change_that_all_releases_read_is_a_note_until_it_is_accepted() {
    let fixture = accepted("readable");
    change(
        &fixture,
        &[(
            "pub email: String,",
            "pub email: String,\n    /// The city.\n    #[serde(default)]\n    pub city: String,",
        )],
    );
    assert_data_eq!(
        without_unknown(&values(&fixture, &["--check"]).findings()),
        str![[r#"
note: the values have changed, and all can be read: `user:profile:{user_id}:string`
  --> shop/src/lib.rs:36:12
   |
36 | pub struct ProfileKey {
   |            ^^^^^^^^^^
   |
   = new value, old program: `city`: dropped, because the reader does not have it
   = effect: an old program that changes a value stores it without what it drops
   = help: accept it: `cargo redis-keys values --accept`, and review the file

0 errors, 0 warnings, 5 notes
`redis-keys.values.toml` is out of date: `cargo redis-keys values --accept` updates it
read the values of 13 declarations; 2 partly known; 4 not known

"#]]
    );
    assert!(values(&fixture, &["--accept"]).stderr.contains("0 new, 1 changed, 0 removed"));
    assert!(file(&fixture).contains("[[\"user:profile:{user_id}:string\".older]]\nuntil = \"2026-12-16\""));
    assert_eq!(values(&fixture, &["--check"]).status, Some(0));
    // A program of the release before the last has no city.
    change(&fixture, &[("    #[serde(default)]\n    pub city", "    pub city")]);
    let found = values(&fixture, &["--check"]).findings();
    assert!(found.contains("error: stored values cannot be read: `user:profile:{user_id}:string`"), "{found}");
    let found = values_on("2026-12-17", &fixture, &["--check"]).findings();
    assert!(!found.contains("error: "), "{found}");
}

#[test]
fn a_declaration_that_is_gone_or_not_known_any_more_is_found() {
    let fixture = accepted("gone");
    change(
        &fixture,
        &[
            ("user:note:{name}:string", "user:memo:{name}:string"),
            ("value = Json<Card>", "value = Json<hostile::Aborts>"),
        ],
    );
    assert_data_eq!(
        without_unknown(&values(&fixture, &["--check"]).findings()),
        str![[r#"
note: the values of `user:memo:{name}:string` are not in `redis-keys.values.toml`
   --> shop/src/lib.rs:106:12
    |
106 | pub struct NoteKey<'a> {
    |            ^^^^^^^
    |
    = help: run `cargo redis-keys values --accept`, and commit the file

note: `user:note:{name}:string` is not declared any more
  --> redis-keys.values.toml:43:2
   |
43 | ["user:note:{name}:string"]
   |  ^^^^^^^^^^^^^^^^^^^^^^^^^
   |
   = effect: its values have expired after 2026-12-16, when `--accept` removes it from the file
   = help: run `cargo redis-keys values --accept`, and commit the file

error: the values of `user:card:{user_id}:string` are not known any more
  --> shop/src/lib.rs:47:12
   |
47 | pub struct CardKey {
   |            ^^^^^^^
   |
   = reason: its types stop the program: [..]
   = help: correct this, or stop comparing them: `cargo redis-keys values --accept`

1 error, 0 warnings, 6 notes
`redis-keys.values.toml` is out of date: `cargo redis-keys values --accept` updates it
read the values of 13 declarations; 2 partly known; 5 not known

"#]]
    );
    assert_eq!(values(&fixture, &["--accept"]).status, Some(0));
    let text = file(&fixture);
    for template in ["user:note:{name}", "user:card:{user_id}"] {
        assert!(text.contains(&format!("[[\"{template}:string\".older]]")), "{text}");
        assert!(!text.contains(&format!("[\"{template}:string\"]\n")), "{text}");
    }
    assert_eq!(values(&fixture, &["--check"]).status, Some(0));
    // Of a selected package, nothing is gone.
    let ran = values(&fixture, &["--check", "--package", "plain"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
}

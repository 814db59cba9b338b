//! A project's values, in comparison with a file.
#![allow(clippy::needless_raw_string_hashes, reason = "snapbox writes them")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on")]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;

use redis_keys_core::value_shape::Form;
use serde_json::json;
use snapbox::{assert_data_eq, str};

use super::accept::{self, Changes};
use super::check::{Checked, check};
use super::declared::{Declared, Project};
use super::file::{self, Shapes, ValuesFile};
use super::run::Known;
use crate::date::Date;
use crate::declare::catalog::Key;

const NAME: &str = "user:name:{id}:string";

fn key(template: &str, ttl_ms: Option<u64>) -> Key {
    let kind = template.rsplit(':').next();
    let key = json!({
        "name": "Case", "template": template, "type": kind, "parameters": [], "ttl_ms": ttl_ms, "jitter_ms": 0,
        "keep_about": false, "max_key_bytes": 128, "allowed": [], "file": "src/lib.rs", "line": 1, "longest": 20,
        "package": "shop", "target": "lib:shop", "value": "Json<Value>",
    });
    serde_json::from_value(key).unwrap()
}

/// The form of a struct with these fields.
fn form(fields: &[&str]) -> Form {
    let fields = fields.iter().fold(String::new(), |text, field| text + "  " + field + "\n");
    format!("Json<{{\n{fields}}}>").parse().unwrap()
}

const HOUR: Option<u64> = Some(3_600_000);

fn declared(template: &str, ttl_ms: Option<u64>, values: Result<&[&str], &str>) -> Declared {
    let values = match values {
        Ok(fields) => Ok(Known { shapes: Shapes { value: Some(form(fields)), field: None }, notes: Vec::new() }),
        Err(why) => Err(why.to_owned()),
    };
    Declared { key: key(template, ttl_ms), values }
}

/// A project with these declarations, and without others.
fn project(declared: Vec<Declared>) -> Project {
    let mut by_template: BTreeMap<String, Vec<Declared>> = BTreeMap::new();
    for declared in declared {
        by_template.entry(declared.key.template.clone()).or_default().push(declared);
    }
    Project { root: PathBuf::new(), declared: by_template, left_out: Some(BTreeSet::new()) }
}

fn day(text: &str) -> Date {
    text.parse().unwrap()
}

const FIRST: &str = "2026-12-01";

/// The file that accepts a project on a day.
fn accepted(file: &ValuesFile, project: &Project, on: &str) -> ValuesFile {
    let file = accept::updated(file, project, day(on));
    // What is written can be read.
    assert_eq!(ValuesFile::parse(&file.to_string()).unwrap(), file);
    let Checked { findings, is_up_to_date } = check(project, (file::NAME, ""), &file, day(on));
    assert!(is_up_to_date && findings.iter().all(|finding| finding.message.contains("not known")), "{findings:?}");
    file
}

/// The lines of a file below its version.
fn lines(file: &ValuesFile) -> String {
    let text = file.to_string();
    text.split_once("version = 1\n").unwrap().1.to_owned()
}

/// The findings, each with its level in a line, and whether the file is up to date.
fn findings(project: &Project, file: &ValuesFile, on: &str) -> String {
    let Checked { findings, is_up_to_date } = check(project, (file::NAME, &file.to_string()), file, day(on));
    let mut text = format!("up to date: {is_up_to_date}\n");
    for finding in findings {
        let _ = writeln!(text, "{} {}: {}", finding.level.name(), finding.code, finding.message);
        for detail in finding.details {
            let _ = writeln!(text, "  {}: {}", detail.name, detail.text);
        }
    }
    text
}

#[test]
fn a_replaced_shape_stays_until_its_values_have_expired() {
    let with = |fields: &[&str]| project(vec![declared(NAME, HOUR, Ok(fields))]);
    let first = accepted(&ValuesFile::default(), &with(&["a: u8"]), FIRST);
    let second = accepted(&first, &with(&["a: u8", "b: u8?"]), FIRST);
    assert_data_eq!(
        lines(&second),
        str![[r#"

["user:name:{id}:string"]
expires_after = "15d"
value = '''
Json<{
  a: u8
  b: u8?
}>
'''

[["user:name:{id}:string".older]]
until = "2026-12-16"
value = '''
Json<{
  a: u8
}>
'''

"#]]
    );
    // On its last day, and on the next day.
    assert_eq!(accepted(&second, &with(&["a: u8", "b: u8?"]), "2026-12-16"), second);
    let third = accepted(&second, &with(&["a: u8", "b: u8?"]), "2026-12-17");
    assert_data_eq!(
        lines(&third),
        str![[r#"

["user:name:{id}:string"]
expires_after = "15d"
value = '''
Json<{
  a: u8
  b: u8?
}>
'''

"#]]
    );
    assert_eq!(Changes::between(&second, &third), Changes { changed: 1, ..Changes::default() });
    // A check does not fail because time has passed.
    assert_data_eq!(
        findings(&with(&["a: u8", "b: u8?"]), &second, "2027-12-17"),
        str![[r#"
up to date: true

"#]]
    );
}

#[test]
fn a_shape_that_returns_is_no_older_one() {
    let with = |fields: &[&str]| project(vec![declared(NAME, HOUR, Ok(fields))]);
    let first = accepted(&ValuesFile::default(), &with(&["a: u8"]), FIRST);
    let second = accepted(&first, &with(&["b: u8"]), FIRST);
    let third = accepted(&second, &with(&["a: u8"]), "2026-12-02");
    assert_data_eq!(
        lines(&third),
        str![[r#"

["user:name:{id}:string"]
expires_after = "15d"
value = '''
Json<{
  a: u8
}>
'''

[["user:name:{id}:string".older]]
until = "2026-12-17"
value = '''
Json<{
  b: u8
}>
'''

"#]]
    );
}

#[test]
fn a_longer_expiry_applies_to_what_is_stored() {
    let with = |ttl, fields: &[&str]| project(vec![declared(NAME, ttl, Ok(fields))]);
    let first = accepted(&ValuesFile::default(), &with(HOUR, &["a: u8"]), FIRST);
    assert_data_eq!(
        findings(&with(None, &["a: u8"]), &first, FIRST),
        str![[r#"
up to date: false
note unlisted_value: `expires_after` of `user:name:{id}:string` is `15d` in `redis-keys.values.toml`, and now `never`
  help: run `cargo redis-keys values --accept`, and commit the file

"#]]
    );
    let second = accepted(&first, &with(Some(2 * 86_400_000), &["b: u8"]), FIRST);
    assert!(lines(&second).contains("until = \"2026-12-17\""), "{}", lines(&second));
    // A shorter one does not.
    let third = accepted(&second, &with(HOUR, &["c: u8"]), FIRST);
    assert!(lines(&third).contains("until = \"2026-12-17\""), "{}", lines(&third));
    let never = accepted(&accepted(&ValuesFile::default(), &with(None, &["a: u8"]), FIRST), &with(HOUR, &[]), FIRST);
    assert!(lines(&never).contains("until = \"never\""), "{}", lines(&never));
}

#[test]
fn a_declaration_that_is_gone_stays_for_as_long_as_its_values() {
    let first = accepted(&ValuesFile::default(), &project(vec![declared(NAME, HOUR, Ok(&["a: u8"]))]), FIRST);
    let none = project(Vec::new());
    assert_data_eq!(
        findings(&none, &first, FIRST),
        str![[r#"
up to date: false
note gone_value: `user:name:{id}:string` is not declared any more
  effect: its values have expired after 2026-12-16, when `--accept` removes it from the file
  help: run `cargo redis-keys values --accept`, and commit the file

"#]]
    );
    let gone = accepted(&first, &none, FIRST);
    assert_data_eq!(
        lines(&gone),
        str![[r#"

[["user:name:{id}:string".older]]
until = "2026-12-16"
value = '''
Json<{
  a: u8
}>
'''

"#]]
    );
    assert_eq!(accepted(&gone, &none, "2026-12-17"), ValuesFile::default());
    // A selection of packages does not show that.
    let selected = Project { left_out: None, ..project(Vec::new()) };
    assert_eq!(accepted(&first, &selected, FIRST), first);
    let left_out = Project { left_out: Some(BTreeSet::from([NAME.to_owned()])), ..project(Vec::new()) };
    assert_eq!(accepted(&first, &left_out, FIRST), first);
    // It returns, with other values.
    let other = project(vec![declared(NAME, HOUR, Ok(&["b: u8"]))]);
    assert_data_eq!(
        findings(&other, &gone, FIRST),
        str![[r#"
up to date: false
error changed_value: stored values cannot be read: `user:name:{id}:string`
  stored value, new program: `b`: mandatory, but not written
  new value, old program: `a`: mandatory, but not written
  effect: reads fail for up to 1h after the last old program has stopped
  effect: while old programs run, and after a rollback, they cannot read values of new ones
  help: keep the stored name: `#[serde(rename = "a")]` on `b`
  help: use another key, `user:name.v2:{id}:string`: the old values expire by themselves
  help: or accept it: `cargo redis-keys values --accept`, and review the file

"#]]
    );
}

#[test]
fn values_that_are_not_known_any_more_are_an_error() {
    let known = project(vec![declared(NAME, HOUR, Ok(&["a: u8"]))]);
    let unknown = project(vec![declared(NAME, HOUR, Err("they panic"))]);
    let first = accepted(&ValuesFile::default(), &known, FIRST);
    assert_data_eq!(
        findings(&unknown, &first, FIRST),
        str![[r#"
up to date: false
error unknown_value: the values of `user:name:{id}:string` are not known any more
  reason: they panic
  help: correct this, or stop comparing them: `cargo redis-keys values --accept`

"#]]
    );
    let second = accepted(&first, &unknown, FIRST);
    assert_data_eq!(
        findings(&unknown, &second, FIRST),
        str![[r#"
up to date: true
note unknown_value: the values of `user:name:{id}:string` are not known: changes of them are not found
  reason: they panic

"#]]
    );
    // Never known, they are no reason for an entry.
    assert_eq!(accepted(&ValuesFile::default(), &unknown, FIRST), ValuesFile::default());
}

#[test]
fn a_changed_shape_is_compared_and_a_new_one_is_noted() {
    let file = accepted(&ValuesFile::default(), &project(vec![declared(NAME, HOUR, Ok(&["a: u8"]))]), FIRST);
    let changed =
        project(vec![declared(NAME, HOUR, Ok(&["b: u8"])), declared("user:age:{id}:string", HOUR, Ok(&["a: u8"]))]);
    assert_data_eq!(
        findings(&changed, &file, FIRST),
        str![[r#"
up to date: false
note unlisted_value: the values of `user:age:{id}:string` are not in `redis-keys.values.toml`
  help: run `cargo redis-keys values --accept`, and commit the file
error changed_value: stored values cannot be read: `user:name:{id}:string`
  stored value, new program: `b`: mandatory, but not written
  new value, old program: `a`: mandatory, but not written
  effect: reads fail for up to 1h after the last old program has stopped
  effect: while old programs run, and after a rollback, they cannot read values of new ones
  help: keep the stored name: `#[serde(rename = "a")]` on `b`
  help: use another key, `user:name.v2:{id}:string`: the old values expire by themselves
  help: or accept it: `cargo redis-keys values --accept`, and review the file

"#]]
    );
}

#[test]
fn what_a_review_has_accepted_is_not_repeated() {
    let with = |fields: &[&str]| project(vec![declared(NAME, HOUR, Ok(fields))]);
    let first = accepted(&ValuesFile::default(), &with(&["a: u8"]), FIRST);
    let second = accepted(&first, &with(&["b: u8"]), FIRST);
    let third = findings(&with(&["b: u8", "c: u8?"]), &second, FIRST);
    assert!(!third.contains("{ a: u8 }"), "{third}");
}

#[test]
fn two_declarations_of_a_template_are_compared() {
    let mut other = declared(NAME, HOUR, Ok(&["b: u8"]));
    other.key.name = "Other".to_owned();
    let both = project(vec![declared(NAME, HOUR, Ok(&["a: u8"])), other]);
    let file = accept::updated(&ValuesFile::default(), &both, day(FIRST));
    assert_data_eq!(
        findings(&both, &file, FIRST),
        str![[r#"
up to date: true
warning different_values: two declarations of `user:name:{id}:string` store different values
  value of `Case`, read as `Other`: `b`: mandatory, but not written
  value of `Other`, read as `Case`: `a`: mandatory, but not written

"#]]
    );
    let one = project(vec![declared(NAME, HOUR, Ok(&["a: u8"])), declared(NAME, HOUR, Err("it is generic"))]);
    assert_data_eq!(
        findings(&one, &file, FIRST),
        str![[r#"
up to date: true
note unknown_value: the values of `user:name:{id}:string` are not known: changes of them are not found
  reason: it is generic

"#]]
    );
}

#[test]
fn a_second_release_is_only_compared_with_the_first_when_older_programs_are_gone() {
    let with = |fields: &[&str]| project(vec![declared(NAME, HOUR, Ok(fields))]);
    let before = accepted(&ValuesFile::default(), &with(&["a: u8", "b: u8"]), FIRST);
    let removed = with(&["a: u8"]);
    assert!(!findings(&removed, &before, FIRST).contains("\n  note: "));
    let first = accepted(&before, &with(&["a: u8", "b: u8 (optional)"]), FIRST);
    assert_data_eq!(
        findings(&removed, &first, FIRST),
        str![[r#"
up to date: false
error changed_value: old programs cannot read new values: `user:name:{id}:string`
  new value, old program: `b`: mandatory, but not written
  effect: while old programs run, and after a rollback, they cannot read values of new ones
  note: the last accepted shape is compatible, only older ones are not: accept it when their programs and values are gone
  help: deploy twice: first programs that can read values without `b`, then programs without it
  help: use another key, `user:name.v2:{id}:string`: the old values expire by themselves
  help: or accept it: `cargo redis-keys values --accept`, and review the file

"#]]
    );
    assert_data_eq!(
        findings(&removed, &first, "2026-12-17"),
        str![[r#"
up to date: false
note changed_value: the values have changed, and all can be read: `user:name:{id}:string`
  stored value, new program: `b`: dropped, because the reader does not have it
  help: accept it: `cargo redis-keys values --accept`, and review the file

"#]]
    );
}

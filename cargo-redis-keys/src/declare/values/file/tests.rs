//! Files that are read and written, and files that cannot be read.
#![allow(clippy::needless_raw_string_hashes, reason = "snapbox writes them")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on")]

use super::*;

const TEXT: &str = r#"# The shapes of the values that programs store in Redis, which `cargo redis-keys values --check` compares in CI.
# `cargo redis-keys values --accept` writes this file. Review its changes: they are what other releases have to read.
# A shape that was replaced stays as `older` until its values have expired: after their ttl, and 14 days for a deployment.
version = 1

["mail:queue:{tenant}:zset"]
expires_after = "never"
value = '''
Json<{
  to: text
}>
'''

[["user:gone:{id}:string".older]]
until = "2026-12-22"
value = '''
u64
'''

["user:names:{id}:hash"]
expires_after = "15d"
value = '''
text
'''
field = '''
text of Uuid
'''

[["user:names:{id}:hash".older]]
until = "2026-12-31"
value = '''
text
'''
field = '''
u64
'''

[["user:names:{id}:hash".older]]
until = "never"
value = '''
Json<{
  "it\u{27}s": u8
}>
'''
"#;

#[test]
fn a_file_is_read_and_written_again() {
    let file = ValuesFile::parse(TEXT).unwrap();
    assert_eq!(file.to_string(), TEXT);
    // As git checks it out on Windows.
    assert_eq!(ValuesFile::parse(&TEXT.replace('\n', "\r\n")).unwrap(), file);
    // By a formatter.
    let formatted = TEXT.replace("[[\"user", "  [[ \"user").replace(" = '''", "='''");
    assert_eq!(ValuesFile::parse(&formatted).unwrap(), file);
    let names = &file.entries["user:names:{id}:hash"];
    let day = |text: &str| text.parse().unwrap();
    let texts = |day| names.stored(Part::Field, day).into_iter().map(Form::to_string).collect::<Vec<_>>();
    assert_eq!(texts(day("2026-12-31")), ["text of Uuid", "u64"]);
    assert_eq!(texts(day("2027-01-01")), ["text of Uuid"]);
    assert_eq!(names.stored(Part::Value, day("2999-01-01")).len(), 2);
}

/// The failure to read a text.
fn failure(text: &str) -> String {
    ValuesFile::parse(text).unwrap_err().into_failure(NAME).to_string()
}

#[test]
fn a_damaged_file_names_the_line() {
    let with = |from: &str, to: &str| {
        assert!(TEXT.contains(from), "{from}");
        failure(&TEXT.replacen(from, to, 1))
    };
    let failures = [
        failure(""),
        with("version = 1", "version = 2"),
        with("version = 1", "version = \"1\""),
        with("version = 1", "versions = 1"),
        with("version = 1", "<<<<<<< HEAD\nversion = 1\n=======\n>>>>>>> other"),
        with("  to: text\n", "<<<<<<< HEAD\n  to: text\n=======\n  to: u8\n>>>>>>> other\n"),
        with("  to: text\n", "  to text\n"),
        with("'''\ntext\n", "'''\ntexts\n"),
        with("'''\ntext\n", "\"\"\"\ntext\n"),
        with("\"15d\"", "\"15\""),
        with("\"15d\"", "15"),
        with("\"15d\"", "[\"15d\"]"),
        with("\"2026-12-31\"", "\"2026-02-30\""),
        with("\"2026-12-31\"", "2026-12-31"),
        with("until = \"2026-12-31\"\n", ""),
        with("expires_after = \"15d\"\n", "expires_after = \"15d\"\nexpires_after = \"15d\"\n"),
        with("expires_after = \"15d\"\n", "expires_after = \"15d\"\nowner = \"me\"\n"),
        with("'''\nu64\n'''", "'''\nu64"),
        with("[\"user:names", "[\"mail:queue:{tenant}:zset\"]\nexpires_after = \"1d\"\nvalue = 'u8'\n[\"user:names"),
        with("[[\"user:names:{id}:hash\".older]]", "[\"user:names:{id}:hash\".old]"),
        with("[[\"user:names:{id}:hash\".older]]", "[[older]]"),
        with("value = '''\nu64\n'''\n", ""),
        with("[\"user:names", "[user:names"),
    ];
    let lines: Vec<_> = failures.iter().map(|failure| failure.replace("\nhelp: ", "\n  help: ")).collect();
    snapbox::assert_data_eq!(
        lines.join("\n"),
        snapbox::str![[r#"
redis-keys.values.toml:1: missing `version = 1`
  help: restore the last version of the file, and run `cargo redis-keys values --accept`
redis-keys.values.toml:4: the file has version 2, expected 1
  help: use the version of cargo-redis-keys that has written it
redis-keys.values.toml:4: expected a number as `version`
  help: restore the last version of the file, and run `cargo redis-keys values --accept`
redis-keys.values.toml:4: unknown setting `versions`
  help: restore the last version of the file, and run `cargo redis-keys values --accept`
redis-keys.values.toml:4: unresolved merge conflict
  help: keep the side that is deployed first, and run `cargo redis-keys values --accept`
redis-keys.values.toml:10: unresolved merge conflict
  help: keep the side that is deployed first, and run `cargo redis-keys values --accept`
redis-keys.values.toml:10: expected `:` in `value`
  help: restore the last version of the file, and run `cargo redis-keys values --accept`
redis-keys.values.toml:23: expected a stored form in `value`
  help: restore the last version of the file, and run `cargo redis-keys values --accept`
redis-keys.values.toml:42: invalid TOML: too few unicode value digits
  help: restore the last version of the file, and run `cargo redis-keys values --accept`
redis-keys.values.toml:21: expected days, such as `15d`, or `never`, as `expires_after`
  help: restore the last version of the file, and run `cargo redis-keys values --accept`
redis-keys.values.toml:21: expected a text as `expires_after`
  help: restore the last version of the file, and run `cargo redis-keys values --accept`
redis-keys.values.toml:21: expected a text or a number as `expires_after`
  help: restore the last version of the file, and run `cargo redis-keys values --accept`
redis-keys.values.toml:30: expected a date, such as `2026-12-31`, or `never`, as `until`
  help: restore the last version of the file, and run `cargo redis-keys values --accept`
redis-keys.values.toml:30: expected a text or a number as `until`
  help: restore the last version of the file, and run `cargo redis-keys values --accept`
redis-keys.values.toml:29: missing `until`
  help: restore the last version of the file, and run `cargo redis-keys values --accept`
redis-keys.values.toml:22: duplicate setting `expires_after`
  help: restore the last version of the file, and run `cargo redis-keys values --accept`
redis-keys.values.toml:22: unknown setting `owner`
  help: restore the last version of the file, and run `cargo redis-keys values --accept`
redis-keys.values.toml:22: invalid TOML: key with no value
  help: restore the last version of the file, and run `cargo redis-keys values --accept`
redis-keys.values.toml:20: duplicate table `mail:queue:{tenant}:zset`
  help: delete one of the two, and run `cargo redis-keys values --accept`
redis-keys.values.toml:29: unknown table `user:names:{id}:hash.old`
  help: restore the last version of the file, and run `cargo redis-keys values --accept`
redis-keys.values.toml:29: unknown table `older`
  help: restore the last version of the file, and run `cargo redis-keys values --accept`
redis-keys.values.toml:14: missing `value`
  help: restore the last version of the file, and run `cargo redis-keys values --accept`
redis-keys.values.toml:20: invalid TOML: invalid unquoted key
  help: restore the last version of the file, and run `cargo redis-keys values --accept`
"#]]
    );
}

#[test]
fn no_text_makes_it_panic() {
    for end in (0..TEXT.len()).filter(|end| TEXT.is_char_boundary(*end)) {
        let _ = ValuesFile::parse(&TEXT[..end]);
        let _ = ValuesFile::parse(&format!("{}é[{}", &TEXT[..end], &TEXT[end..]));
        let _ = ValuesFile::parse(&TEXT[end..]);
    }
}

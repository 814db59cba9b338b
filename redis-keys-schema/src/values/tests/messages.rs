//! Complete messages, in `values/tests/expected_messages.txt`.
//!
//! `SNAPSHOTS=overwrite cargo test -p redis-keys-schema --all-features --lib values` writes the file, to be reviewed.

use std::fmt::Write as _;
use std::{env, fs};

use super::super::{Problem, compare};
use super::{form, schema};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/values/tests/expected_messages.txt");

const PLAIN: &str = "user:basic.info:{id}:string, value = Json<Profile>, ttl = 1h, jitter = 5m";
const CACHED: &str = "user:card.v2:{id}:string, value = Json<Card>, ttl = 1d, jitter = 10%, cache(null_ttl = 5m)";
const JOBS: &str = "queue:mail:{id}:zset, value = Json<Mail>, ttl = 7d, jobs";
const NEVER: &str = "user:consent:{id}:string, value = Json<Consent>, ttl = never, reason = \"required by law\"";
const SESSION: &str = "session:{id}:string, value = Json<Session>, ttl = 1d, renew = below(12h)";
const HISTORY: &str = "user:history:{id}:list, value = Json<Page>, ttl = 30d, renew = write, keep_last = 100";
const CHANNEL: &str = "user:news:{id}:channel, value = Json<News>";
const DAILY: &str = "stats:daily:{day}:string, value = Json<Stats>, ttl = 2d, ttl_from_end_of = day";
const RECORD: &str = "user:profile:{id}:hash, value = Profile, ttl = 30d";
const POSTCARD: &str = "game:position:{id}:string, value = Postcard<Position>, ttl = 1h";

/// A declaration, the known forms with that of the file first, and the new form.
type Case = (&'static str, &'static [&'static str], &'static str);

const CASES: &[Case] = &[
    // Fields.
    (PLAIN, &["Json<{name: text; email: text}>"], "Json<{name: text; mail: text}>"),
    (PLAIN, &["Json<{name: text}>"], "Json<{name: text; mail: text}>"),
    (PLAIN, &["Json<{name: text; mail: text}>"], "Json<{name: text}>"),
    (PLAIN, &["Json<{name: text; email: text}>"], "Json<{name: text; mail: text (or email)}>"),
    (PLAIN, &["Json<{name: text}>"], "Json<{name: text; mail: text?}>"),
    (PLAIN, &["Json<{name: text; mail: text?}>"], "Json<{name: text}>"),
    (PLAIN, &["Json<{name: text}>"], "Json<only {}>"),
    // Types.
    (PLAIN, &["Json<{visits: u64}>"], "Json<{visits: u32}>"),
    (PLAIN, &["Json<{visits: u64}>"], "Json<{visits: f64}>"),
    (PLAIN, &["Json<{at: text}>"], "Json<{at: checked<text like \"a@b\">}>"),
    (PLAIN, &["Json<{at: unknown}>"], "Json<{at: [{a_long_name: text; another_long_name: text}]}>"),
    (PLAIN, &["Json<[{a_long_name: text; another_long_name: text}]>"], "Json<u8>"),
    // Variants.
    (PLAIN, &["Json<{plan: enum {Free; Pro}}>"], "Json<{plan: enum {Free; Pro; Team}}>"),
    (PLAIN, &["Json<{plan: enum {Free; Pro}}>"], "Json<{plan: enum {Free}}>"),
    // The same text of another shape, and another order.
    (PLAIN, &["Json<{a: u8; b: u8}>"], "Json<{b: u8; a: u8}>"),
    (PLAIN, &["Json<{a: u8}>"], "Json<{a: u8}>"),
    // Former shapes: N-2 does not have the field, and N-1 has a default for it.
    (PLAIN, &["Json<{a: u8; b: u8 (optional)}>", "Json<{a: u8}>"], "Json<{a: u8; b: u8}>"),
    // This break was accepted.
    (PLAIN, &["Json<{b: u8}>", "Json<{a: u8}>"], "Json<{b: u8; c: u8?}>"),
    // What is dropped, or not known, as before is no difference.
    (PLAIN, &["Json<{a: unknown}>"], "Json<{a: unknown; c: u8?}>"),
    (PLAIN, &["Json<{a: u8; b: u8 (not read)}>"], "Json<{a: u8; b: u8 (not read); c: u8?}>"),
    // The form.
    (PLAIN, &["Json<{a: u8}>"], "Zstd<Json<{a: u8}>>"),
    (PLAIN, &["Zstd<Json<{a: u8}>>"], "Lz4<Json<{a: u8}>>"),
    (PLAIN, &["text"], "Json<{a: u8}>"),
    (PLAIN, &["own form \"shop::Point\""], "own form \"shop::Place\""),
    // How long values stay.
    (CACHED, &["Json<{a: u8}>"], "Json<{b: u8}>"),
    (CACHED, &["Json<{a: u64}>"], "Json<{a: u32}>"),
    (CACHED, &["Json<{a: u8}>"], "MessagePack<{a: u8}>"),
    (CACHED, &["Json<{a: u8}>"], "Json<{a: u8; b: u8?}>"),
    (CACHED, &["Json<{a: u8}>"], "text"),
    (CACHED, &["Postcard<1, {a: u8}>"], "Postcard<1, {a: text}>"),
    (JOBS, &["Json<{to: text}>"], "Json<{to: text; locale: text}>"),
    (JOBS, &["Json<{to: text; template: u8}>"], "Json<{to: text}>"),
    (NEVER, &["Json<{a: u8}>"], "Json<{a: text}>"),
    (SESSION, &["Json<{a: u8}>"], "Json<{a: text}>"),
    (HISTORY, &["Json<{url: text}>"], "Json<{url: text; at: u64}>"),
    (CHANNEL, &["Json<{a: u8}>"], "Json<{a: text}>"),
    (DAILY, &["Json<{a: u8}>"], "Json<{a: text}>"),
    (RECORD, &["record {name: text; email: text}"], "record {name: text; mail: text}"),
    (RECORD, &["record {name: text}"], "record {name: text; visits: u64}"),
    (RECORD, &["record {name: text; at: Postcard<3, u16>}"], "record {name: text; at: Postcard<3, u32>}"),
    // Postcard.
    (POSTCARD, &["Postcard<1, {x: u16; y: u16}>"], "Postcard<1, {x: u32; y: u32}>"),
    (POSTCARD, &["Postcard<1, {x: u16; y: u16}>"], "Postcard<1, {y: u16; x: u16}>"),
    (POSTCARD, &["Postcard<1, {x: u16; y: u16}>"], "Postcard<1, {lat: u16; long: u16}>"),
    (POSTCARD, &["Postcard<1, {x: u16; y: u16}>"], "Postcard<2, {y: u16; x: u16}>"),
    (POSTCARD, &["Zstd<Secret<Postcard<255, u16>>>"], "Zstd<Secret<Postcard<255, u32>>>"),
    (POSTCARD, &["Postcard<2, u16>", "Postcard<1, u8>"], "Postcard<1, u16>"),
];

#[test]
fn each_message_has_its_text() {
    let mut text = String::new();
    for (attribute, known, new) in CASES {
        let forms: Vec<_> = known.iter().map(|known| form(known)).collect();
        let problem = compare(&schema(attribute), &forms.iter().collect::<Vec<_>>(), &form(new));
        let shown = problem.as_ref().map_or("none".into(), shown);
        writeln!(text, "> {attribute}\n< {}\n> {new}\n{shown}\n", known.join("\n< ")).unwrap();
    }
    let text = text.trim_end().to_owned() + "\n";
    if env::var_os("SNAPSHOTS").is_some_and(|value| value == "overwrite") {
        assert!(fs::write(FILE, &text).is_ok(), "{FILE} cannot be written");
    }
    let expected = fs::read_to_string(FILE).unwrap();
    for (message, expected) in text.split("\n\n").zip(expected.split("\n\n")) {
        assert_eq!(message, expected);
    }
    assert_eq!(text, expected);
}

fn shown(problem: &Problem) -> String {
    let level = format!("{:?}", problem.level).to_lowercase();
    let lines = problem.lines.iter().map(|line| format!("  | {line}"));
    let effects = problem.effects.iter().map(|effect| format!("  = effect: {effect}"));
    let helps = problem.helps.iter().map(|help| format!("help: {help}"));
    let first = format!("{level}{}: {}", if problem.is_misread { " (misread)" } else { "" }, problem.title);
    [first].into_iter().chain(lines).chain(effects).chain(helps).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_key_that_is_suggested_is_valid() {
    for attribute in [PLAIN, CACHED, JOBS, NEVER, SESSION, HISTORY, CHANNEL, DAILY, RECORD, POSTCARD] {
        let old = schema(attribute);
        let problem = compare(&old, &[&form("Json<u8>")], &form("Zstd<Json<u8>>")).unwrap();
        let Some(help) = problem.helps.iter().find(|help| help.starts_with("use another")) else {
            assert_eq!(attribute, CACHED);
            continue;
        };
        let suggested = help.split('`').nth(1).unwrap();
        assert_ne!(suggested, old.template);
        assert_eq!(schema(&attribute.replace(&old.template, suggested)).template, suggested);
    }
}

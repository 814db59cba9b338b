//! Random tokens in the attributes: each invalid item gets an error with a rule, and the macro never panics.

use std::fmt::Write as _;
use std::ops::RangeInclusive;

use fastrand::Rng;
use redis_keys_schema::{Attribute, Field, Item, Policy, Shape, check};

use crate::project::Error;

/// The number of items of the crate.
const ITEMS: usize = 250;

/// Pieces of whole tokens, with and without a meaning in the grammar.
#[rustfmt::skip]
const PIECES: [&str; 107] = [
    "user", "basicInfo", "user_info", "HTTP", "string", "zset", "strng", "id", "page", "type", "r#type", "self", "_",
    "é", "名前", "2fa", "1e5", "1.5", "v1.2", "007", "0x1F", "1_000", "99999999999999999999w", "'a", "'x'", "b'x'",
    "\"user:name:{id}:string\"", "\"\"", "\"a\\\"b\\n\\u{e9}\"", "r#\"raw \"quotes\"\"#", "b\"\\xff\"", "c\"text\"",
    ":", "::", ".", "..", "...", ",", ",,", "=", "==", "=>", "<=", "->", "<", ">", ">>", "%", "-", "+", "*", "/", "|",
    "&", "!", "?", "@", "#", "~", ";", "$", "^", "{id}", "{#id}", "{id % 10}", "{id:?}", "{}", "{{id}}", "{copy}", "()",
    "(a, b)", "[0; 2]", "[]", "value", "value =", "value = u64", "value = Json<P>", "value = Zstd<", "ttl", "ttl = 1h",
    "ttl = never", "jitter = 10%", "renew = below(10m)", "below()", "max_bytes = 64KB", "max_len = 5", "reason = \"x\"",
    "owner = web", "allow(x)", "crate = ::redis_keys", "crate = 5", "copies = 8", "expire = 3600", "codec = json",
    "cache(null_ttl = 5m)", "lease = 10s", "refresh = 80%", "near = 10s", "stale = 1h", "limit(100 / 1m)", "burst = 20", "tries = 5", "lock",
    "jobs(lease = 1m)", "cache", "bloom", "field = F",
];

/// The lines of an item, and whether it is invalid.
pub(crate) struct SourceItem {
    lines: RangeInclusive<usize>,
    is_invalid: bool,
}

/// Returns the source of the crate and its items. They are the same in each run, so that failures are reproducible.
pub(crate) fn source() -> (String, Vec<SourceItem>) {
    let mut rng = Rng::with_seed(20_260_131);
    let mut source = "use redis_keys::prelude::*;\n\nfn main() {}\n\nstruct P;\n\nstruct F;\n".to_owned();
    let mut items = Vec::new();
    for number in 0..ITEMS {
        let (text, is_invalid) = item(&mut rng, number);
        let first = source.lines().count() + 2;
        let _ = write!(source, "\n{text}");
        items.push(SourceItem { lines: first..=source.lines().count(), is_invalid });
    }
    (source, items)
}

fn item(rng: &mut Rng, number: usize) -> (String, bool) {
    let tokens = match rng.u8(..4) {
        0 => format!("user:name:{{id}}:string, value = u64, ttl = 1h, {}", mixed(rng)),
        1 => format!("user:{}:{{id}}:string, value = u64, ttl = 1h", mixed(rng)),
        2 => format!("user:name:{{id}}:string, {}, ttl = 1h", mixed(rng)),
        _ => mixed(rng),
    };
    let for_field = mixed(rng);
    let (fields, names): (String, &[&str]) = match rng.u8(..8) {
        0 => (";".to_owned(), &[]),
        1 => ("(u64, String);".to_owned(), &["0", "1"]),
        2 => (format!(" {{\n    #[redis_key({for_field})]\n    id: u64,\n}}"), &["id"]),
        3 => (" {\n    id: u64,\n    page: u32,\n}".to_owned(), &["id", "page"]),
        _ => (" {\n    id: u64,\n}".to_owned(), &["id"]),
    };
    let attribute = |text| vec![Attribute::Arguments(text)];
    let field = |name: &&str| Field {
        name: (*name).to_owned(),
        ty: "u64",
        phantom: false,
        attributes: if fields.contains("redis_key") { attribute(&for_field) } else { Vec::new() },
    };
    let schema_fields = names.iter().map(field).collect();
    let (name, attributes) = (format!("Random{number}"), attribute(&tokens));
    let item = Item { name, shape: Shape::Struct, documented: true, attributes, fields: schema_fields };
    let report = check(&item, &Policy::default());
    let text = format!("#[derive(RedisKey)]\n#[redis_key({tokens})]\nstruct Random{number}{fields}\n");
    (text, !report.diagnostics.is_empty())
}

/// Returns random pieces, separated by white space, so that they remain valid tokens of Rust.
fn mixed(rng: &mut Rng) -> String {
    let pieces: Vec<_> = (0..rng.usize(0..8)).map(|_| PIECES[rng.usize(..PIECES.len())]).collect();
    pieces.join(" ")
}

pub(crate) fn assert_reported(source: &str, items: &[SourceItem], errors: &[Error]) {
    assert!(items.iter().filter(|item| item.is_invalid).count() > ITEMS / 2, "too few items are invalid");
    for error in errors {
        assert!(!error.text.contains("proc-macro derive"), "{}", error.text);
        assert!(error.line > 0, "an error without a place: {}", error.text);
    }
    for item in items.iter().filter(|item| item.is_invalid) {
        let is_reported =
            errors.iter().any(|error| item.lines.contains(&error.line) && error.text.contains("\nrule: "));
        let lines = source.lines().skip(item.lines.start() - 1).take(item.lines.clone().count());
        assert!(is_reported, "no error for\n{}", lines.collect::<Vec<_>>().join("\n"));
    }
}

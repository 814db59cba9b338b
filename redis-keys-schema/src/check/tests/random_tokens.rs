//! Any text in an attribute: no panic, and messages with a place and a suggestion.

use proptest::prelude::*;

use super::*;

#[test]
fn an_empty_template_is_an_error() {
    let help = "start with a template, as in `user:profile:{user_id}:string, value = Json<Profile>, ttl = 1h`";
    for template in ["\"\"", "\" \"", "r\"\"", "\"\t\n\""] {
        let attribute = format!("{template}, value = u64, ttl = 1h");
        reports(&[], &attribute, &[("", Rule::Declaration, help)]);
        assert_well_reported(template);
    }
    reports(&[], "\": .\", value = u64, ttl = 1h", &[(": .", Rule::EmptyWord, "write `user:profile:string`")]);
    for template in ["", "\"}\"", "}", ":", "\":}.\"", "\"{}\"", "\":{}:\"", "{}"] {
        assert_well_reported(template);
    }
}

/// Words and signs that mean something to some part of the grammar, and some that don't.
const CRUMBS: [&str; 87] = [
    "user",
    "basicInfo",
    "user_info",
    "Info",
    "string",
    "zset",
    "strng",
    "id",
    "{id}",
    "{",
    "}",
    "{#id}",
    "{id % 10}",
    "{copy}",
    ":",
    "::",
    ".",
    "..",
    ",",
    ", ",
    " ",
    "\n",
    "=",
    " = ",
    "==",
    "<",
    ">",
    "(",
    ")",
    "[",
    "]",
    "\"",
    "r#\"",
    "\"#",
    "r#",
    "'",
    "\\",
    "#",
    "%",
    "-",
    "/",
    "é",
    "名",
    "value",
    "ttl",
    "jitter",
    "renew",
    "below(10m)",
    "never",
    "reason",
    "allow(x)",
    "crate",
    "copies",
    "field",
    "null_ttl",
    "null_ttl = 5m, ",
    "cache(",
    "cache(null_ttl = 5m, ",
    "jobs",
    "bloom(expected = 5)",
    "lock",
    "lease",
    "refresh",
    "near",
    "stale = 1s",
    "limit",
    "limit = 5 / 1m",
    "limit(100 / 1m)",
    "burst = 20",
    "tries",
    "lease = 1m, ",
    "Lock",
    "Job<",
    "value = Lock, ",
    "per = 1m",
    "/",
    "expire",
    "codec",
    "1h",
    "3600",
    "1.5h",
    "10%",
    "80%",
    "64KB",
    "Json<P>",
    "Zstd<",
    "99999999999999999999",
];

fn random_tokens() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(&CRUMBS[..]), 0..24).prop_map(|crumbs| crumbs.concat())
}

fn mostly_right() -> impl Strategy<Value = String> {
    (random_tokens(), random_tokens())
        .prop_map(|(template, options)| format!("user:name{template}:{{id}}:string, value = u64, ttl = 1h, {options}"))
}

fn assert_well_reported(attribute: &str) {
    let checked = checked(&["id", "page"], attribute);
    for diagnostic in checked.diagnostics.iter() {
        if let Place::Attribute(range) = &diagnostic.place {
            assert!(attribute.get(range.clone()).is_some(), "{range:?} is no part of {attribute:?}");
        }
        assert!(!diagnostic.suggestion.is_empty(), "no suggestion: {diagnostic:?}");
        for edit in &diagnostic.edits {
            let is_part = edit.place.bytes().is_none_or(|range| attribute.get(range).is_some());
            assert!(is_part, "{edit:?} is no part of {attribute:?}");
        }
        let drawn = diagnostic.clone().drawn(attribute, 0..attribute.len());
        assert!(drawn.message.starts_with(&diagnostic.message));
    }
    // The expansion of a declaration without errors relies on its being whole.
    match checked.diagnostics.finish(checked.declaration.template_and_kind()) {
        Ok((template, _)) => {
            assert!(template.placeholders().all(|one| one.field.is_some() || one.copies.is_some()), "{attribute:?}");
            let declaration = &checked.declaration;
            let stores = declaration.options.value.is_some() || declaration.limit().is_some();
            assert!(declaration.ttl().is_some() && stores, "{attribute:?}");
        }
        Err(errors) => assert!(!errors.is_empty(), "neither valid nor invalid: {attribute:?}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn random_tokens_are_reported_well(attribute in random_tokens()) {
        assert_well_reported(&attribute);
    }

    #[test]
    fn random_tokens_in_right_declarations_are_reported_well(attribute in mostly_right()) {
        assert_well_reported(&attribute);
    }

    #[test]
    fn any_text_is_reported_well(attribute in any::<String>()) {
        assert_well_reported(&attribute);
    }

    #[test]
    fn the_word_to_write_instead_is_right(word in "[a-zA-Z_][a-zA-Z0-9_-]{0,20}") {
        let template = format!("user:name:{word}:{{id}}:{{page}}:string, value = u64, ttl = 1h");
        let reported = checked(&["id", "page"], &template).diagnostics;
        prop_assert!(reported.len() <= 1, "{reported:?}");
        let instead = reported.iter().filter_map(|diagnostic| diagnostic.suggestion.strip_prefix("write `")?.strip_suffix('`'));
        for instead in instead {
            let template = format!("user:name:{instead}:{{id}}:{{page}}:string, value = u64, ttl = 1h");
            prop_assert_eq!(&*checked(&["id", "page"], &template).diagnostics, &[]);
        }
    }
}

//! Drafts of any keys compile.
#![allow(clippy::panic, reason = "a test that cannot go on")]

use std::collections::BTreeSet;

use fastrand::Rng;
use redis_keys_schema::Policy;

use super::draft::draft;
use super::{FoundField, FoundKey, FoundPart};
use crate::declare::redis_type::RedisType;
use crate::operate::infer::Class;
use crate::operate::masking::Masking;

/// Pieces of texts: what real keys have, and what Rust, format strings and comments take for something else.
const TEXTS: [&str; 40] = [
    ":", ":", ":", "/", "|", ".", "-", "_", " ", "{", "}", "{{", "\"", "#", "\\", "\n", "\r", "//", "*/", "/*", "'",
    "\u{202e}", "\0", "é", "キー", "user", "User", "self", "Self", "crate", "super", "type", "match", "async",
    "Option", "string", "hash", "1", "404", "r#",
];

const NAMES: [&str; 14] =
    ["id", "user_id", "userId", "self", "Self", "crate", "type", "_", "", "0", "2fa", "größe", "a.b", "r#type"];

fn class(rng: &mut Rng) -> Option<Class> {
    Some(match rng.u8(..12) {
        0 => Class::Integer { max: rng.u64(..), is_negative: rng.bool(), padded: rng.bool().then_some(2) },
        1 => Class::Hex { length: None },
        2 => Class::Uuid,
        3 => Class::Random,
        4 => Class::Date("YYYY-MM-DD"),
        5 => Class::Ip,
        6 => Class::Email,
        7 => Class::Choice(vec!["a".to_owned(), "b:c".to_owned()]),
        8 => Class::Text { longest: 9, has_separators: false },
        9 => Class::Text { longest: 9, has_separators: true },
        10 => Class::Mac,
        _ => return None,
    })
}

fn found_key(rng: &mut Rng) -> FoundKey {
    let mut parts = Vec::new();
    for _ in 0..rng.usize(1..5) {
        if rng.bool() || matches!(parts.last(), Some(FoundPart::Text(_))) {
            let name = rng.bool().then(|| NAMES[rng.usize(..NAMES.len())].to_owned());
            parts.push(FoundPart::Field(FoundField { name, ty: None, class: class(rng), only: None }));
        } else {
            parts.push(FoundPart::Text((0..rng.usize(1..6)).map(|_| TEXTS[rng.usize(..TEXTS.len())]).collect()));
        }
    }
    let types =
        [RedisType::String, RedisType::Hash, RedisType::List, RedisType::Set, RedisType::ZSet, RedisType::Stream];
    let redis_type = rng.bool().then(|| types[rng.usize(..types.len())]);
    FoundKey { parts, start: None, redis_type, seen: Vec::new(), uses: Vec::new() }
}

#[test]
fn drafts_of_any_keys_compile() {
    for seed in 0..150 {
        let mut rng = Rng::with_seed(seed);
        let found: Vec<_> = (0..rng.usize(1..30)).map(|_| found_key(&mut rng)).collect();
        let draft = draft(&found, &Masking::default(), &Policy::default(), &[]);
        let file = syn::parse_file(&draft.text).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{}", draft.text));
        let mut names = BTreeSet::new();
        for item in file.items {
            let syn::Item::Mod(module) = item else { panic!("seed {seed}: only modules\n{}", draft.text) };
            assert!(names.insert(module.ident.to_string()), "seed {seed}: {}\n{}", module.ident, draft.text);
            for item in module.content.into_iter().flat_map(|(_, items)| items) {
                let syn::Item::Struct(item) = item else { continue };
                let name = format!("{}::{}", module.ident, item.ident);
                assert!(names.insert(name.clone()), "seed {seed}: {name}\n{}", draft.text);
            }
        }
        let errors = super::draft::errors(&draft.text, &Policy::default());
        assert!(errors.is_empty(), "seed {seed}: {errors:#?}\n{}", draft.text);
        let written = draft.declared + draft.refused.len() as u64;
        assert_eq!(written, found.len() as u64, "seed {seed}");
    }
}

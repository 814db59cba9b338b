//! No input makes the tool panic.

use std::fs;
use std::path::Path;

use fastrand::Rng;

use super::read_text;
use crate::declare::catalog::{Key, ParameterFacts};
use crate::declare::sources::DeclarationKind;

/// The sources of the ui tests with random parts removed, repeated or exchanged.
#[test]
fn broken_sources_do_not_make_it_panic() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("ui-tests").join("pass");
    let paths = fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path());
    let sources: Vec<_> = paths.filter(|path| path.is_file()).map(|path| fs::read_to_string(path).unwrap()).collect();
    let mut random = Rng::with_seed(redis_keys_tests::seed());
    for _ in 0..300 {
        let mut text = sources[random.usize(..sources.len())].clone();
        for _ in 0..random.usize(1..4) {
            change(&mut text, &mut random);
        }
        let read = read_text("random", &text);
        for declaration in read.declarations {
            if declaration.kind == DeclarationKind::Key {
                let key = declaration.read_key();
                for error in key.diagnostics.iter() {
                    let range = declaration.range_of(&key.input, &error.place);
                    assert!(text.get(range).is_some(), "{}", error.message);
                }
                let schema = key.schema(String::new(), 0);
                let _ = schema.map(|schema| Key::new(schema, |_| ParameterFacts::default()).example);
                for field in &key.input.fields {
                    read.scopes.parameter_type(declaration.scope, &declaration.item.generics, &field.field.ty);
                }
            }
        }
    }
}

fn change(text: &mut String, random: &mut Rng) {
    const PARTS: [&str; 12] =
        ["{", "}", "\"", "#[cfg(", "mod a;", "é", "macro_rules! m {", "r#", "#[cfg_attr(x, ", "'", "include!(", "//"];
    let mut at = |most: usize| {
        let at = random.usize(..=most);
        (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default()
    };
    let (one, other) = (at(text.len()), at(text.len()));
    let range = one.min(other)..one.max(other).min(one.min(other) + 40);
    let Some(part) = text.get(range.clone()).map(str::to_owned) else { return };
    match random.u8(..3) {
        0 => text.replace_range(range, ""),
        1 => text.insert_str(range.end, &part),
        _ => text.insert_str(range.start, PARTS[random.usize(..PARTS.len())]),
    }
}

//! Patterns of declarations, and the index that finds overlaps.

use super::{Index, IndexEntry, Pattern, TypedParameter, ValueSet};
use crate::{Attribute, Field, Item, Policy, Shape, check};

fn pattern(types: &[(&str, &'static str)], attribute: &str) -> Option<Pattern> {
    let field = |&(name, ty): &(&str, &'static str)| Field {
        name: name.to_owned(),
        ty,
        phantom: false,
        attributes: Vec::new(),
    };
    let fields = types.iter().map(field).collect();
    let item = Item {
        name: "Case".to_owned(),
        shape: Shape::Struct,
        documented: true,
        attributes: vec![Attribute::Arguments(attribute)],
        fields,
    };
    let checked = check(&item, &Policy::default());
    assert!(checked.diagnostics.is_empty(), "{:?}", checked.diagnostics);
    Pattern::of(&item, &checked.declaration)
}

#[test]
fn a_pattern_is_the_text_between_module_and_type() {
    let types = [("id", "u64"), ("v", "Version"), ("all", "bool")];
    let found = pattern(&types, "user:basic.info:{id}:v.{v}.{all}:me:string, value = u64, ttl = 1h");
    let expected = Pattern {
        group: "user:string:6:".to_owned(),
        text: "basic.info:{}:v.{}.{}:me".to_owned(),
        values: vec![ValueSet::up_to(u64::MAX.into()), ValueSet::Any, ValueSet::BOOL],
        typed: vec![TypedParameter { parameter: 1, field: 1 }],
    };
    assert_eq!(found, Some(expected));
}

#[test]
fn keys_of_another_module_type_length_or_hash_tag_are_in_another_group() {
    let group = |template: &str| {
        let attribute = format!("{template}, value = u64, ttl = 1h");
        let fields = if template.contains("{b") || template.contains("{#b") { 2 } else { 1 };
        pattern(&[("a", "u64"), ("b", "u64")][..fields], &attribute).map(|pattern| pattern.group)
    };
    let templates = [
        "user:x:{a}:string",
        "shop:x:{a}:string",
        "user.x:x:{a}:string",
        "user:x:{a}:list",
        "user:{a}:string",
        "user:x:{#a}:string",
        "user:{#a}:x:string",
        "user:v.{#a}:x:string",
        "user:{#a}.v:x:string",
    ];
    let groups = templates.map(group);
    for (index, one) in groups.iter().enumerate() {
        assert!(!groups[..index].contains(one), "{one:?}");
    }
    assert_eq!(group("user:y:{a}:string"), group("user:{a}:{b}:string"));
    assert_eq!(group("user:{#a}:y:string"), group("user:{#a}:{b}:string"));
}

#[test]
fn the_braces_of_a_hash_tag_are_left_out() {
    let found = pattern(&[("a", "u64")], "user:v.{#a}.b:string, value = u64, ttl = 1h");
    assert_eq!(found.map(|found| found.text).as_deref(), Some("v.{}.b"));
}

#[test]
fn a_key_that_allows_overlaps_has_no_pattern() {
    let allow = "user:x:string, value = u64, ttl = 1h, allow(overlap, reason = \"on purpose\")";
    assert_eq!(pattern(&[], allow), None);
}

const U8: ValueSet = ValueSet::up_to(255);
const U64: ValueSet = ValueSet::up_to(u64::MAX as u128);

fn declared(number: u64, text: &str, values: &[ValueSet]) -> IndexEntry {
    let (text, values) = (text.to_owned(), values.to_vec());
    IndexEntry { number, pattern: Pattern { group: String::new(), text, values, typed: Vec::new() }, is_in_use: true }
}

fn numbers(found: &[IndexEntry]) -> Vec<u64> {
    found.iter().map(|declared| declared.number).collect()
}

#[test]
fn each_declaration_is_compared_with_earlier_ones() {
    let mut index = Index::default();
    assert!(index.add(declared(0, "me:x", &[])).is_empty());
    assert!(index.add(declared(1, "{}:y", &[ValueSet::Any])).is_empty());
    assert!(index.add(declared(2, "{}:x", &[U8])).is_empty());
    assert_eq!(numbers(&index.add(declared(3, "{}:{}", &[ValueSet::Any; 2]))), [0, 1, 2]);
    assert_eq!(numbers(&index.add(declared(4, "me:y", &[]))), [1, 3]);
    let mut elsewhere = declared(5, "me:y", &[]);
    elsewhere.pattern.group.push('x');
    assert!(index.add(elsewhere).is_empty());
}

#[test]
fn copies_of_a_declaration_overlap_with_the_first_alone() {
    let mut index = Index::default();
    for number in 0..20 {
        let overlapping = index.add(declared(number, "{}", &[U64]));
        assert_eq!(numbers(&overlapping), if number == 0 { vec![] } else { vec![0] });
    }
}

#[test]
fn types_in_one_place_are_limited_and_other_texts_are_not() {
    let typed = || {
        let mut typed = declared(0, "{}", &[ValueSet::Any]);
        typed.pattern.typed = vec![TypedParameter { parameter: 0, field: 0 }];
        typed
    };
    let mut index = Index::default();
    for before in 0..40 {
        assert_eq!(index.add(typed()).len(), 32.min(before));
    }
    // It can overlap with all of these.
    for number in 1..=3 {
        assert_eq!(index.add(declared(number, &format!("n{number}"), &[])).len(), 40);
    }
    // These are later in the index, and returned nevertheless.
    assert_eq!(numbers(&index.add(typed()))[32..], [1, 2, 3]);
}

#[test]
fn certain_overlaps_are_limited() {
    let mut index = Index::default();
    for number in 0..100 {
        index.add(declared(number, &format!("n{number}"), &[]));
    }
    assert_eq!(index.add(declared(100, "{}", &[ValueSet::Any])).len(), 8);
}

/// The index finds the same overlaps as a comparison of all pairs.
#[test]
fn the_index_finds_all_overlaps() {
    let words = ["a", "b", "{}"];
    let mut texts = Vec::new();
    for first in words {
        for second in words {
            for third in words {
                texts.push(format!("{first}:{second}.{third}"));
                texts.push(format!("{first}.{second}:{third}"));
                texts.push(format!("{first}:{second}"));
            }
        }
    }
    let values: [ValueSet; 3] = [ValueSet::OneOf(&["a", "a.b"]); 3];
    let mut index = Index::default();
    let mut all: Vec<IndexEntry> = Vec::new();
    for (number, text) in texts.iter().enumerate() {
        let mut one = declared(number as u64, text, &values[..text.matches("{}").count()]);
        // All are returned if types decide.
        one.pattern.typed = vec![TypedParameter { parameter: 0, field: 0 }];
        let expected: Vec<u64> = all
            .iter()
            .filter(|other| other.pattern.keys().overlaps(one.pattern.keys()))
            .map(|one| one.number)
            .collect();
        assert_eq!(numbers(&index.add(one.clone())), expected, "{text}");
        all.push(one);
    }
}

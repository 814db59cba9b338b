use super::{Declared, KeyPattern, Pattern, Register, Typed, ValueSet};
use crate::{Attribute, Field, Item, Policy, Shape, check};

fn pattern(types: &[(&str, &'static str)], attribute: &str) -> Option<Pattern> {
    let field = |&(name, ty): &(&str, &'static str)| Field {
        name: name.to_owned(),
        ty,
        phantom: false,
        attributes: Vec::new(),
    };
    let fields = types.iter().map(field).collect();
    let item =
        Item { shape: Shape::Struct, documented: true, attributes: vec![Attribute::Arguments(attribute)], fields };
    let checked = check(&item, &Policy::default());
    assert!(checked.diagnostics.is_empty(), "{:?}", checked.diagnostics);
    Pattern::of(&item, &checked.declaration)
}

#[test]
fn a_key_is_what_stands_between_module_and_type() {
    let types = [("id", "u64"), ("v", "Version"), ("all", "bool")];
    let found = pattern(&types, "user:basic.info:{id}:v.{v}.{all}:me:string, value = u64, ttl = 1h");
    let expected = Pattern {
        group: "user:string:6:".to_owned(),
        text: "basic.info:{}:v.{}.{}:me".to_owned(),
        prints: vec![ValueSet::up_to(u64::MAX.into()), ValueSet::Any, ValueSet::BOOL],
        typed: vec![Typed { parameter: 1, field: 1 }],
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
    for (number, one) in groups.iter().enumerate() {
        assert!(!groups[..number].contains(one), "{one:?}");
    }
    assert_eq!(group("user:y:{a}:string"), group("user:{a}:{b}:string"));
    assert_eq!(group("user:{#a}:y:string"), group("user:{#a}:{b}:string"));
}

#[test]
fn the_braces_of_a_hash_tag_are_no_words() {
    let found = pattern(&[("a", "u64")], "user:v.{#a}.b:string, value = u64, ttl = 1h");
    assert_eq!(found.map(|found| found.text).as_deref(), Some("v.{}.b"));
}

#[test]
fn a_key_that_may_meet_others_has_no_pattern() {
    let allow = "user:x:string, value = u64, ttl = 1h, allow(overlap, reason = \"on purpose\")";
    assert_eq!(pattern(&[], allow), None);
}

const U8: ValueSet = ValueSet::up_to(255);
const U64: ValueSet = ValueSet::up_to(u64::MAX as u128);
const SECTION: ValueSet = ValueSet::OneOf(&["basic.info", "orders", "7"]);

#[test]
fn what_a_parameter_prints_can_be_these_texts_and_no_others() {
    let table: [(ValueSet, &[&str], &[&str]); 10] = [
        (ValueSet::Any, &["me", "7", "a.b"], &[]),
        (U8, &["0", "7", "255"], &["", "007", "256", "me", "a.b", "7a", "340282366920938463463374607431768211456"]),
        (ValueSet::Number { from: 1, to: 9 }, &["1", "9"], &["0", "10"]),
        (ValueSet::BOOL, &["true", "false"], &["yes", "tru", "truer"]),
        (
            ValueSet::Hex { digits: 32 },
            &["67e5504410b1426f9247bb680e5fe0c8"],
            &["67e5504410b1426f9247bb680e5fe0c", "67e5504410b1426f9247bb680e5fe0cg", "7"],
        ),
        (ValueSet::Base32, &["mzxw6", "me", "77"], &["", "0", "m", "mez", "mezzan", "a.b", "m1"]),
        (ValueSet::Years, &["2026", "0000"], &["026", "20260", "me"]),
        (ValueSet::Months, &["202612"], &["202613", "202600", "2026", "2026a1"]),
        (ValueSet::Days, &["20261231"], &["20261232", "20269999", "20261300"]),
        (ValueSet::Hours, &["2026123123"], &["2026123124", "9999999999"]),
    ];
    for (prints, texts, others) in table {
        for text in texts {
            assert!(prints.contains(text.as_bytes()), "{prints:?} {text}");
        }
        for text in others {
            assert!(!prints.contains(text.as_bytes()), "{prints:?} {text}");
        }
    }
}

#[test]
fn two_types_meet_where_they_print_the_same() {
    let uuid = ValueSet::Hex { digits: 32 };
    let eight = ValueSet::Hex { digits: 8 };
    let meeting = [
        (U8, U64),
        (U64, ValueSet::Number { from: 300, to: 400 }),
        (U64, ValueSet::Years),
        (ValueSet::up_to(1000), ValueSet::Years),
        (U64, ValueSet::Hours),
        (ValueSet::up_to(u128::MAX), uuid),
        (eight, ValueSet::Days),
        (SECTION, U8),
        (SECTION, ValueSet::OneOf(&["orders"])),
        (ValueSet::Base32, U8),
        (ValueSet::Base32, ValueSet::Years),
        (ValueSet::Base32, ValueSet::Base32),
        (ValueSet::Base32, uuid),
        (ValueSet::Base32, ValueSet::OneOf(&["me"])),
        (ValueSet::Any, uuid),
        (uuid, uuid),
        (ValueSet::Hex { digits: 1 }, ValueSet::up_to(0)),
    ];
    let apart = [
        (U8, ValueSet::Years),
        (U8, ValueSet::Number { from: 256, to: 300 }),
        (U64, uuid),
        (ValueSet::up_to(999), ValueSet::Years),
        (ValueSet::Years, ValueSet::Months),
        (ValueSet::Days, uuid),
        (eight, uuid),
        (SECTION, ValueSet::OneOf(&["info", "basic"])),
        (SECTION, ValueSet::BOOL),
        (SECTION, uuid),
        (ValueSet::BOOL, U64),
        (ValueSet::Base32, ValueSet::OneOf(&["0", "a.b"])),
        // Base32 has no 0 and no 1, and no text of one, three or six digits.
        (ValueSet::Base32, ValueSet::up_to(21)),
        (ValueSet::Base32, ValueSet::Months),
        (ValueSet::Base32, ValueSet::Days),
        (ValueSet::Base32, ValueSet::Hours),
        (ValueSet::Base32, ValueSet::Hex { digits: 6 }),
        (ValueSet::Hex { digits: 99 }, ValueSet::up_to(u128::MAX)),
    ];
    for (one, other) in meeting {
        assert!(one.intersects(other) && other.intersects(one), "{one:?} {other:?}");
    }
    for (one, other) in apart {
        assert!(!one.intersects(other) && !other.intersects(one), "{one:?} {other:?}");
    }
}

#[test]
fn keys_meet_segment_by_segment() {
    let any = [ValueSet::Any; 2];
    let meeting: [(&str, &[ValueSet], &str, &[ValueSet]); 9] = [
        ("", &[], "", &[]),
        ("a.b", &[], "a.b", &[]),
        ("{}", &any[..1], "a.b", &[]),
        ("{}:all", &any[..1], "prices:{}", &any[..1]),
        ("v.{}.notes", &[U8], "v.2.notes", &[]),
        ("{}:x", &[SECTION], "basic.info:x", &[]),
        ("{}", &[SECTION], "basic.{}", &any[..1]),
        ("{}", &any[..1], "v.{}.{}", &[U8, U8]),
        ("{}:{}", &any, "{}:7", &[U8]),
    ];
    let apart: [(&str, &[ValueSet], &str, &[ValueSet]); 10] = [
        ("a", &[], "b", &[]),
        ("a", &[], "a.b", &[]),
        ("a.b", &[], "a", &[]),
        ("a", &[], "a:b", &[]),
        ("{}", &[U8], "me", &[]),
        ("{}", &[U8], "v.{}", &[U8]),
        ("v.{}", &[U8], "v.{}.x", &[U8]),
        ("{}:x", &[SECTION], "basic:x", &[]),
        ("{}", &[SECTION], "late.{}", &any[..1]),
        ("{}:{}", &[ValueSet::Any, U8], "x:{}", &[ValueSet::BOOL]),
    ];
    for (one, prints, other, others) in meeting {
        let (first, second) = (KeyPattern::new(one, prints), KeyPattern::new(other, others));
        assert!(first.overlaps(second) && second.overlaps(first), "{one} {other}");
    }
    for (one, prints, other, others) in apart {
        let (first, second) = (KeyPattern::new(one, prints), KeyPattern::new(other, others));
        assert!(!first.overlaps(second) && !second.overlaps(first), "{one} {other}");
    }
}

#[test]
fn what_parameters_are_missing_is_no_panic() {
    let one = KeyPattern::new("{}:{}.x", &[]);
    assert!(!one.overlaps(KeyPattern::new("a:b.x", &[])));
}

fn declared(number: u64, text: &str, prints: &[ValueSet]) -> Declared {
    let (text, prints) = (text.to_owned(), prints.to_vec());
    Declared { number, pattern: Pattern { group: String::new(), text, prints, typed: Vec::new() } }
}

fn numbers(found: &[Declared]) -> Vec<u64> {
    found.iter().map(|declared| declared.number).collect()
}

#[test]
fn each_declaration_is_told_of_those_before_it() {
    let mut register = Register::default();
    assert!(register.add(declared(0, "me:x", &[])).is_empty());
    assert!(register.add(declared(1, "{}:y", &[ValueSet::Any])).is_empty());
    assert!(register.add(declared(2, "{}:x", &[U8])).is_empty());
    assert_eq!(numbers(&register.add(declared(3, "{}:{}", &[ValueSet::Any; 2]))), [0, 1, 2]);
    assert_eq!(numbers(&register.add(declared(4, "me:y", &[]))), [1, 3]);
    let mut elsewhere = declared(5, "me:y", &[]);
    elsewhere.pattern.group.push('x');
    assert!(register.add(elsewhere).is_empty());
}

#[test]
fn the_same_declaration_again_and_again_is_told_of_the_first_alone() {
    let mut register = Register::default();
    for number in 0..20 {
        let met = register.add(declared(number, "{}", &[U64]));
        assert_eq!(numbers(&met), if number == 0 { vec![] } else { vec![0] });
    }
}

#[test]
fn of_many_types_in_one_place_some_are_asked_and_nothing_else_is_left_out() {
    let typed = || {
        let mut typed = declared(0, "{}", &[ValueSet::Any]);
        typed.pattern.typed = vec![Typed { parameter: 0, field: 0 }];
        typed
    };
    let mut register = Register::default();
    for before in 0..40 {
        assert_eq!(register.add(typed()).len(), 32.min(before));
    }
    // It may meet each of these.
    for number in 1..=3 {
        assert_eq!(register.add(declared(number, &format!("n{number}"), &[])).len(), 40);
    }
    // These stand behind the many, and are asked about all the same.
    assert_eq!(numbers(&register.add(typed()))[32..], [1, 2, 3]);
}

#[test]
fn of_very_many_a_few_are_told() {
    let mut register = Register::default();
    for number in 0..100 {
        register.add(declared(number, &format!("n{number}"), &[]));
    }
    assert_eq!(register.add(declared(100, "{}", &[ValueSet::Any])).len(), 8);
}

/// The register leaves out no two keys that meet: it is compared with looking at all of them.
#[test]
fn the_register_finds_what_looking_at_each_finds() {
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
    let prints = [ValueSet::OneOf(&["a", "a.b"]); 3];
    let mut register = Register::default();
    let mut all: Vec<Declared> = Vec::new();
    for (number, text) in texts.iter().enumerate() {
        let mut one = declared(number as u64, text, &prints[..text.matches("{}").count()]);
        // Where the compiler has to be asked, all are given.
        one.pattern.typed = vec![Typed { parameter: 0, field: 0 }];
        let expected: Vec<u64> = all
            .iter()
            .filter(|other| other.pattern.keys().overlaps(one.pattern.keys()))
            .map(|one| one.number)
            .collect();
        assert_eq!(numbers(&register.add(one.clone())), expected, "{text}");
        all.push(one);
    }
}

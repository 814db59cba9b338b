use super::{Declared, Keys, Pattern, Prints, Register, Typed};
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
        prints: vec![Prints::up_to(u64::MAX.into()), Prints::Anything, Prints::BOOL],
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

const U8: Prints = Prints::up_to(255);
const U64: Prints = Prints::up_to(u64::MAX as u128);
const SECTION: Prints = Prints::OneOf(&["basic.info", "orders", "7"]);

#[test]
fn what_a_parameter_prints_can_be_these_texts_and_no_others() {
    let table: [(Prints, &[&str], &[&str]); 10] = [
        (Prints::Anything, &["me", "7", "a.b"], &[]),
        (U8, &["0", "7", "255"], &["", "007", "256", "me", "a.b", "7a", "340282366920938463463374607431768211456"]),
        (Prints::Number { from: 1, to: 9 }, &["1", "9"], &["0", "10"]),
        (Prints::BOOL, &["true", "false"], &["yes", "tru", "truer"]),
        (
            Prints::Hex { digits: 32 },
            &["67e5504410b1426f9247bb680e5fe0c8"],
            &["67e5504410b1426f9247bb680e5fe0c", "67e5504410b1426f9247bb680e5fe0cg", "7"],
        ),
        (Prints::Base32, &["mzxw6", "me", "77"], &["", "0", "m", "mez", "mezzan", "a.b", "m1"]),
        (Prints::Years, &["2026", "0000"], &["026", "20260", "me"]),
        (Prints::Months, &["202612"], &["202613", "202600", "2026", "2026a1"]),
        (Prints::Days, &["20261231"], &["20261232", "20269999", "20261300"]),
        (Prints::Hours, &["2026123123"], &["2026123124", "9999999999"]),
    ];
    for (prints, texts, others) in table {
        for text in texts {
            assert!(prints.can_be(text.as_bytes()), "{prints:?} {text}");
        }
        for text in others {
            assert!(!prints.can_be(text.as_bytes()), "{prints:?} {text}");
        }
    }
}

#[test]
fn two_types_meet_where_they_print_the_same() {
    let uuid = Prints::Hex { digits: 32 };
    let eight = Prints::Hex { digits: 8 };
    let meeting = [
        (U8, U64),
        (U64, Prints::Number { from: 300, to: 400 }),
        (U64, Prints::Years),
        (Prints::up_to(1000), Prints::Years),
        (U64, Prints::Hours),
        (Prints::up_to(u128::MAX), uuid),
        (eight, Prints::Days),
        (SECTION, U8),
        (SECTION, Prints::OneOf(&["orders"])),
        (Prints::Base32, U8),
        (Prints::Base32, Prints::Years),
        (Prints::Base32, Prints::Base32),
        (Prints::Base32, uuid),
        (Prints::Base32, Prints::OneOf(&["me"])),
        (Prints::Anything, uuid),
        (uuid, uuid),
        (Prints::Hex { digits: 1 }, Prints::up_to(0)),
    ];
    let apart = [
        (U8, Prints::Years),
        (U8, Prints::Number { from: 256, to: 300 }),
        (U64, uuid),
        (Prints::up_to(999), Prints::Years),
        (Prints::Years, Prints::Months),
        (Prints::Days, uuid),
        (eight, uuid),
        (SECTION, Prints::OneOf(&["info", "basic"])),
        (SECTION, Prints::BOOL),
        (SECTION, uuid),
        (Prints::BOOL, U64),
        (Prints::Base32, Prints::OneOf(&["0", "a.b"])),
        // Base32 has no 0 and no 1, and no text of one, three or six digits.
        (Prints::Base32, Prints::up_to(21)),
        (Prints::Base32, Prints::Months),
        (Prints::Base32, Prints::Days),
        (Prints::Base32, Prints::Hours),
        (Prints::Base32, Prints::Hex { digits: 6 }),
        (Prints::Hex { digits: 99 }, Prints::up_to(u128::MAX)),
    ];
    for (one, other) in meeting {
        assert!(one.meets(other) && other.meets(one), "{one:?} {other:?}");
    }
    for (one, other) in apart {
        assert!(!one.meets(other) && !other.meets(one), "{one:?} {other:?}");
    }
}

#[test]
fn keys_meet_segment_by_segment() {
    let any = [Prints::Anything; 2];
    let meeting: [(&str, &[Prints], &str, &[Prints]); 9] = [
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
    let apart: [(&str, &[Prints], &str, &[Prints]); 10] = [
        ("a", &[], "b", &[]),
        ("a", &[], "a.b", &[]),
        ("a.b", &[], "a", &[]),
        ("a", &[], "a:b", &[]),
        ("{}", &[U8], "me", &[]),
        ("{}", &[U8], "v.{}", &[U8]),
        ("v.{}", &[U8], "v.{}.x", &[U8]),
        ("{}:x", &[SECTION], "basic:x", &[]),
        ("{}", &[SECTION], "late.{}", &any[..1]),
        ("{}:{}", &[Prints::Anything, U8], "x:{}", &[Prints::BOOL]),
    ];
    for (one, prints, other, others) in meeting {
        let (first, second) = (Keys::new(one, prints), Keys::new(other, others));
        assert!(first.can_meet(second) && second.can_meet(first), "{one} {other}");
    }
    for (one, prints, other, others) in apart {
        let (first, second) = (Keys::new(one, prints), Keys::new(other, others));
        assert!(!first.can_meet(second) && !second.can_meet(first), "{one} {other}");
    }
}

#[test]
fn what_parameters_are_missing_is_no_panic() {
    let one = Keys::new("{}:{}.x", &[]);
    assert!(!one.can_meet(Keys::new("a:b.x", &[])));
}

fn declared(number: u64, text: &str, prints: &[Prints]) -> Declared {
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
    assert!(register.add(declared(1, "{}:y", &[Prints::Anything])).is_empty());
    assert!(register.add(declared(2, "{}:x", &[U8])).is_empty());
    assert_eq!(numbers(&register.add(declared(3, "{}:{}", &[Prints::Anything; 2]))), [0, 1, 2]);
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
        let mut typed = declared(0, "{}", &[Prints::Anything]);
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
    assert_eq!(register.add(declared(100, "{}", &[Prints::Anything])).len(), 8);
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
    let prints = [Prints::OneOf(&["a", "a.b"]); 3];
    let mut register = Register::default();
    let mut all: Vec<Declared> = Vec::new();
    for (number, text) in texts.iter().enumerate() {
        let mut one = declared(number as u64, text, &prints[..text.matches("{}").count()]);
        // Where the compiler has to be asked, all are given.
        one.pattern.typed = vec![Typed { parameter: 0, field: 0 }];
        let expected: Vec<u64> = all
            .iter()
            .filter(|other| other.pattern.keys().can_meet(one.pattern.keys()))
            .map(|one| one.number)
            .collect();
        assert_eq!(numbers(&register.add(one.clone())), expected, "{text}");
        all.push(one);
    }
}

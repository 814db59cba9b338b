use super::{Form, Pattern, Prints, Word};
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

fn text(text: &str) -> Word {
    Word::Text(text.to_owned())
}

#[test]
fn a_key_is_read_word_by_word() {
    let types = [("id", "u64"), ("v", "Version"), ("all", "bool")];
    let found = pattern(&types, "user:basic.info:{id}:v.{v}.{all}:me:string, value = u64, ttl = 1h");
    let parameter = |field, prints| Word::Parameter { field: Some(field), prints };
    let segments = vec![
        vec![text("basic"), text("info")],
        vec![parameter(0, Some(Prints::WholeNumber))],
        vec![text("v"), parameter(1, None), parameter(2, Some(Prints::TrueOrFalse))],
        vec![text("me")],
    ];
    assert_eq!(found, Some(Pattern { group: "user:string:6:".to_owned(), segments }));
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
    let middle = found.map(|found| found.segments);
    let parameter = Word::Parameter { field: Some(0), prints: Some(Prints::WholeNumber) };
    assert_eq!(middle, Some(vec![vec![text("v"), parameter, text("b")]]));
}

#[test]
fn a_key_that_may_meet_others_has_no_pattern() {
    let allow = "user:x:string, value = u64, ttl = 1h, allow(overlap, reason = \"on purpose\")";
    assert_eq!(pattern(&[], allow), None);
}

#[test]
fn the_form_of_a_word_says_what_prints_it() {
    let form = |word| (Form::of(word).number, Form::of(word).also);
    assert_eq!(form("me"), (false, None));
    assert_eq!(form("0"), (true, None));
    assert_eq!(form("42"), (true, None));
    assert_eq!(form("042"), (false, None));
    assert_eq!(form("4e2"), (false, None));
    assert_eq!(form("2026"), (true, Some(Prints::YearDigits)));
    assert_eq!(form("002601"), (false, Some(Prints::MonthDigits)));
    assert_eq!(form("2026013123"), (true, Some(Prints::HourDigits)));
    assert_eq!(form("true"), (false, Some(Prints::TrueOrFalse)));
    assert_eq!(form("20260131"), (true, Some(Prints::DayDigits)));
    assert_eq!(form("00260131"), (false, Some(Prints::DayDigits)));
    assert_eq!(form("67e5504410b1426f9247bb680e5fe0c8"), (false, Some(Prints::UuidDigits)));
    assert_eq!(form("12345678123456781234567812345678"), (true, Some(Prints::UuidDigits)));
}

//! Each message with its place and its help. A case that breaks one rule gets one message.
#![allow(clippy::panic, reason = "a test that cannot go on")]

use proptest::prelude::*;

use super::*;
use crate::Rule;
use crate::limits::is_word_byte;
use crate::tests::applied::assert_suggestions_apply;
use crate::tests::assert_message;

fn variant<'t>(name: &str, attributes: &[&'t str]) -> Variant<'t> {
    let attributes = attributes.iter().map(|text| Attribute::Arguments(text)).collect();
    Variant { name: name.to_owned(), has_fields: false, attributes }
}

fn names(variants: Vec<Variant<'_>>) -> SegmentItem<'_> {
    SegmentItem { shape: Shape::Enum, attributes: vec![], fields: vec![], variants }
}

/// The texts of a valid enum.
#[track_caller]
fn names_of(checked: CheckedSegment) -> Names {
    match checked.diagnostics.finish(checked.segment) {
        Ok(Segment::Names(names)) => names,
        other => panic!("{other:?}"),
    }
}

fn newtype<'t>(types: &[&'t str]) -> SegmentItem<'t> {
    let field = |(index, &ty): (usize, &&'t str)| Field {
        name: index.to_string(),
        ty,
        phantom: ty.contains("PhantomData"),
        attributes: vec![],
    };
    let fields = types.iter().enumerate().map(field).collect();
    SegmentItem { shape: Shape::Struct, attributes: vec![], fields, variants: vec![] }
}

fn underlined(item: &SegmentItem<'_>, place: &Place) -> String {
    let text = |attribute: Option<&Attribute<'_>>, range: &Range<usize>| match attribute {
        Some(Attribute::Arguments(text)) => text.get(range.clone()).unwrap_or("no part of the text").to_owned(),
        _ => "no text".to_owned(),
    };
    match place {
        Place::Attribute(range) => text(item.attributes.first(), range),
        Place::VariantAttribute(variant, index, range) => text(item.variants[*variant].attributes.get(*index), range),
        Place::Variant(index) => format!("the variant {}", item.variants[*index].name),
        Place::WholeVariantAttribute(index, _) => format!("the attribute of {}", item.variants[*index].name),
        Place::Field(index) => format!("the field {index}"),
        Place::FieldType(index) => format!("the type {}", item.fields[*index].ty),
        Place::Item => "the item".to_owned(),
        other => format!("{other:?}"),
    }
}

/// Asserts what is reported for an item: what is underlined, the rule, and the suggestion.
#[track_caller]
fn reports(item: &SegmentItem<'_>, expected: &[(&str, Rule, &str)]) {
    let diagnostics = check_segment(item).diagnostics;
    let places: Vec<_> = diagnostics.iter().map(|diagnostic| underlined(item, &diagnostic.place)).collect();
    let reported = diagnostics
        .iter()
        .zip(&places)
        .map(|(diagnostic, place)| (place.as_str(), diagnostic.rule, diagnostic.suggestion.as_str()));
    assert_eq!(reported.collect::<Vec<_>>(), expected, "{item:?}");
    for (diagnostic, place) in diagnostics.iter().zip(&places) {
        assert_message(None, &format!("segment: {place}"), diagnostic);
    }
    assert_suggestions_apply(item, |item| check_segment(item).diagnostics);
}

/// Asserts the one thing that is reported for a variant with that attribute.
#[track_caller]
fn attribute_reports(attribute: &str, place: &str, rule: Rule, help: &str) {
    reports(&names(vec![variant("Orders", &[]), variant("Basic", &[attribute])]), &[(place, rule, help)]);
}

#[test]
fn names_are_words_of_a_key() {
    let item = names(
        ["BasicInfo", "HTTPSession", "HTTP", "V2", "Ipv4", "snake_case", "SHOUTING_CASE", "type", "A"]
            .map(|name| variant(name, &[]))
            .to_vec(),
    );
    let checked = check_segment(&item);
    assert_eq!(*checked.diagnostics, []);
    let names = names_of(checked);
    let texts: Vec<_> = names.variants.iter().map(|name| name.text.as_str()).collect();
    assert_eq!(texts, ["basic.info", "http.session", "http", "v2", "ipv4", "snake.case", "shouting.case", "type", "a"]);
    assert_eq!((names.longest(), names.is_dotted()), (13, true));
    assert!(!names_of(check_segment(&super::tests::names(vec![variant("Orders", &[])]))).is_dotted());
}

#[test]
fn rename_says_what_is_printed() {
    for (attribute, text) in [
        ("rename = \"info\"", "info"),
        ("rename = info", "info"),
        ("rename = basic.info2", "basic.info2"),
        ("r#rename = \"2fa\",", "2fa"),
    ] {
        let checked = check_segment(&names(vec![variant("Basic", &[attribute])]));
        assert_eq!(names_of(checked).variants[0].text, text, "{attribute}");
    }
}

#[test]
fn a_name_keeps_to_the_alphabet() {
    let foreign = "add `#[redis_key(rename = \"…\")]` with the letters `a` to `z` and the digits `0` to `9`";
    reports(&names(vec![variant("Été", &[])]), &[("the variant Été", Rule::Alphabet, foreign)]);
    reports(&names(vec![variant("__", &[])]), &[("the variant __", Rule::Alphabet, foreign)]);
    for (name, rule, help) in [
        ("basicInfo", Rule::LowerCase, "write `basic.info`"),
        ("basic_info", Rule::Separators, "write `basic.info`"),
        ("basic info", Rule::Separators, "write `basic.info`"),
        ("basic:info", Rule::Separators, "write `basic.info`"),
        ("basic/info", Rule::Separators, "write `basic.info`"),
        ("basic..info", Rule::EmptyWord, "write `basic.info`"),
        (".info", Rule::EmptyWord, "write `info`"),
        ("a%", Rule::Alphabet, "write `a`"),
        ("{id}", Rule::Alphabet, "write `id`"),
        ("été", Rule::Alphabet, "write words of the letters `a` to `z` and the digits `0` to `9`, as in `basic.info`"),
        (".", Rule::EmptyWord, "write words of the letters `a` to `z` and the digits `0` to `9`, as in `basic.info`"),
    ] {
        attribute_reports(&format!("rename = \"{name}\""), name, rule, help);
    }
}

#[test]
fn no_two_variants_print_the_same() {
    let add = "add `#[redis_key(rename = \"…\")]` with another name";
    reports(
        &names(vec![variant("FooBar", &[]), variant("Foo_Bar", &[])]),
        &[("the variant Foo_Bar", Rule::OneKeyEach, add)],
    );
    reports(
        &names(vec![variant("Foo", &["rename = \"bar\""]), variant("Bar", &[])]),
        &[("the variant Bar", Rule::OneKeyEach, add)],
    );
    attribute_reports("rename = \"orders\"", "orders", Rule::OneKeyEach, "write another name");
}

#[test]
fn variants_are_names_alone() {
    let mut with_fields = variant("Other", &[]);
    with_fields.has_fields = true;
    reports(
        &names(vec![with_fields]),
        &[("the variant Other", Rule::OneKeyEach, "write `Other` alone, and add a field to the key")],
    );
    reports(&names(vec![]), &[("the item", Rule::Parameters, "add variants, as in `{ BasicInfo, Orders }`")]);
}

#[test]
fn a_variant_has_one_option() {
    let reported = |attribute, place, help| attribute_reports(attribute, place, Rule::Declaration, help);
    reported("renme = \"x\"", "renme", "did you mean `rename`?");
    reported("name = \"x\"", "name", "write `rename = \"x\"`");
    reported("serialize(\"x\")", "serialize", "write `rename = \"x\"`");
    reported("\"x\"", "\"x\"", "write `rename = \"x\"`");
    reported("skip", "skip", "the only option is `rename`");
    reported("rename", "rename", "write `rename = \"basic.info\"`");
    reported("rename = \"\"", "rename", "write `rename = \"basic.info\"`");
    reported("rename = x, rename = y", "rename", "keep one of them");
    reported("", "the attribute of Basic", "write `redis_key(rename = \"basic.info\")`, for example, or remove it");
    let twice = names(vec![variant("Basic", &["rename = \"x\"", "rename = \"y\""])]);
    reports(&twice, &[("rename", Rule::Declaration, "keep one of them")]);
    let mut word = names(vec![variant("Basic", &[])]);
    word.variants[0].attributes = vec![Attribute::Word, Attribute::Value("\"x\"")];
    let help = "write `redis_key(rename = \"basic.info\")`, for example";
    reports(
        &word,
        &[
            ("the attribute of Basic", Rule::Declaration, &format!("{help}, or remove it")),
            ("the attribute of Basic", Rule::Declaration, help),
        ],
    );
}

#[test]
fn the_item_says_where_redis_keys_lives() {
    let with = |attribute| SegmentItem {
        attributes: vec![Attribute::Arguments(attribute)],
        ..names(vec![variant("Orders", &[])])
    };
    let at = |attribute| check_segment(&with(attribute)).crate_path;
    assert_eq!(at("crate = ::keys"), Some(8..14));
    let reported = |attribute, place, help| reports(&with(attribute), &[(place, Rule::Declaration, help)]);
    reported("crat = x", "crat", "did you mean `crate`?");
    reported("crate", "crate", "write `crate = path::to::redis_keys`");
    reported("crate = a, crate = b", "crate", "keep one of them");
    reported("rename = \"x\"", "rename", "move it to a variant");
    reported(
        "rename_all = \"lowercase\"",
        "rename_all",
        "write `#[redis_key(rename = \"…\")]` at the variants whose text differs from their name",
    );
    reported("digest", "digest", "the only option is `crate`");
    let mut twice = with("crate = ::keys");
    twice.attributes.push(Attribute::Word);
    assert_eq!(check_segment(&twice).diagnostics[0].place, Place::WholeAttribute(1));
}

#[test]
fn a_newtype_has_one_field() {
    reports(&newtype(&["u64"]), &[]);
    reports(&newtype(&["PhantomData<T>", "u64"]), &[]);
    assert!(matches!(check_segment(&newtype(&["PhantomData<T>", "u64"])).segment, Ok(Segment::Newtype(1))));
    let none = ("the item", Rule::Parameters, "add a field, as in `struct UserId(u64);`");
    reports(&newtype(&[]), &[none]);
    reports(&newtype(&["PhantomData<T>"]), &[none]);
    let more = "remove it, or add a field for each to the key";
    reports(
        &newtype(&["u64", "f64", "u8"]),
        &[("the field 1", Rule::OneKeyEach, more), ("the field 2", Rule::OneKeyEach, more)],
    );
    reports(&newtype(&["f64"]), &[("the type f64", Rule::Parameters, "scale it to an integer, as in `u64`")]);
    let bytes = "write the bytes as the type of the key's field, with `#[redis_key(digest)]` or `#[redis_key(base32)]`";
    reports(&newtype(&["Vec<u8>"]), &[("the type Vec<u8>", Rule::Parameters, bytes)]);
    let mut marked = newtype(&["u64"]);
    marked.fields[0].attributes = vec![Attribute::Arguments("digest")];
    let help = "remove it, and add `digest` or `base32` to the field of the key that has this type";
    assert_eq!(check_segment(&marked).diagnostics[0].suggestion, help);
    let union = SegmentItem { shape: Shape::Union, ..newtype(&["u64"]) };
    reports(&union, &[("the item", Rule::Parameters, "declare a struct, as in `struct UserId(u64);`")]);
}

#[test]
fn everything_is_reported_at_once() {
    let mut other = variant("Other", &["rename = \"Other\""]);
    other.has_fields = true;
    let item = names(vec![variant("Basic", &["renam = \"x\""]), other, variant("Été", &[])]);
    assert_eq!(check_segment(&item).diagnostics.len(), 4);
}

proptest! {
    /// Any text: no panic, and a name that a key can have wherever nothing is reported.
    #[test]
    fn random_tokens_are_reported_or_printed(
        variants in prop::collection::vec(("[a-zA-Z_0-9é]{1,9}", prop::option::of("(rename|name)? ?=? ?\"?[a-zA-Z.:_ é{,]{0,9}\"?|\\PC*")), 0..5),
        attribute in prop::option::of("(crate|rename)? ?=?.{0,9}"),
    ) {
        let attributes = attribute.iter().map(|text| Attribute::Arguments(text)).collect();
        let variants = variants.iter().map(|(name, attribute)| variant(name, &attribute.as_deref().into_iter().collect::<Vec<_>>()));
        let item = SegmentItem { attributes, ..names(variants.collect()) };
        let checked = check_segment(&item);
        for diagnostic in checked.diagnostics.iter() {
            underlined(&item, &diagnostic.place);
        }
        if let Ok(segment) = checked.diagnostics.finish(checked.segment) {
            let Segment::Names(names) = segment else { panic!("an enum became {segment:?}") };
            let mut texts: Vec<_> = names.variants.iter().map(|name| &name.text).collect();
            prop_assert!(texts.iter().all(|text| text.split('.').all(|word| !word.is_empty() && word.bytes().all(is_word_byte))));
            texts.sort();
            texts.dedup();
            prop_assert_eq!(texts.len(), item.variants.len());
        }
    }
}

//! Placeholders and fields.

use super::*;
use crate::{Encoding, Placeholder};

/// Asserts the one thing that is told of the placeholder, in braces, in a struct with these fields.
#[track_caller]
fn placeholder_reports(fields: &[&str], placeholder: &str, underlined: &str, help: &str) {
    let attribute = format!("user:name:{placeholder}:string, value = u64, ttl = 1h");
    reports(fields, &attribute, &[(underlined, Rule::Parameters, help)]);
}

#[test]
fn a_placeholder_names_a_field() {
    placeholder_reports(&["user_id"], "{user_idd}", "user_idd", "did you mean `user_id`?");
    placeholder_reports(&["user_id"], "{#userId}", "#userId", "did you mean `user_id`?");
    placeholder_reports(&["user_id"], "{page}", "page", "write `{user_id}`, or add a field `page`");
    placeholder_reports(&[], "{page}", "page", "add a field `page` to the struct");
    placeholder_reports(&["user_id"], "{}", "{}", "write `{user_id}`");
    placeholder_reports(&["user_id"], "{#}", "#", "write `{#user_id}`");
    placeholder_reports(&[], "{}", "{}", "write `{field}`");
    placeholder_reports(&["0"], "{1}", "1", "did you mean `0`?");
    placeholder_reports(&["id"], "{id % 0}", "0", "write `{id % 1000}`");
    placeholder_reports(&["id"], "{id % many}", "many", "write `{id % 1000}`");
    placeholder_reports(&["id"], "{id %}", "%", "write `{id % 1000}`");
    placeholder_reports(&["id"], "{id % 4294967296}", "4294967296", "write `{id % 1000}`");
    placeholder_reports(&["id"], "{id %99999999999}", "99999999999", "write `{id % 1000}`");
}

#[test]
fn several_fields_to_choose_from_are_listed() {
    reports(
        &["alpha", "beta"],
        "user:name:{xy}:string, value = u64, ttl = 1h",
        &[
            ("xy", Rule::Parameters, "the fields that the template does not use yet are `alpha` and `beta`"),
            ("a field", Rule::Parameters, "add `{alpha}` to the template, or remove the field"),
            ("a field", Rule::Parameters, "add `{beta}` to the template, or remove the field"),
        ],
    );
}

#[test]
fn a_placeholder_is_no_expression() {
    placeholder_reports(&["id"], "{id:?}", "id:?", "write `{id}`");
    placeholder_reports(&["id"], "{id:08}", "id:08", "write `{id}`");
    placeholder_reports(&["id"], "{self.id}", "self.id", "write `{id}`");
    placeholder_reports(&["id"], "{id + 1}", "id + 1", "write `{id}`");
    placeholder_reports(&["id"], "{#id()}", "#id()", "write `{#id}`");
    placeholder_reports(&["id"], "{{id}}", "{id}", "write `{id}`");
    placeholder_reports(&["cart_id"], "{cart}", "cart", "did you mean `cart_id`?");
}

#[test]
fn raw_names_are_names() {
    reports(&["type"], "user:name:{r#type}:string, value = u64, ttl = 1h", &[]);
    reports(&["type"], "user:name:{type}:string, value = u64, ttl = 1h", &[]);
    reports(&["0", "1"], "user:name:{0}:{1}:string, value = u64, ttl = 1h", &[]);
}

#[test]
fn every_field_is_used_once() {
    reports(
        &["id", "page"],
        "user:name:{id}:string, value = u64, ttl = 1h",
        &[("a field", Rule::Parameters, "add `{page}` to the template, or remove the field")],
    );
    reports(
        &["id"],
        "user:name:{id}:{id}:string, value = u64, ttl = 1h",
        &[("{id}", Rule::Parameters, "keep one of the two")],
    );
}

#[test]
fn phantom_fields_are_no_parameters() {
    let phantom = Field { name: "of".to_owned(), ty: "PhantomData<T>", phantom: true, attributes: vec![] };
    let item = |attribute| Item {
        documented: true,
        shape: Shape::Struct,
        attributes: vec![Attribute::Arguments(attribute)],
        fields: vec![phantom.clone()],
    };
    assert_eq!(check(&item("user:name:all:string, value = u64, ttl = 1h")).diagnostics, []);
    let told = check(&item("user:name:{of}:string, value = u64, ttl = 1h")).diagnostics;
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].message.contains("PhantomData"));
}

#[test]
fn a_key_has_one_hash_tag() {
    reports(&["a", "b"], "user:{#a}:{#b}:string, value = u64, ttl = 1h", &[("{#b}", Rule::HashTag, "write `{b}`")]);
}

#[test]
fn a_shard_has_the_digits_of_its_last_number() {
    let longest = |template: &str| {
        let checked = checked(&["id"], &format!("{template}, value = u64, ttl = 1h"));
        assert_eq!(checked.diagnostics, [], "{template}");
        let template = checked.declaration.template.unwrap_or_default();
        template.placeholders().map(Placeholder::longest_number).collect::<Vec<_>>()
    };
    assert_eq!(longest("user:name:{id % 1000}:{id}:string"), [Some(3), None]);
    assert_eq!(longest("user:name:{id % 1_001}:string"), [Some(4)]);
    assert_eq!(longest("user:name:{#id % 2}:string"), [Some(1)]);
    assert_eq!(longest("user:name:{id % 4294967295}:string"), [Some(10)]);
    let fits = |text: &str, bytes| {
        let attribute = format!("user:{}:{{id % 1000}}:string, value = u64, ttl = 1h", text.repeat(bytes));
        checked(&["id"], &attribute).declaration.length_is_proved()
    };
    assert!(fits("a", 128 - "user:::string".len() - 3) && !fits("a", 128 - "user:::string".len() - 2));
    reports(
        &["id"],
        "user:{id % 10}:{id % 100}:string, value = u64, ttl = 1h",
        &[("{id % 100}", Rule::Parameters, "keep one of the two")],
    );
}

#[test]
fn braces_belong_together() {
    let told = |template: &str| {
        let attribute = format!("\"{template}\", value = u64, ttl = 1h");
        let checked = checked(&["id"], &attribute);
        let first = checked.diagnostics.first().map(|told| underlined(&attribute, &told.place).to_owned());
        (first, checked.diagnostics.len())
    };
    assert_eq!(told("user:name:{id:string"), (Some("{".to_owned()), 1));
    assert_eq!(told("user:name:id}:string").0, Some("}".to_owned()));
}

#[test]
fn field_attributes_are_checked() {
    let told = |attribute| {
        let field = Field { name: "id".to_owned(), ty: "u64", phantom: false, attributes: vec![attribute] };
        let key = Attribute::Arguments("user:name:{id}:string, value = u64, ttl = 1h");
        let checked =
            check(&Item { shape: Shape::Struct, documented: true, attributes: vec![key], fields: vec![field] });
        checked
            .diagnostics
            .into_iter()
            .map(|told| (told.place, told.rule, told.suggestion.unwrap_or_default()))
            .collect::<Vec<_>>()
    };
    let at = |range, rule, help: &str| vec![(Place::FieldAttribute(0, 0, range), rule, help.to_owned())];
    assert_eq!(told(Attribute::Arguments("digst")), at(0..5, Rule::Declaration, "did you mean `digest`?"));
    assert_eq!(told(Attribute::Arguments("hex")), at(0..3, Rule::Declaration, "the options are `digest` and `base32`"));
    assert_eq!(told(Attribute::Arguments("digest, base32")), at(8..14, Rule::Declaration, "keep one of them"));
    assert_eq!(told(Attribute::Word)[0].0, Place::WholeFieldAttribute(0, 0));
    assert_eq!(told(Attribute::Arguments(""))[0].0, Place::WholeFieldAttribute(0, 0));
}

#[test]
fn fields_say_how_they_are_printed() {
    let checked = |template: &str, ty: &'static str, phantom, attribute: &'static str| {
        let attributes = vec![Attribute::Arguments(attribute)];
        let field = Field { name: "id".to_owned(), ty, phantom, attributes };
        let key = format!("{template}, value = u64, ttl = 1h");
        check(&Item {
            shape: Shape::Struct,
            documented: true,
            attributes: vec![Attribute::Arguments(&key)],
            fields: vec![field],
        })
    };
    let encoding = |attribute| {
        let checked = checked("user:name:{id}:string", "String", false, attribute);
        assert_eq!(checked.diagnostics, []);
        checked.declaration.template.unwrap_or_default().placeholders().next().and_then(|one| one.encoding)
    };
    assert_eq!((encoding("digest"), encoding(" base32 ,")), (Some(Encoding::Digest), Some(Encoding::Base32)));
    let told = |checked: Checked| {
        let told = checked.diagnostics.into_iter().map(|told| (told.place, told.suggestion.unwrap_or_default()));
        told.collect::<Vec<_>>()
    };
    let remove = |end| vec![(Place::FieldAttribute(0, 0, 0..end), "remove the attribute".to_owned())];
    assert_eq!(told(checked("user:{id}:{id % 10}:string", "u64", false, "digest")), remove(6));
    assert_eq!(told(checked("user:name:all:string", "PhantomData<T>", true, "base32")), remove(6));
    // Its digits count, and of base32 two letters at least.
    let fits = |words: usize, attribute| {
        checked(&format!("user:{}:{{id}}:string", "a".repeat(words)), "String", false, attribute)
            .declaration
            .length_is_proved()
    };
    let free = 128 - "user:::string".len();
    assert!(fits(free - 32, "digest") && !fits(free - 31, "digest"));
    assert!(fits(free - 2, "base32") && !fits(free - 1, "base32"));
}

#[test]
fn types_that_can_not_be_parameters_say_what_to_do() {
    let told = |ty: &str| {
        let field = Field { name: "price".to_owned(), ty, phantom: false, attributes: vec![] };
        let key = Attribute::Arguments("shop:item:{price}:string, value = u64, ttl = 1h");
        let checked =
            check(&Item { shape: Shape::Struct, documented: true, attributes: vec![key], fields: vec![field] });
        checked
            .diagnostics
            .into_iter()
            .map(|told| (told.place, told.rule, told.suggestion.unwrap_or_default()))
            .collect::<Vec<_>>()
    };
    let digest = "add `#[redis_key(digest)]` to the field, or `#[redis_key(base32)]` to read them back";
    for (ty, help) in [
        ("f64", "scale it to an integer, as in `price: u64`"),
        ("std::primitive::f32", "scale it to an integer, as in `price: u64`"),
        ("Option<u64>", "write `price: u64`, and declare another key for `None`"),
        ("std::option::Option<Vec<u8>>", "write `price: Vec<u8>`, and declare another key for `None`"),
        ("Vec<u8>", digest),
        ("[u8;16]", digest),
        ("&[u8]", digest),
        ("&'a [u8]", digest),
        ("Vec<String>", "write the type of one value, as in `price: u64`, with a key for each value"),
        ("char", "write `price: String`"),
        ("(u64,u64)", "write a field for each of them"),
    ] {
        assert_eq!(told(ty), [(Place::FieldType(0), Rule::Parameters, help.to_owned())], "{ty}");
    }
    for ty in [
        "u64",
        "UserId",
        "my::Vector<u8>",
        "&'a str",
        "Cow<'a, str>",
        "Box<str>",
        "T",
        "my::Option<u64>",
        "(u64)",
        "()",
        "Duration",
    ] {
        assert_eq!(told(ty), [], "{ty}");
    }
}

//! Placeholders and fields.

use super::*;
use crate::{Encoding, Placeholder};

/// Asserts the one thing that is reported for the placeholder, in braces, in a struct with these fields.
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
    placeholder_reports(&[], "{}", "{}", "remove it, or add a field to the struct");
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
fn each_unreadable_placeholder_is_one_error() {
    reports(
        &["c", "id"],
        "user:x:{c & 7}:{id:05}:set, value = u64, ttl = 1h",
        &[("c & 7", Rule::Parameters, "write `user:x:{c % 8}:{id}:set`"), ("id:05", Rule::Parameters, "write `{id}`")],
    );
    reports(
        &["a", "b"],
        "\"user:{}:{}:string\", value = u64, ttl = 1h",
        &[("{}", Rule::Parameters, "write `user:{a}:{b}:string`"), ("{}", Rule::Parameters, "write `{b}`")],
    );
    reports(
        &["id"],
        "\"user:name:{}:string\", id, value = u64, ttl = 1h",
        &[("{}", Rule::Parameters, "write `{id}`"), ("id", Rule::Declaration, "write `{id}` in the template")],
    );
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
    let phantom = || vec![field("of", "PhantomData<T>")];
    item_reports(phantom(), "user:name:all:string, value = u64, ttl = 1h", &[]);
    let reported = [("of", Rule::Parameters, "remove it from the template")];
    item_reports(phantom(), "user:name:{of}:string, value = u64, ttl = 1h", &reported);
}

#[test]
fn a_key_has_one_hash_tag() {
    reports(&["a", "b"], "user:{#a}:{#b}:string, value = u64, ttl = 1h", &[("{#b}", Rule::HashTag, "write `{b}`")]);
    reports(
        &["a"],
        "user:{#a}:{#a}:string, value = u64, ttl = 1h",
        &[("{#a}", Rule::Parameters, "keep one of the two")],
    );
}

#[test]
fn a_shard_has_the_digits_of_its_last_number() {
    let longest = |template: &str| {
        let checked = checked(&["id"], &format!("{template}, value = u64, ttl = 1h"));
        super::template(&checked).placeholders().map(Placeholder::longest_number).collect::<Vec<_>>()
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
    let attribute = |template: &str| format!("\"{template}\", value = u64, ttl = 1h");
    reports(&["id"], &attribute("user:name:{id:string"), &[("{", Rule::Declaration, "write `{id}`")]);
    reports(&["id"], &attribute("user:name:id}:string"), &[("}", Rule::Declaration, "write `{id}`")]);
    reports(&[], &attribute("user:name:id}:string"), &[("}", Rule::Declaration, "remove it")]);
}

/// Checks a key of one field, `id`, with an attribute.
fn with_field_attribute(template: &str, ty: &str, attribute: Attribute<'_>) -> CheckedDeclaration {
    let field = Field { attributes: vec![attribute], ..field("id", ty) };
    let attribute = format!("{template}, value = u64, ttl = 1h");
    let item = item(vec![field], &attribute);
    assert_suggestions_apply(&item, |item| check(item).diagnostics);
    check(&item)
}

#[test]
fn field_attributes_are_checked() {
    let reported = |template, ty, attribute| {
        let diagnostics = with_field_attribute(template, ty, attribute).diagnostics;
        assert_eq!(diagnostics.len(), 1, "{diagnostics:?}");
        let diagnostic = diagnostics[0].clone();
        (diagnostic.place, diagnostic.rule, diagnostic.suggestion)
    };
    let plain = "user:name:{id}:string";
    let options = "the options are `digest`, `base32`, `slug` and `no_colon`";
    for (template, ty, attribute, range, rule, suggestion) in [
        (plain, "u64", "digst", 0..5, Rule::Declaration, "did you mean `digest`?"),
        (plain, "u64", "hex", 0..3, Rule::Declaration, options),
        (plain, "u64", "digest, base32", 8..14, Rule::Declaration, "keep one of the two"),
        (plain, "u64", "digest, digest", 8..14, Rule::Declaration, "keep one of them"),
        (plain, "u64", "digest = 5", 9..10, Rule::Declaration, "write `digest`"),
        (plain, "u64", "slug = many", 7..11, Rule::Declaration, "write `slug = 60`"),
        (plain, "u64", "slug = 0", 7..8, Rule::Declaration, "write `slug = 60`"),
        (plain, "u64", "slug = 129", 7..10, Rule::Declaration, "write `slug = 60`"),
        (plain, "u64", "slug, slug = 60", 6..10, Rule::Declaration, "keep one of them"),
        (plain, "u64", "slug = 60, base32", 11..17, Rule::Declaration, "keep one of the two"),
        ("user:{id}:{id % 10}:string", "u64", "digest", 0..6, Rule::Parameters, "remove the attribute"),
        ("user:name:all:string", "PhantomData<T>", "base32", 0..6, Rule::Parameters, "remove the attribute"),
    ] {
        let place = Place::FieldAttribute(0, 0, range);
        let expected = (place, rule, suggestion.to_owned());
        assert_eq!(reported(template, ty, Attribute::Arguments(attribute)), expected, "{attribute}");
    }
    for attribute in [Attribute::Word, Attribute::Arguments(""), Attribute::Value("\"x\"")] {
        assert_eq!(reported(plain, "u64", attribute).0, Place::WholeFieldAttribute(0, 0));
    }
}

#[test]
fn fields_have_encodings() {
    let encoding = |attribute| {
        let checked = with_field_attribute("user:name:{id}:string", "String", Attribute::Arguments(attribute));
        template(&checked).placeholders().next().and_then(|placeholder| placeholder.encoding)
    };
    assert_eq!((encoding("digest"), encoding(" base32 ,")), (Some(Encoding::Digest), Some(Encoding::Base32)));
    // The digits of a digest count, and two letters of base32.
    let is_proved = |letters: usize, attribute| {
        let template = format!("user:{}:{{id}}:string", "a".repeat(letters));
        with_field_attribute(&template, "String", Attribute::Arguments(attribute)).declaration.length_is_proved()
    };
    let free = 128 - "user:::string".len();
    assert!(is_proved(free - 32, "digest") && !is_proved(free - 31, "digest"));
    assert!(is_proved(free - 2, "base32") && !is_proved(free - 1, "base32"));
    assert!(is_proved(free - 60, "slug = 60") && !is_proved(free - 59, "slug = 60"));
    assert_eq!(encoding("slug"), Some(Encoding::Slug(None)));
}

#[test]
fn a_slug_is_a_whole_segment() {
    let checked = with_field_attribute("user:name.{id}:string", "String", Attribute::Arguments("slug = 60"));
    let [diagnostic] = &checked.diagnostics[..] else { panic!("{:?}", checked.diagnostics) };
    assert_eq!((&diagnostic.place, diagnostic.rule), (&Place::Attribute(10..14), Rule::OneKeyEach));
    assert_eq!(diagnostic.suggestion, "make it a whole segment: `:{id}:`");
}

#[test]
fn types_that_cannot_be_parameters_have_suggestions() {
    let reported = |ty, expected: &[ExpectedMessage<'_>]| {
        item_reports(vec![field("price", ty)], "shop:item:{price}:string, value = u64, ttl = 1h", expected);
    };
    let digest = "add `#[redis_key(digest)]` to the field, or `#[redis_key(base32)]` to read them back";
    let hour = "write `price: redis_keys::parameter::bucket::Hour` for a key of each hour, or another bucket: `Day`, `Month`, `Year`";
    for (ty, suggestion) in [
        ("f64", "scale it to an integer, as in `price: u64`"),
        ("std::primitive::f32", "scale it to an integer, as in `price: u64`"),
        ("Option<u64>", "write `price: u64`, and declare another key for `None`"),
        (
            "std::option::Option<Vec<u8>>",
            &format!("write `price: Vec<u8>`, and declare another key for `None`; {digest}"),
        ),
        ("Vec<u8>", digest),
        ("[u8;16]", digest),
        ("&[u8]", digest),
        ("&'a [u8]", digest),
        ("Vec<String>", "write the type of one value, as in `price: u64`, with a key for each value"),
        ("char", "write `price: String`"),
        ("(u64,u64)", "write a field for each of them"),
        ("DateTime<Utc>", hour),
        ("&'a chrono::DateTime<Tz>", hour),
        ("NaiveDateTime", hour),
        ("jiff::Timestamp", hour),
        ("std::time::SystemTime", hour),
    ] {
        reported(ty, &[("a field's type", Rule::Parameters, suggestion)]);
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
        "Timestamp",
        "DateTime",
        "my::DateTime<Utc>",
    ] {
        reported(ty, &[]);
    }
}

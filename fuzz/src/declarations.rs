//! Declarations: every place of a message lies within the text that it is about.

use std::ops::Range;
use std::sync::LazyLock;

use proc_macro2::TokenStream;
use redis_keys_schema::{
    Attribute, Diagnostics, Field, Item, Place, Policy, RecordItem, RecordShape, SegmentItem, Shape, Variant, Warning,
    check, check_record, check_segment,
};
use redis_keys_syntax::{Input, KeyAttribute, Underline, read_key, read_record, read_segment, too_deep};
use syn::DeriveInput;

/// No policy, and one with most settings.
static POLICIES: LazyLock<[Policy; 2]> = LazyLock::new(|| {
    let (policy, errors) = Policy::parse(SETTINGS);
    assert!(errors.is_empty(), "{errors:?}");
    [Policy::default(), policy]
});

const SETTINGS: &str = r#"
modules = ["user", "cart", "session"]
[limits]
max_bytes = "4KB"
max_len = 100
max_key_bytes = 60
longest_ttl = "30d"
[lints]
undocumented = "deny"
long_word = "warn"
long_key = "warn"
[abbreviations]
identification = "id"
[module.cart]
ttl = "1h..7d"
types = ["hash", "set"]
owner = "shop"
[legacy]
keys = ["Fuzzed"]
"#;

/// Reads the text as an item, and as the arguments of an attribute of a key, of a record and of a parameter type.
pub fn attribute(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    let key = format!(
        "/// A key.\n#[redis_key({text})]\nstruct Fuzzed<'a> {{ user_id: u64, #[redis_key(digest)] token: &'a str, \
         #[redis_key(no_colon)] name: String, day: Day, section: Section }}"
    );
    let field = format!(
        "#[redis_hash(rename_all = \"camelCase\")] struct Fuzzed {{ #[redis_hash({text})] name: Option<u64> }}"
    );
    let record = format!("#[redis_hash({text})] struct Fuzzed {{ name: String, key: [u8; 32] }}");
    let variant = format!("enum Fuzzed {{ #[redis_key({text})] Basic, BasicInfo }}");
    for item in [text, &key, &field, &record, &variant].into_iter().filter_map(parse_item) {
        for policy in &*POLICIES {
            let key = read_key(&item, policy);
            must_lie_within(&key.input, &key.diagnostics, &key.warnings);
            if key.diagnostics.is_empty() {
                let schema = key.schema("src/lib.rs".to_owned(), 7);
                assert!(schema.is_ok(), "a valid declaration has a schema");
            }
            let record = read_record(&item, policy);
            must_lie_within(&record.input, &record.diagnostics, &record.warnings);
        }
        let segment = read_segment(&item);
        must_lie_within(&segment.input, &segment.diagnostics, &[]);
    }
    // Each text that was parsed is kept for the places in it.
    proc_macro2::extra::invalidate_current_thread_spans();
}

/// Parses an item as the derives do.
fn parse_item(text: &str) -> Option<DeriveInput> {
    let tokens: TokenStream = text.parse().ok()?;
    if too_deep(&tokens).is_some() { None } else { syn::parse2(tokens).ok() }
}

fn must_lie_within(input: &Input<'_>, diagnostics: &Diagnostics, warnings: &[Warning]) {
    for diagnostic in diagnostics.iter() {
        let Underline { tokens, literal } = input.underline(&diagnostic.place);
        assert!(!tokens.to_string().is_empty(), "nothing is underlined: {diagnostic:?}");
        if let Some((text, literal)) = literal {
            assert!(text.get(literal.clone()).is_some(), "{diagnostic:?}");
            assert!(!diagnostic.clone().drawn(text, literal).to_string().is_empty());
        }
    }
    for warning in warnings {
        if let Some((text, literal)) = input.underline(&warning.place).literal {
            assert!(!warning.clone().drawn(text, literal).help().is_empty());
        }
    }
    let places = places(diagnostics, warnings);
    for (place, (attribute, range)) in places.filter_map(|place| Some((place, rendered(input, place)?))) {
        let text = attribute.map(|attribute| attribute.rendered.text.as_str());
        assert!(text.is_some_and(|text| text.get(range.clone()).is_some()), "{place:?} is not in {text:?}");
    }
}

/// The places of messages and of the edits that they suggest.
fn places<'p>(diagnostics: &'p Diagnostics, warnings: &'p [Warning]) -> impl Iterator<Item = &'p Place> {
    let errors = diagnostics.iter().map(|diagnostic| (&diagnostic.place, &diagnostic.edits));
    let places = errors.chain(warnings.iter().map(|warning| (&warning.place, &warning.edits)));
    places.flat_map(|(place, edits)| edits.iter().map(|edit| &edit.place).chain([place]))
}

/// The attribute that a place is a part of, and the bytes of that part.
fn rendered<'i>(input: &'i Input<'_>, place: &Place) -> Option<(Option<&'i KeyAttribute<'i>>, Range<usize>)> {
    match place {
        Place::Attribute(range) => Some((input.attributes.first(), range.clone())),
        Place::FieldAttribute(field, index, range) => Some((input.field_attribute(*field, *index), range.clone())),
        Place::VariantAttribute(variant, index, range) => {
            Some((input.variant_attribute(*variant, *index), range.clone()))
        }
        _ => None,
    }
}

/// Checks the text as the attributes of an item, which need not be tokens.
pub fn template(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    for attributes in [vec![Attribute::Arguments(text)], vec![Attribute::Value(text), Attribute::Arguments(text)]] {
        let field = |name: &str, ty, attributes| Field { name: name.to_owned(), ty, phantom: false, attributes };
        let fields = [
            field("user_id", "u64", Vec::new()),
            field("name", "String", attributes.clone()),
            field("other", text, Vec::new()),
        ];
        let (attributes, fields) = (|| attributes.clone(), || fields.to_vec());
        for policy in &*POLICIES {
            let (name, shape) = ("Fuzzed".to_owned(), Shape::Struct);
            let item = Item { name, shape, documented: false, attributes: attributes(), fields: fields() };
            let checked = check(&item, policy);
            must_lie_within_texts(text, &checked.diagnostics, &checked.warnings);
            let (shape, lifetimes) = (RecordShape::Named, Vec::new());
            let record = RecordItem { shape, lifetimes, attributes: attributes(), fields: fields() };
            let checked = check_record(&record, policy);
            must_lie_within_texts(text, &checked.diagnostics, &checked.warnings);
        }
        let variants = vec![Variant { name: "Basic".to_owned(), has_fields: false, attributes: attributes() }];
        let segment = SegmentItem { shape: Shape::Enum, attributes: attributes(), fields: Vec::new(), variants };
        must_lie_within_texts(text, &check_segment(&segment).diagnostics, &[]);
    }
}

/// The attributes of the item, of fields and of variants all have the same text.
fn must_lie_within_texts(text: &str, diagnostics: &Diagnostics, warnings: &[Warning]) {
    for place in places(diagnostics, warnings) {
        if let Place::Attribute(range) | Place::FieldAttribute(.., range) | Place::VariantAttribute(.., range) = place {
            assert!(text.get(range.clone()).is_some(), "{place:?} is not in {text:?}");
        }
    }
    for diagnostic in diagnostics.iter() {
        assert!(!diagnostic.clone().drawn(text, 0..text.len()).to_string().is_empty());
    }
}

//! Items are read without the compiler.

mod schema;

use redis_keys_schema::overlap::Pattern;
use redis_keys_schema::{Place, Policy, Segment};
use syn::{DeriveInput, parse_quote};

use super::*;

/// The tokens to underline for each error of a key, and the part of a literal where they are one.
fn underlined(item: &DeriveInput) -> Vec<(String, String)> {
    let key = read_key(item, &Policy::default());
    let shown = |place: &Place| {
        let Underline { tokens, literal } = key.input.underline(place);
        let (Some((text, _)), Place::Attribute(range)) = (literal, place) else {
            return (tokens.to_string(), String::new());
        };
        (tokens.to_string(), text[range.clone()].to_owned())
    };
    key.diagnostics.iter().map(|diagnostic| shown(&diagnostic.place)).collect()
}

#[test]
fn a_key_is_read_with_its_code() {
    let item = parse_quote! {
        #[redis_key(user:names:{id}:hash, field = String, value = "Json<Vec<u8>>", ttl = 1h, crate = ::keys)]
        struct Names { id: u64 }
    };
    let key = read_key(&item, &Policy::default());
    assert!(key.diagnostics.is_empty(), "{:?}", key.diagnostics);
    let shown = |tokens: Option<Tokens>| {
        let tokens = tokens.unwrap_or_default().into_iter().collect::<proc_macro2::TokenStream>();
        tokens.to_string().replace(' ', "")
    };
    assert_eq!(shown(key.code.krate), "::keys");
    assert_eq!(shown(key.code.value), "Json<Vec<u8>>");
    assert_eq!(shown(key.code.field), "String");
}

#[test]
fn code_that_does_not_parse_is_an_error() {
    let item = parse_quote! {
        #[redis_key(user:names:{id}:hash, field = "Vec<", value = Json<5 5>, ttl = 1h, crate = 5)]
        struct Names { id: u64 }
    };
    let key = read_key(&item, &Policy::default());
    assert_eq!(key.diagnostics.len(), 3, "{:?}", key.diagnostics);
    assert!(key.code.krate.is_none() && key.code.value.is_none() && key.code.field.is_none());
    let item = parse_quote! {
        #[redis_hash(crate = 5)]
        struct Profile { id: u64, #[redis_hash(value = "Json<")] name: String }
    };
    let record = read_record(&item, &redis_keys_schema::Policy::default());
    let errors = record.diagnostics.finish(record.record.fields).err().unwrap_or_default();
    let places: Vec<_> = errors.iter().map(|error| &error.place).collect();
    assert!(matches!(places[..], [Place::Attribute(_), Place::FieldAttribute(1, 0, _)]), "{places:?}");
    let item = parse_quote!(
        #[redis_key(crate = 5)]
        enum Section {
            Basic,
        }
    );
    assert_eq!(read_segment(&item).diagnostics.len(), 1);
}

#[test]
fn the_wrong_word_is_underlined() {
    let bare = parse_quote! {
        #[redis_key(user:Info:{id}:string, value = u64, ttl = 1h)]
        struct Info { id: u64 }
    };
    // `edge` has the span of a token.
    assert_eq!(underlined(&bare), [("edge edge".to_owned(), String::new())]);
    let quoted = parse_quote! {
        #[redis_key("user:Info:{id}:string", value = u64, ttl = 1h)]
        struct Info { id: u64 }
    };
    assert_eq!(underlined(&quoted), [("edge edge".to_owned(), "Info".to_owned())]);
    let whole = parse_quote!(
        struct Info {
            id: u64,
        }
    );
    assert_eq!(underlined(&whole), [("Info".to_owned(), String::new())]);
}

#[test]
fn names_of_variants_are_read() {
    let item = parse_quote!(
        enum Section {
            BasicInfo,
            #[redis_key(rename = "orders")]
            Past,
        }
    );
    let texts = match read_segment(&item).segment {
        Ok(Segment::Names(names)) => names.variants.into_iter().map(|variant| variant.text).collect(),
        _ => Vec::new(),
    };
    assert_eq!(texts, ["basic.info", "orders"]);
}

#[test]
fn generic_parameters_can_be_any_type() {
    let item = parse_quote! {
        #[redis_key(user:names:{id}:{of}:{page}:{section}:string, value = u64, ttl = 1h)]
        struct Name<T, const N: usize> { id: T, of: Of<N>, page: u32, section: Section }
    };
    let key = read_key(&item, &Policy::default());
    let pattern = Pattern::of(&key.input.item(), &key.declaration).unwrap_or_default();
    let fields: Vec<_> = typed_fields(&key.input, &pattern).map(|field| field.map(|field| &*field.name)).collect();
    assert_eq!(fields, [None, None, Some("section")]);
}

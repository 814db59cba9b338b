//! The texts of a parameter follow from its type, as far as the sources have it.

use super::read_text;
use crate::declare::catalog::Values;

/// The texts of the field of a key that is declared after these items.
fn values(name: &str, items: &str, ty: &str) -> Option<Values> {
    let key = format!(
        "#[derive(RedisKey)] #[redis_key(a:{{id}}:string, value = u64, ttl = 1h)] struct Key<'a, T> {{ id: {ty} }}"
    );
    let read = read_text(name, &format!("{items}\n{key}\n"));
    let declaration = read.declarations.last().unwrap();
    let syn::Data::Struct(data) = &declaration.item.data else { return None };
    let field = data.fields.iter().next().unwrap();
    read.scopes.parameter_type(declaration.scope, &declaration.item.generics, &field.ty)?.argument.values()
}

#[allow(clippy::unnecessary_wraps, reason = "the table is shorter")]
fn names(names: &[&str]) -> Option<Values> {
    Some(Values::OneOf(names.iter().map(|name| (*name).to_owned()).collect()))
}

#[test]
fn types_are_found_by_their_paths() {
    const SIDE: &str = "#[derive(KeySegment)] enum Side { Left, #[redis_key(rename = \"r.h\")] Right }";
    const OTHER: &str = "mod other { #[derive(KeySegment)] pub enum Side { Up } }";
    let u64 = Some(Values::Number { from: 0, to: u64::MAX.into() });
    let side = names(&["left", "r.h"]);
    for (index, (items, ty, expected)) in [
        (SIDE.to_owned(), "Side", side.clone()),
        (SIDE.to_owned(), "&'a Box<Side>", side.clone()),
        (SIDE.to_owned(), "crate::Side", side.clone()),
        (SIDE.to_owned(), "self::Side", side.clone()),
        (format!("{SIDE} {OTHER}"), "Side", side.clone()),
        (format!("{SIDE} {OTHER}"), "other::Side", names(&["up"])),
        (format!("{OTHER} use other::Side as S;"), "S", names(&["up"])),
        (format!("{OTHER} use self::other::{{Side}};"), "Side", names(&["up"])),
        (format!("{OTHER} mod re {{ pub use super::other::*; }} use re::*;"), "Side", names(&["up"])),
        // The only one of its name.
        ("m! { } mod far { #[derive(KeySegment)] pub enum Side { Far } }".to_owned(), "Side", names(&["far"])),
        (format!("mod far {{ {SIDE} }} {OTHER}"), "Side", None),
        ("type Id = u64; type Other = Id;".to_owned(), "Other", u64.clone()),
        ("#[derive(KeySegment)] struct Id(u64); #[derive(KeySegment)] struct Of(Id);".to_owned(), "Of", u64.clone()),
        ("#[derive(KeySegment)] struct Id<T>(u64, PhantomData<T>);".to_owned(), "Id<T>", None),
        ("#[derive(KeySegment)] struct Id<T>(u64, PhantomData<T>);".to_owned(), "Id<u8>", u64.clone()),
        ("#[derive(KeySegment)] struct Id<T>(T);".to_owned(), "Id<u8>", None),
        ("type A = B; type B = A;".to_owned(), "A", None),
        ("use a::A; mod a { pub use super::b::A; } mod b { pub use super::a::A; }".to_owned(), "A", None),
        ("struct Uuid;".to_owned(), "Uuid", None),
        (String::new(), "Uuid", Some(Values::Hex { digits: 32 })),
        ("use std::net::IpAddr as Ip;".to_owned(), "Ip", Some(Values::IpAddr)),
        ("#[cfg(x)] type Id = u8; #[cfg(not(x))] type Id = u16;".to_owned(), "Id", None),
        ("#[cfg(unix)] type Id = u64; #[cfg(windows)] type Id = u16;".to_owned(), "Id", u64.clone()),
        (String::new(), "T", None),
        (String::new(), "::std::primitive::u64", u64.clone()),
        (String::new(), "core::primitive::bool", names(&["false", "true"])),
        (String::new(), "::std::string::String", Some(Values::Any)),
        (String::new(), "alloc::borrow::Cow<'a, str>", Some(Values::Any)),
        (String::new(), "(u8, u8)", None),
    ]
    .into_iter()
    .enumerate()
    {
        assert_eq!(values(&format!("types-{index}"), &items, ty), expected, "{items} {ty}");
    }
}

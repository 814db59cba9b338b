//! String keys that are fields of one object, and the warning.

use super::*;
use crate::{Attribute, Encoding, Field, Item, Policy, Shape, check};

/// Returns the field that a key with these parameters may be.
fn sibling(template: &str, parameters: &[(&str, &str)]) -> Option<Sibling> {
    encoded(template, parameters, None)
}

fn encoded(template: &str, parameters: &[(&str, &str)], encoding: Option<Encoding>) -> Option<Sibling> {
    let attribute = format!("{template}, value = u64, ttl = 1h");
    let attributes: Vec<_> = encoding.iter().map(|encoding| Attribute::Arguments(encoding.name())).collect();
    let field =
        |&(name, ty): &(&str, _)| Field { name: name.to_owned(), ty, phantom: false, attributes: attributes.clone() };
    let fields = parameters.iter().map(field).collect();
    let attributes = vec![Attribute::Arguments(&attribute)];
    let item = Item { name: "Case".to_owned(), shape: Shape::Struct, documented: true, attributes, fields };
    let checked = check(&item, &Policy::default());
    assert_eq!(*checked.diagnostics, [], "{template}");
    checked.sibling
}

/// Whether two parameters, name and type each, make keys that are fields of one object.
fn alike(one: (&str, &str), other: (&str, &str)) -> bool {
    let key = |field: &str, parameter: (&str, &str)| {
        sibling(&format!("user:{{{}}}:{field}:string", parameter.0), &[parameter])
    };
    let (Some(one), Some(other)) = (key("name", one), key("age", other)) else { return false };
    assert_eq!(one.shape, other.shape);
    let earlier = |sibling: &Sibling| sibling.earlier("Earlier", "");
    let alike = one.shares_object_with(&earlier(&other));
    assert_eq!(alike, other.shares_object_with(&earlier(&one)));
    alike
}

#[test]
fn a_field_is_the_last_segment_of_a_string_key() {
    let id = [("id", "u64")];
    let found =
        |template: &str, parameters: &[_]| sibling(template, parameters).map(|found| (found.shape, found.field));
    let field = |shape: &str, field: &str| Some((shape.to_owned(), field.to_owned()));
    assert_eq!(found("user:{id}:name:string", &id), field("user:{}", "name"));
    assert_eq!(found("\" user : {id} : home.town : string \"", &id), field("user:{}", "home.town"));
    assert_eq!(found("user:{#id}:name:string", &id), field("user:{{}}", "name"));
    assert_eq!(found("user:v.{id % 10}:name:string", &id), field("user:v.{% 10}", "name"));
    let both = [("id", "u64"), ("page", "u64")];
    assert_eq!(found("user:{id}:of:{page}:name:string", &both), field("user:{}:of:{}", "name"));
    let digest = encoded("user:{id}:name:string", &id, Some(Encoding::Digest)).map(|found| found.shape);
    assert_eq!(digest.as_deref(), Some("user:{digest}"));
    for other in [
        "user:{id}:name:set",
        "user:name:{id}:string",
        "user:{id}:name:string, allow(sibling_fields, reason = \"x\")",
        // A hash has no copies.
        "user:{id}:{copy}:name:string, copies = 8",
    ] {
        assert_eq!(sibling(other, &id), None, "{other}");
    }
    assert_eq!(sibling("user:{id}:name.{page}:string", &both), None);
    assert_eq!(sibling("user:app:name:string", &[]), None);
}

#[test]
fn parameters_of_one_type_match_whatever_their_names_are() {
    for (one, other) in [
        (("id", "u64"), ("user_id", "u64")),
        (("id", "u64"), ("uid", "i32")),
        (("id", "u64"), ("owner", "u64")),
        // Both identify a user.
        (("user_id", "u64"), ("owner", "u64")),
        (("0", "u64"), ("user", "u64")),
        (("owner_id", "Uuid"), ("owner", "Uuid")),
        (("name", "String"), ("name", "&'a str")),
        (("id", "Cow<'a,str>"), ("user_id", "Box<str>")),
        (("id", "UserId"), ("id", "u64")),
        (("id", "UserId"), ("user", "UserId")),
    ] {
        assert!(alike(one, other), "{one:?} {other:?}");
    }
}

#[test]
fn parameters_of_other_types_or_for_other_things_differ() {
    for (one, other) in [
        (("name", "String"), ("id", "u64")),
        (("id", "String"), ("id", "u64")),
        (("id", "u64"), ("user_id", "UserId")),
        (("id", "UserId"), ("id_of", "TeamId")),
        (("order_id", "u64"), ("customer_id", "u64")),
        (("year", "u16"), ("month", "u16")),
        (("email", "String"), ("phone", "String")),
    ] {
        assert!(!alike(one, other), "{one:?} {other:?}");
    }
    let both = |names: [&'static str; 2], field: &str| {
        let template = format!("shop:{{{}}}:{{{}}}:{field}:string", names[0], names[1]);
        sibling(&template, &names.map(|name| (name, "u64")))
    };
    let swapped = both(["seller", "item"], "name").zip(both(["item", "seller"], "age"));
    assert_eq!(swapped.map(|(one, other)| one.shares_object_with(&other.earlier("Other", ""))), Some(false));
}

#[test]
fn the_later_key_is_reported() {
    let name = sibling("user:{id}:name:string", &[("id", "u64")]).map(|name| name.earlier("Name", "src/main.rs:4"));
    let warning = |template: &str, parameter: &str| {
        sibling(template, &[(parameter, "u64")])?
            .warning(name.as_ref()?)
            .map(|warning| (warning.message, warning.suggestion))
    };
    let expected = |message: &str, help: &str| Some((message.to_owned(), help.to_owned()));
    assert_eq!(
        warning("user:{id}:age:string", "id"),
        expected(
            "`age` is a field of the same object as `name` of `Name` at src/main.rs:4",
            "declare one key `user:{id}:…:hash` whose record has `name` and `age`"
        )
    );
    assert_eq!(
        warning("user:{user_id}:age:string", "user_id"),
        expected(
            "`age` is a field of the same object as `name` of `Name` at src/main.rs:4, where `{user_id}` is `{id}`",
            "declare one key `user:{user_id}:…:hash` whose record has `name` and `age`"
        )
    );
    // The same field is the same key, which is an error elsewhere.
    assert_eq!(warning("user:{user_id}:name:string", "user_id"), None);
}

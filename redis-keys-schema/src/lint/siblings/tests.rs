//! Which strings are fields of one object, and what is told of them.

use super::*;
use crate::{Attribute, Encoding, Field, Item, Policy, Shape, check};

/// What a key with these parameters may be a field of.
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
    let checked = check(&Item { shape: Shape::Struct, documented: true, attributes, fields }, &Policy::default());
    assert_eq!(checked.diagnostics, [], "{template}");
    checked.sibling
}

/// Whether two parameters, name and type each, make keys that are fields of one object.
fn alike(one: (&str, &str), other: (&str, &str)) -> bool {
    let key = |field: &str, parameter: (&str, &str)| {
        sibling(&format!("user:{{{}}}:{field}:string", parameter.0), &[parameter])
    };
    let (Some(one), Some(other)) = (key("name", one), key("age", other)) else { return false };
    assert_eq!(one.shape, other.shape);
    let elder = |sibling: &Sibling| sibling.elder("Elder", "");
    let alike = one.is_of_the_object_of(&elder(&other));
    assert_eq!(alike, other.is_of_the_object_of(&elder(&one)));
    alike
}

#[test]
fn a_field_stands_last_in_a_string_of_an_object() {
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
fn parameters_are_the_same_by_their_types_whatever_they_are_called() {
    for (one, other) in [
        (("id", "u64"), ("user_id", "u64")),
        (("id", "u64"), ("uid", "i32")),
        (("id", "u64"), ("owner", "u64")),
        // Of a user it is an id in any case.
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
fn parameters_of_other_types_or_of_other_things_are_others() {
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
    assert_eq!(swapped.map(|(one, other)| one.is_of_the_object_of(&other.elder("Other", ""))), Some(false));
}

#[test]
fn the_later_one_is_told() {
    let key = |template: &str, names: &[(&str, &str)], elder: Option<&Elder>| {
        let sibling = sibling(template, names)?;
        elder.and_then(|elder| sibling.warning(elder)).map(|told| told.to_string())
    };
    let elder = sibling("user:{id}:name:string", &[("id", "u64")]).map(|name| name.elder("Name", "src/main.rs:4"));
    let told = key("user:{id}:age:string", &[("id", "u64")], elder.as_ref());
    assert_eq!(
        told.as_deref(),
        Some(
            "`age` is a field of the same object as `name`, which is the key `Name` at src/main.rs:4\nhelp: declare one key \
             `user:{id}:…:hash` with a record that has `name` and `age`; or say why not: `allow(sibling_fields, reason = \
             \"…\")`\nlint: sibling_fields"
        )
    );
    let told = key("user:{user_id}:age:string", &[("user_id", "u64")], elder.as_ref()).unwrap_or_default();
    assert!(told.starts_with(
        "`age` is a field of the same object as `name`, which is the key `Name` at src/main.rs:4, where `{user_id}` is \
         called `{id}`\nhelp: declare one key `user:{user_id}:…:hash` with"
    ));
    // That is the same key.
    assert_eq!(key("user:{user_id}:name:string", &[("user_id", "u64")], elder.as_ref()), None);
}

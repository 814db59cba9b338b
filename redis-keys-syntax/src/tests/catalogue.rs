//! The catalogue has what a serialized `SCHEMA` has.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on")]

use redis_keys_schema::Policy;
use redis_keys_schema::catalogue::Json as _;
use serde_json::{Map, Value, json};
use syn::{DeriveInput, Item};

use crate::read_key;

/// The golden declarations of the runtime, and the rest of their file.
const DECLARATIONS: &str = include_str!("../../../redis-keys/src/schema/tests.rs");
const GOLDEN: &str = include_str!("../../../redis-keys/src/schema/golden.json");
const SERIALIZE: &str = include_str!("../../../redis-keys/src/schema/serialize.rs");

/// What the catalogue adds to a schema and to each of its parameters.
const ADDED: [&str; 2] = ["longest", "example"];
const ADDED_TO_PARAMETERS: [&str; 2] = ["values", "dotted"];

/// The entries of the golden declarations as JSON, by name.
fn entries() -> Vec<(String, String)> {
    let file = syn::parse_file(DECLARATIONS).unwrap();
    let structs = file.items.into_iter().filter_map(|item| match item {
        Item::Struct(item) if item.attrs.iter().any(|attribute| attribute.path().is_ident("redis_key")) => {
            Some(DeriveInput::from(item))
        }
        _ => None,
    });
    let entry = |item: DeriveInput| {
        let key = read_key(&item, &Policy::default());
        assert!(key.diagnostics.is_empty(), "{:?}", key.diagnostics);
        (item.ident.to_string(), key.entry(String::new(), 0).unwrap().to_json())
    };
    structs.map(entry).collect()
}

fn without(mut object: Map<String, Value>, names: &[&str]) -> Value {
    for name in names {
        assert!(object.remove(*name).is_some(), "{name}");
    }
    object.into()
}

#[test]
fn entries_equal_serialized_schemas() {
    let entries = entries();
    let golden: Vec<Value> = serde_json::from_str(GOLDEN).unwrap();
    assert!(golden.len() >= 9);
    for expected in golden {
        let (_, entry) = entries.iter().find(|(name, _)| expected["name"] == **name).unwrap();
        let mut entry: Map<String, Value> = serde_json::from_str(entry).unwrap();
        for parameter in entry["parameters"].as_array_mut().unwrap() {
            *parameter = without(parameter.as_object().unwrap().clone(), &ADDED_TO_PARAMETERS);
        }
        assert_eq!(without(entry, &ADDED), expected);
    }
}

#[test]
fn fields_are_in_the_order_of_the_serialized_schema() {
    let names = SERIALIZE.split("schema.serialize_field(\"").skip(1).filter_map(|rest| rest.split('"').next());
    let names: Vec<_> = names.chain(ADDED).collect();
    for (_, entry) in entries() {
        let places: Vec<_> = names.iter().map(|name| entry.find(&format!("\"{name}\":")).unwrap()).collect();
        assert!(places.is_sorted(), "{entry}");
        assert_eq!(serde_json::from_str::<Map<String, Value>>(&entry).unwrap().len(), names.len());
    }
}

#[test]
fn the_values_of_parameters_and_the_longest_key_are_known() {
    let entries = entries();
    let shown = |name: &str| -> Value {
        let (_, entry) = entries.iter().find(|(entry, _)| entry == name).unwrap();
        let entry: Value = serde_json::from_str(entry).unwrap();
        let values = entry["parameters"].as_array().unwrap().iter().map(|parameter| parameter["values"].clone());
        json!([entry["longest"], entry["example"], values.collect::<Vec<_>>()])
    };
    let to = |to: &str| json!({ "number": { "from": "0", "to": to } });
    assert_eq!(shown("Views"), json!([27, "page:seen:42:string", [to("4294967295")]]));
    let carts = json!([to("15"), "base32", { "hex": { "digits": 32 } }]);
    assert_eq!(shown("Carts"), json!([128, "cart:{15}:mzxw6:v.67e5504410b1426f9247bb680e5fe0c8:stream", carts]));
    // The module `crate::bucket` can be any.
    assert_eq!(shown("Names"), json!([128, null, [null]]));
    assert_eq!(shown("Top"), json!([16, "app:top:all:zset", []]));
    assert_eq!(shown("Hot"), json!([37, "app:hot:42:7:string", [to("18446744073709551615"), to("7")]]));
    assert_eq!(shown("Typed"), json!([128, "app:typed:mzxw6:abc:hash", ["base32", "any"]]));
}

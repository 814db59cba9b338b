//! The schema read from a declaration equals the runtime's schema.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on")]

use redis_keys_schema::Policy;
use serde_json::Value;
use syn::{DeriveInput, Item};

use crate::read_key;

/// The golden declarations of the runtime, and the rest of their file.
const DECLARATIONS: &str = include_str!("../../../redis-keys/src/schema/tests.rs");
const GOLDEN: &str = include_str!("../../../redis-keys/src/schema/golden.json");

/// The schemas of the golden declarations as JSON, by name.
fn schemas() -> Vec<(String, Value)> {
    let file = syn::parse_file(DECLARATIONS).unwrap();
    let structs = file.items.into_iter().filter_map(|item| match item {
        Item::Struct(item) if item.attrs.iter().any(|attribute| attribute.path().is_ident("redis_key")) => {
            Some(DeriveInput::from(item))
        }
        _ => None,
    });
    let schema = |item: DeriveInput| {
        let key = read_key(&item, &Policy::default());
        assert!(key.diagnostics.is_empty(), "{:?}", key.diagnostics);
        (item.ident.to_string(), serde_json::to_value(key.schema(String::new(), 0).unwrap()).unwrap())
    };
    structs.map(schema).collect()
}

#[test]
fn schemas_equal_those_of_the_runtime() {
    let schemas = schemas();
    let golden: Vec<Value> = serde_json::from_str(GOLDEN).unwrap();
    assert!(golden.len() >= 10);
    for expected in golden {
        let (_, schema) = schemas.iter().find(|(name, _)| expected["name"] == **name).unwrap();
        assert_eq!(*schema, expected);
    }
}

//! The policy file.

use redis_keys_schema::{Attribute, Field, Item, Place, Policy, Shape, check};

/// Parses the text as a policy, and checks a declaration under it.
pub fn policy(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    let (policy, errors) = Policy::parse(text);
    let listed = policy.legacy.iter().flat_map(|legacy| &legacy.keys).map(|(_, range)| range);
    for range in errors.iter().chain(&policy.misspelt).map(|error| &error.range).chain(listed) {
        assert!(text.get(range.clone()).is_some(), "{range:?} is not in {text:?}");
    }
    let attribute = "user:profile.info:{id}:string, value = String, ttl = 1h, max_bytes = 1MB, legacy = \"u{id}\"";
    let fields = vec![Field { name: "id".to_owned(), ty: "u64", phantom: false, attributes: Vec::new() }];
    let attributes = vec![Attribute::Arguments(attribute)];
    let item = Item { name: "Profile".to_owned(), shape: Shape::Struct, documented: false, attributes, fields };
    for diagnostic in check(&item, &policy).diagnostics.iter() {
        if let Place::Attribute(range) = &diagnostic.place {
            assert!(attribute.get(range.clone()).is_some(), "{diagnostic:?}");
        }
    }
}

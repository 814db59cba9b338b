//! The inputs of the tool: replies, plans and catalogues.

use cargo_redis_keys::catalog::{Catalog, Matcher};
use cargo_redis_keys::fuzz;
use redis::parse_redis_value;

/// Reads a reply with the tool and with redis-rs.
pub fn tool_reply(bytes: &[u8]) {
    if let (Ok(reply), Ok(expected)) = (fuzz::reply(bytes), parse_redis_value(bytes)) {
        assert_eq!(reply, expected);
    }
}

/// Reads a plan.
pub fn plan(bytes: &[u8]) {
    fuzz::plan(bytes);
}

/// Reads a catalogue, writes it, reads it again, and looks for the declaration of each example.
pub fn catalogue(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    let Ok(catalog) = Catalog::from_json(text) else { return };
    assert_eq!(Catalog::from_json(&catalog.to_json()).as_ref(), Ok(&catalog));
    for namespace in [None, Some("shop")] {
        let matcher = Matcher::new(&catalog, namespace);
        for key in &catalog.keys {
            let _ = matcher.find(key.template.as_bytes());
            let _ = key.example.as_ref().map(|example| matcher.find(example.as_bytes()));
        }
        let _ = matcher.find(bytes);
    }
}

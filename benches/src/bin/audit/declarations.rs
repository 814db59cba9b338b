//! Declarations of an imaginary project, and keys that they produce.

use cargo_redis_keys::catalog::Catalog;
use serde_json::{Value, json};

/// The declarations.
pub(crate) const DECLARATIONS: u32 = 2_000;

/// The number of declarations that have keys on the server.
pub(crate) const USED: u32 = 60;

/// The types of the keys, by the number of the declaration.
const TYPES: [&str; 10] = ["string", "string", "string", "hash", "string", "zset", "string", "set", "string", "list"];

/// The words of the third segment, by the number of the declaration.
const SECTIONS: [&str; 4] = ["basic.info", "orders", "payments", "v.2"];

/// The type of a declaration's keys.
pub(crate) fn kind(declaration: u32) -> &'static str {
    TYPES[declaration as usize % TYPES.len()]
}

/// The catalog of all declarations.
pub(crate) fn catalog() -> Catalog {
    let keys: Vec<Value> = (0..DECLARATIONS).map(entry).collect();
    let text = json!({ "format": 1, "keys": keys, "unread": [] }).to_string();
    Catalog::from_json(&text).expect("the catalogue is valid")
}

/// A key of a declaration.
pub(crate) fn key(declaration: u32, id: u64) -> String {
    let kind = kind(declaration);
    let prefix = prefix(declaration);
    match declaration % 5 {
        0 => format!("{prefix}:{id}:{kind}"),
        1 => format!("{prefix}:{id:032x}:{kind}"),
        2 => format!("{prefix}:{}:{}:{kind}", SECTIONS[(id % 4) as usize], id / 4),
        3 => format!("{prefix}:{}:202611{:02}:{kind}", id, id % 28 + 1),
        _ => format!("{prefix}:v.{}:{id}:{kind}", id % 16),
    }
}

/// A key that no declaration produces.
pub(crate) fn unknown_key(id: u64) -> String {
    format!("old:{}:{id}", ["Import", "tmp_data", "x"][(id % 3) as usize])
}

fn prefix(declaration: u32) -> String {
    format!("module{}:logic.n{declaration}", declaration % 40)
}

fn entry(declaration: u32) -> Value {
    let kind = kind(declaration);
    let number = json!({ "number": { "from": "0", "to": u64::MAX.to_string() } });
    let id = ("id", "u64", "plain", number);
    let (text, parameters) = match declaration % 5 {
        0 => ("{id}", vec![id]),
        1 => ("{token}", vec![("token", "String", "digest", json!({ "hex": { "digits": 32 } }))]),
        2 => ("{section}:{id}", vec![("section", "Section", "plain", json!({ "one_of": SECTIONS })), id]),
        3 => ("{id}:{day}", vec![id, ("day", "Day", "plain", json!("days"))]),
        _ => {
            let shard = json!({ "number": { "from": "0", "to": "15" } });
            ("v.{shard}:{id}", vec![("shard", "u64", "shard", shard), id])
        }
    };
    let parameters: Vec<Value> = parameters.into_iter().map(parameter).collect();
    let (template, is_string) = (format!("{}:{text}:{kind}", prefix(declaration)), kind == "string");
    json!({
        "name": format!("Key{declaration}"), "template": template, "type": kind, "parameters": parameters,
        "ttl_ms": 3_600_000, "jitter_ms": 300_000, "ttl_from_end_of": null, "renew": null, "renew_below_ms": null,
        "pattern": null, "null_ttl_ms": null, "lease_ms": null, "refresh_percent": null, "limit": null,
        "limit_per_ms": null, "burst": null, "tries": null, "value": "String", "field": null,
        "max_bytes": is_string.then_some(10_240), "max_len": (!is_string).then_some(5_000),
        "max_member_bytes": (!is_string).then_some(4_096), "keep_last": null, "keep_about": false, "keep_top": null,
        "max_key_bytes": 128, "reason": null, "owner": null, "docs": null, "allowed": [], "file": "src/lib.rs",
        "line": declaration, "longest": 128, "example": null, "package": "shop", "target": "lib:shop", "module": "",
        "condition": null, "made_by": null,
    })
}

fn parameter((name, ty, form, values): (&str, &str, &str, Value)) -> Value {
    let dotted = name == "section";
    json!({
        "name": name, "type": ty, "hash_tag": false, "form": form, "values": values, "dotted": dotted,
        "shards": (form == "shard").then_some(16), "copies": null,
    })
}

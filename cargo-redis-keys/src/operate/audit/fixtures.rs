//! Declarations and keys for tests.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on")]

use std::time::Duration;

use serde_json::{Value, json};

use super::Node;
use super::tally::Tally;
use crate::declare::catalog::{Catalog, Key};
use crate::declare::redis_type::RedisType;
use crate::operate::server::facts::Facts;
use crate::operate::server::scan::{Expiry, FirstLook, SecondLook};
use crate::operate::server::schemas::Schemas;

/// A declaration with the fields of a catalog that differ from the defaults. All parameters are numbers but those
/// with `name` in their name.
pub(crate) fn key(name: &str, template: &str, changed: &Value) -> Key {
    let kind = template.rsplit(':').next().unwrap();
    let is_collection = !["string", "bitmap", "hyperloglog"].contains(&kind);
    let is_string = ["string", "bitmap"].contains(&kind);
    let parameters: Vec<_> = template
        .split(['{', '}'])
        .skip(1)
        .step_by(2)
        .map(|text| {
            let name = text.trim_start_matches('#');
            let values = if name.contains("name") { json!("any") } else { json!({"number": {"from": "0", "to": "18446744073709551615"}}) };
            json!({"name": name, "type": "u64", "hash_tag": text.starts_with('#'), "form": "plain", "shards": null, "copies": null, "slug_bytes": null, "values": values, "dotted": false})
        })
        .collect();
    let mut fields = json!({
        "name": name, "template": template, "type": kind, "parameters": parameters,
        "ttl_ms": 3_600_000, "jitter_ms": 300_000, "ttl_from_end_of": null, "renew": null, "renew_below_ms": null,
        "pattern": null, "null_ttl_ms": null, "lease_ms": null, "refresh_percent": null, "limit": null, "limit_per_ms": null,
        "burst": null, "tries": null, "value": "String", "field": null,
        "max_bytes": is_string.then_some(10_240), "max_len": is_collection.then_some(5_000),
        "max_member_bytes": is_collection.then_some(4_096), "keep_last": null, "keep_about": false, "keep_top": null,
        "max_key_bytes": 128, "reason": null, "rebuild": null, "owner": null, "docs": null, "allowed": [], "file": "src/keys.rs", "line": 1,
        "longest": 128, "example": null, "package": "shop", "target": "lib:shop", "module": "keys", "condition": null, "made_by": null,
    });
    for (field, value) in changed.as_object().unwrap() {
        fields[field] = value.clone();
    }
    serde_json::from_value(fields).unwrap()
}

/// These declarations.
pub(crate) fn schemas(keys: Vec<Key>) -> Schemas {
    Schemas::new(Catalog::new(keys, Vec::new()), None)
}

/// A shop's declarations, with a key of each type.
pub(crate) fn shop() -> Schemas {
    schemas(vec![
        key("Profile", "user:profile:{id}:string", &json!({"max_bytes": 20_480})),
        key(
            "Kept",
            "user:kept:{id}:string",
            &json!({"ttl_ms": null, "jitter_ms": 0, "reason": "the books", "rebuild": "from the books"}),
        ),
        key("Cart", "cart:items:{id}:hash", &json!({"max_len": 100})),
        key("Recent", "shop:recent:{id}:list", &json!({"max_len": null, "keep_last": 100})),
        key("Tags", "shop:tags:{id}:set", &json!({})),
        key("Ranking", "game:ranking:{id}:zset", &json!({"max_len": null, "keep_top": 1_000})),
        key("Events", "shop:events:{id}:stream", &json!({"max_len": null, "keep_last": 1_000, "keep_about": true})),
        key("Days", "user:days:{id}:bitmap", &json!({})),
        key("Visitors", "page:visitors:{id}:hyperloglog", &json!({})),
        key("Near", "shop:near:{id}:geo", &json!({})),
        key("Tasks", "user:tasks:{id}:{month}:set", &json!({"ttl_ms": 864_000_000, "ttl_from_end_of": "month"})),
        key(
            "Held",
            "lock:order:{id}:string",
            &json!({"pattern": "lock", "max_bytes": null, "ttl_ms": 30_000, "jitter_ms": 0}),
        ),
        key("Mails", "queue:mail:{id}:zset", &json!({"pattern": "jobs", "lease_ms": 60_000, "tries": 5})),
    ])
}

/// A server with good default settings.
pub(super) fn facts() -> Facts {
    let limit = |name: &str, limit| (name.to_owned(), limit);
    Facts {
        address: "127.0.0.1:6379".to_owned(),
        version: "valkey 9.1.0".to_owned(),
        run_id: "4af2".to_owned(),
        keys: 5,
        database: 0,
        databases: vec![(0, 5)],
        used_memory: 2_000_000,
        maxmemory: Some(100_000_000),
        maxmemory_policy: Some("noeviction".to_owned()),
        lazy_expire: Some(true),
        compact_limits: vec![
            limit("hash-max-listpack-entries", 128),
            limit("set-max-listpack-entries", 128),
            limit("zset-max-listpack-entries", 128),
        ],
        not_checked: Vec::new(),
    }
}

/// A key on a server.
#[derive(Clone, Debug)]
pub(super) struct StoredKey {
    pub(super) key: Vec<u8>,
    pub(super) redis_type: RedisType,
    pub(super) expiry: Expiry,
    pub(super) memory: Option<u64>,
    pub(super) second: SecondLook,
}

/// A key of 100 bytes that expires in a minute and breaks no limit.
pub(super) fn stored(key: impl AsRef<[u8]>, redis_type: RedisType) -> StoredKey {
    let key = key.as_ref().to_vec();
    let second = SecondLook {
        length: Some(5),
        encoding: Some("listpack".to_owned()),
        largest_member: Some(10),
        ..SecondLook::default()
    };
    StoredKey { key, redis_type, expiry: Expiry::In(60_000), memory: Some(100), second }
}

impl StoredKey {
    pub(super) fn look(&self, schemas: &Schemas) -> FirstLook<'_> {
        let Self { ref key, redis_type, expiry, memory, .. } = *self;
        FirstLook { key, declaration: schemas.matcher.find(key), redis_type, expiry, memory }
    }

    pub(super) fn memory(self, memory: u64) -> Self {
        Self { memory: Some(memory), ..self }
    }

    pub(super) fn expires(self, expiry: Expiry) -> Self {
        Self { expiry, ..self }
    }

    pub(super) fn second(mut self, change: impl FnOnce(&mut SecondLook)) -> Self {
        change(&mut self.second);
        self
    }
}

/// Counts keys as an audit does.
pub(super) fn tally(schemas: &Schemas, keys: &[StoredKey]) -> Tally {
    let mut tally = Tally::new(&facts());
    for stored in keys {
        let look = stored.look(schemas);
        if tally.first_look(schemas, &look) {
            tally.second_look(schemas, &look, &stored.second);
        }
    }
    tally
}

/// A node that was read in a second.
pub(super) fn node(facts: Facts, counts: Tally) -> Node {
    let took = Duration::from_secs(1);
    let moved_slots = Vec::new();
    Node {
        facts,
        counts,
        refused_keys: 0,
        moved_keys: 0,
        long_names: 0,
        moved_slots,
        took,
        hot_keys: None,
        excess: None,
    }
}

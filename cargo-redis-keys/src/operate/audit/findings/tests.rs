//! Findings about servers, and what is shown of keys in base32.

use serde_json::json;

use super::{decoded, findings_of};
use crate::declare::redis_type::RedisType;
use crate::operate::audit::Node;
use crate::operate::audit::fixtures::{facts, key, node, schemas, shop, stored, tally};
use crate::operate::audit::tally::Tally;
use crate::operate::masking::Masking;
use crate::operate::server::facts::Facts;
use crate::operate::server::scan::Expiry;
use crate::operate::server::schemas::Schemas;
use crate::render::KeyText;

/// The findings of these nodes, as `level id subject: detail`.
fn found(schemas: &Schemas, nodes: &[Node]) -> Vec<String> {
    let mut whole = Tally::default();
    for node in nodes {
        whole.merge(node.counts.clone());
    }
    let findings = findings_of(schemas, nodes, &whole, &Masking::new(true, &schemas.catalog, &[]));
    let shown = findings.iter().map(|finding| {
        format!("{} {} {}: {}", finding.level.name(), finding.code.name(), finding.subject.shown(), finding.message)
    });
    shown.collect()
}

fn of_server(schemas: &Schemas, facts: Facts) -> Vec<String> {
    found(schemas, &[node(facts, Tally::default())])
}

#[test]
fn faults_of_a_server() {
    let shop = shop();
    let no_lfu = "note no_lfu 127.0.0.1:6379: `maxmemory-policy` is `noeviction`";
    assert_eq!(of_server(&shop, facts()), [no_lfu]);
    let wrong = Facts {
        keys: 10_000_001,
        maxmemory: Some(0),
        maxmemory_policy: Some("allkeys-lfu".to_owned()),
        lazy_expire: Some(false),
        ..facts()
    };
    assert_eq!(
        of_server(&shop, wrong),
        [
            "warning too_many_keys 127.0.0.1:6379: 10,000,001 keys",
            "warning no_maxmemory 127.0.0.1:6379: `maxmemory` is 0, and 1.9 MB are in use",
            "warning lazy_expire_off 127.0.0.1:6379: `lazyfree-lazy-expire` is `no`",
        ]
    );
    let many = Facts { keys: 10_000_000, ..facts() };
    assert_eq!(of_server(&shop, many), [no_lfu]);
    let refused = Facts { maxmemory: None, maxmemory_policy: None, lazy_expire: None, ..facts() };
    assert_eq!(of_server(&shop, refused), [""; 0]);
}

#[test]
fn a_policy_must_fit_the_keys() {
    let with = |policy: &str| Facts { maxmemory_policy: Some(policy.to_owned()), ..facts() };
    assert_eq!(
        of_server(&shop(), with("allkeys-lfu")),
        ["warning eviction_policy 127.0.0.1:6379: `allkeys-lfu` can evict locks, limits and jobs: `Held`, `Mails`"]
    );
    let cached = schemas(vec![key(
        "Page",
        "page:text:{id}:string",
        &json!({"pattern": "cache", "null_ttl_ms": 60_000, "lease_ms": 10_000}),
    )]);
    assert_eq!(
        of_server(&cached, with("noeviction"))[0],
        "warning eviction_policy 127.0.0.1:6379: `noeviction` rejects writes of cached keys when memory is full: `Page`"
    );
    assert_eq!(of_server(&cached, with("allkeys-lfu")), [""; 0]);
    let stock = schemas(vec![key("Stock", "shop:stock:{id}:string", &json!({"ttl_ms": null, "jitter_ms": 0}))]);
    assert_eq!(
        of_server(&stock, with("allkeys-lfu")),
        ["warning eviction_policy 127.0.0.1:6379: `allkeys-lfu` can evict keys that never expire: `Stock`"]
    );
    assert!(of_server(&stock, with("volatile-lfu")).iter().all(|line| !line.contains("eviction_policy")));
    // A lock must not be evicted, so no other policy fits both.
    let with_lock = [cached.catalog.keys.clone(), shop().catalog.keys].concat();
    assert!(of_server(&schemas(with_lock), with("noeviction")).iter().all(|line| !line.contains("eviction_policy")));
    let unlimited = Facts { maxmemory: Some(0), ..with("noeviction") };
    assert!(of_server(&cached, unlimited).iter().all(|line| !line.contains("eviction_policy")));
}

#[test]
fn an_expired_value_that_may_be_needed_is_no_finding() {
    let cached = json!({"pattern": "cache", "null_ttl_ms": 60_000, "lease_ms": 10_000, "stale_ms": 86_400_000});
    let schemas = schemas(vec![key("Page", "page:text:{id}:string", &cached)]);
    let expires = |expiry| vec![stored("page:text:1:string", RedisType::String).expires(expiry)];
    let found = |expiry| {
        let found = found(&schemas, &[node(facts(), tally(&schemas, &expires(expiry)))]);
        found.into_iter().filter(|line| line.contains("expiry")).collect::<Vec<_>>()
    };
    let most = 3_600_000 + 300_000 + 86_400_000;
    assert_eq!(found(Expiry::In(most)), [""; 0]);
    assert_eq!(
        found(Expiry::In(most + 1)),
        [
            "warning long_expiry page:text:{id}:string: with a ttl of 1h, jitter and `stale` of 1d they live for 1d1h at most"
        ]
    );
    assert_eq!(found(Expiry::Never), ["error no_expiry page:text:{id}:string: the declared ttl is 1h, stale 1d"]);
}

#[test]
fn cold_data_is_found_by_its_share() {
    let schemas = schemas(vec![key("Report", "report:pdf:{id}:string", &json!({}))]);
    let days = |days: u64| Some(days * 86_400);
    let report = |id: u32, memory: u64, idle: Option<u64>| {
        let name = format!("report:pdf:{id}:string");
        stored(name, RedisType::String).memory(memory).second(|second| second.idle = idle)
    };
    let cold = |reports: &[(u64, Option<u64>)]| -> Vec<_> {
        let keys: Vec<_> = (1..).zip(reports).map(|(id, (memory, idle))| report(id, *memory, *idle)).collect();
        found(&schemas, &[node(facts(), tally(&schemas, &keys))])
            .into_iter()
            .filter(|line| line.contains("cold"))
            .collect()
    };
    assert_eq!(
        cold(&[(600, days(30)), (400, days(29)), (5_000, None)]),
        [
            "note cold_data report:pdf:{id}:string: 60% of 1,000 B not used for 30 days, of the 2 keys that were looked at"
        ]
    );
    assert_eq!(cold(&[(499, days(300)), (501, days(29))]), [""; 0]);
    assert_eq!(cold(&[(600, None)]), [""; 0]);
    // The sizes are not known if the server refuses `MEMORY USAGE`.
    assert_eq!(cold(&[(0, days(300))]), [""; 0]);
}

#[test]
fn a_server_has_one_purpose() {
    let cache = json!({"pattern": "cache", "null_ttl_ms": 60_000, "lease_ms": 10_000, "owner": "web"});
    let never = json!({"ttl_ms": null, "rebuild": "reload", "owner": "stock"});
    let schemas = schemas(vec![
        key("Page", "page:text:{id}:string", &cache),
        key("Stock", "shop:stock:{id}:string", &never),
        key("Free", "app:free:{id}:string", &json!({})),
    ]);
    let keys = |names: &[&str]| -> Vec<_> {
        let all = names.iter().map(|name| stored(*name, RedisType::String));
        all.map(|key| if key.key.starts_with(b"shop") { key.expires(Expiry::Never) } else { key }).collect()
    };
    let mixed = |policy: &str, servers: &[&[&str]]| -> Vec<_> {
        let node = |(port, names): (u32, &&[&str])| {
            let address = format!("127.0.0.1:{port}");
            let facts = Facts { address, maxmemory_policy: Some(policy.to_owned()), ..facts() };
            node(facts, tally(&schemas, &keys(names)))
        };
        let nodes: Vec<_> = (7_000..).zip(servers).map(node).collect();
        found(&schemas, &nodes).into_iter().filter(|line| line.contains("mixed_use")).collect()
    };
    let (page, stock, free) = ("page:text:1:string", "shop:stock:1:string", "app:free:1:string");
    let owners = "warning mixed_use 127.0.0.1:7000: it has keys of `stock` (1 key), `web` (1 key)";
    let evicted = "`allkeys-lfu` can evict what never expires (`Stock`) for what is cached (`Page`)";
    assert_eq!(mixed("noeviction", &[&[page, stock, free]]), [owners]);
    assert_eq!(mixed("volatile-lfu", &[&[page, stock]]), [owners]);
    assert_eq!(mixed("allkeys-lfu", &[&[page, stock]]), [format!("{owners}; {evicted}")]);
    assert_eq!(mixed("allkeys-lfu", &[&[page, free], &[stock]]), [""; 0]);
    let both = &[page, stock][..];
    assert_eq!(
        mixed("noeviction", &[both, both, &[free]]),
        ["warning mixed_use several servers: it has keys of `stock` (1 key), `web` (1 key), on 2 of 3 servers"]
    );
}

#[test]
fn missing_counts_of_uses_are_one_note_for_all_servers() {
    let shop = shop();
    let cluster = |policies: [&str; 3]| -> Vec<_> {
        let facts = |(port, policy): (u32, &str)| Facts {
            address: format!("127.0.0.1:{port}"),
            maxmemory: Some(0),
            maxmemory_policy: Some(policy.to_owned()),
            ..facts()
        };
        let nodes: Vec<_> = (7_000..).zip(policies).map(|one| node(facts(one), Tally::default())).collect();
        found(&shop, &nodes).into_iter().filter(|line| line.contains("no_lfu")).collect()
    };
    assert_eq!(
        cluster(["noeviction"; 3]),
        ["note no_lfu several servers: `maxmemory-policy` is `noeviction`, on 3 of 3 servers"]
    );
    assert_eq!(
        cluster(["noeviction", "allkeys-lfu", "volatile-lru"]),
        ["note no_lfu several servers: `maxmemory-policy` is not LFU, on 2 of 3 servers"]
    );
    assert_eq!(
        cluster(["allkeys-lfu", "volatile-lfu", "allkeys-lru"]),
        ["note no_lfu 127.0.0.1:7002: `maxmemory-policy` is `allkeys-lru`"]
    );
    assert_eq!(cluster(["allkeys-lfu"; 3]), [""; 0]);
}

#[test]
fn without_declarations_unknown_keys_are_no_finding() {
    let none = schemas(Vec::new());
    let keys = [stored("user:a:string", RedisType::String)];
    let no_policy = Facts { maxmemory_policy: None, ..facts() };
    assert_eq!(found(&none, &[node(no_policy, tally(&none, &keys))]), [""; 0]);
}

#[test]
fn base32_is_shown_decoded() {
    let parameters = json!([
        {"name": "shop", "type": "u64", "hash_tag": false, "form": "plain", "shards": null, "copies": null, "slug_bytes": null, "values": null, "dotted": false},
        {"name": "path", "type": "String", "hash_tag": false, "form": "base32", "shards": null, "copies": null, "slug_bytes": null, "values": "base32", "dotted": false},
    ]);
    let schemas = schemas(vec![
        key("Files", "file:owner:{shop}:{path}:string", &json!({ "parameters": parameters })),
        key("Names", "user:name:{id}:string", &json!({})),
    ]);
    let [files, names] = schemas.catalog.keys.as_slice() else { unreachable!("two were given") };
    let shown = |key, text: &str| decoded(key, &schemas, &KeyText::new(text.as_bytes()));
    assert_eq!(shown(files, "file:owner:7:f5asayq:string").as_deref(), Some("`path` is `/A b`"));
    assert_eq!(shown(files, "file:owner:7:F5:string"), None);
    assert_eq!(shown(files, &format!("file:owner:7:{}:string", "a".repeat(5_000))), None);
    assert_eq!(shown(names, "user:name:42:string"), None);
}

//! Findings about servers, and how keys are spread over a cluster.

use serde_json::json;

use super::findings_of;
use crate::audit::Node;
use crate::audit::fixtures::{Stored, facts, key, node, schemas, shop, stored, tally};
use crate::audit::tally::Tally;
use crate::server::facts::Facts;
use crate::server::redis_type::RedisType;
use crate::server::schemas::Schemas;

/// The findings of these nodes, as `level id subject: detail`.
fn found(schemas: &Schemas, nodes: &[Node]) -> Vec<String> {
    let mut whole = Tally::default();
    for node in nodes {
        whole.merge(node.counts.clone());
    }
    let findings = findings_of(schemas, nodes, &whole);
    let shown = findings.iter().map(|finding| {
        format!("{} {} {}: {}", finding.level.name(), finding.id.name(), finding.subject.shown(), finding.detail)
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
    // A lock must not be evicted, so no other policy fits both.
    let with_lock = [cached.catalog.keys.clone(), shop().catalog.keys].concat();
    assert!(of_server(&schemas(with_lock), with("noeviction")).iter().all(|line| !line.contains("eviction_policy")));
    let unlimited = Facts { maxmemory: Some(0), ..with("noeviction") };
    assert!(of_server(&cached, unlimited).iter().all(|line| !line.contains("eviction_policy")));
}

#[test]
fn keys_in_one_slot_and_on_one_node() {
    let shop = shop();
    let lfu = |port: u32| Facts {
        address: format!("127.0.0.1:{port}"),
        maxmemory_policy: Some("volatile-lfu".to_owned()),
        ..facts()
    };
    let shop = schemas(shop.catalog.keys.into_iter().filter(|key| key.role.is_none()).collect());
    let keys = |slots: std::ops::Range<u16>, tagged: usize| -> Vec<Stored> {
        let spread = slots.cycle().take(4_000).chain(std::iter::repeat_n(7, tagged));
        let all = spread.enumerate().map(|(number, slot)| {
            let key = format!("user:profile:{number}:string");
            Stored { slot: Some(slot), ..stored(key, RedisType::String) }
        });
        all.collect()
    };
    let cluster = |tagged: usize| -> Vec<Node> {
        let parts = [(0..5_000, tagged), (5_000..10_000, 0), (10_000..16_384, 0)];
        let nodes = parts.into_iter().zip(7_000..);
        nodes.map(|((slots, tagged), port)| node(lfu(port), tally(&shop, &keys(slots, tagged)))).collect()
    };
    assert_eq!(found(&shop, &cluster(500)), [""; 0]);
    assert_eq!(
        found(&shop, &cluster(6_000)),
        [
            "warning slot_skew 127.0.0.1:7000: it has 56% of the memory of all keys, and is one of 3 nodes",
            "warning slot_skew the cluster: slot 7 has 33% of the keys and 33% of their memory",
        ]
    );
}

#[test]
fn the_limits_of_skew_belong_to_what_is_allowed() {
    let none = schemas(Vec::new());
    let lfu = Facts { maxmemory_policy: Some("volatile-lfu".to_owned()), ..facts() };
    // Nodes with so many keys of 100 bytes, of which some on the first are in one slot.
    let skew = |counts: [usize; 3], tagged: usize| {
        let nodes = counts.map(|count| {
            let keys = (0..count).zip((1_000..16_384).cycle()).map(|(number, slot)| {
                let is_tagged = count == counts[0] && number < tagged;
                let key = stored(format!("user:profile:{number}:string"), RedisType::String);
                Stored { slot: Some(if is_tagged { 7 } else { slot }), ..key }
            });
            node(lfu.clone(), tally(&none, &keys.collect::<Vec<_>>()))
        });
        found(&none, &nodes).iter().filter(|line| line.contains("slot_skew")).count()
    };
    assert_eq!(skew([5_000, 2_500, 2_500], 500), 0);
    assert_eq!(skew([5_001, 2_500, 2_499], 500), 1);
    assert_eq!(skew([5_000, 2_500, 2_500], 501), 1);
    // With fewer keys, it does not matter how they are spread.
    assert_eq!(skew([9_998, 1, 0], 9_000), 0);
}

#[test]
fn without_declarations_unknown_keys_are_no_finding() {
    let none = schemas(Vec::new());
    let keys = [stored("user:a:string", RedisType::String)];
    let no_policy = Facts { maxmemory_policy: None, ..facts() };
    assert_eq!(found(&none, &[node(no_policy, tally(&none, &keys))]), [""; 0]);
}

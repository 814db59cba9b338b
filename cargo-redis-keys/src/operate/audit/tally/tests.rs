//! Tallies: planted faults are found and none is invented, parts are merged, and memory is bounded.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on")]

use std::fmt::Write as _;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use redis_keys_schema::Policy;
use serde_json::json;

use super::*;
use crate::declare::catalog::Foreign;
use crate::declare::redis_type::RedisType::{Hash, List, Set, Stream, String, ZSet};
use crate::operate::audit::fixtures::{StoredKey, facts, key, schemas, shop, stored, tally};
use crate::operate::server::foreign::ForeignKeys;

/// All that is wrong, as `subject id count`.
fn found(schemas: &Schemas, tally: &Tally) -> Vec<std::string::String> {
    let declared = schemas.catalog.keys.iter().enumerate();
    let declared = declared.filter_map(|(number, key)| Some((key.name.as_str(), tally.declared(number)?)));
    let all = declared.chain([("unknown", tally.unknown())]);
    let mut lines: Vec<_> = all
        .flat_map(|(name, counts)| {
            counts.findings().map(move |(id, evidence)| format!("{name} {} {}", id.name(), evidence.count))
        })
        .collect();
    lines.sort();
    lines
}

/// The month that is a number of months from now, as in keys.
fn month(ahead: u64) -> std::string::String {
    let days = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs() / 86_400;
    let months = days * 400 * 12 / 146_097 + ahead;
    format!("{:04}{:02}", 1970 + months / 12, months % 12 + 1)
}

/// Keys of every declaration at the limits of what is allowed.
fn good() -> Vec<StoredKey> {
    let day = 86_400_000;
    vec![
        stored("user:profile:1:string", String).memory(20_600).second(|second| second.length = Some(20_480)),
        stored("user:profile:2:string", String).expires(Expiry::In(3_900_000)),
        stored("user:profile:3:string", String).second(|second| second.frequency = Some(HOT - 1)),
        stored("user:kept:1:string", String).expires(Expiry::Never),
        stored("user:kept:2:string", String).expires(Expiry::In(u64::MAX)),
        stored("cart:items:1:hash", Hash).memory(500_000).second(|second| {
            second.length = Some(100);
            second.largest_member = Some(4_096);
        }),
        stored("shop:recent:1:list", List).memory(9_000).second(|second| {
            second.length = Some(100);
            second.encoding = Some("quicklist".to_owned());
        }),
        stored("shop:tags:1:set", Set).second(|second| second.encoding = Some("intset".to_owned())),
        stored("shop:tags:2:set", Set).memory(99_000).second(|second| {
            second.length = Some(5_000);
            second.encoding = Some("hashtable".to_owned());
        }),
        stored("shop:tags:3:set", Set).memory(4_000).second(|second| {
            second.length = Some(129);
            second.encoding = Some("hashtable".to_owned());
        }),
        stored("game:ranking:1:zset", ZSet).memory(99_000).second(|second| second.length = Some(1_000)),
        stored("shop:events:1:stream", Stream).memory(99_000).second(|second| second.length = Some(1_100)),
        stored("user:days:1:bitmap", String).memory(10_300).second(|second| second.length = Some(10_240)),
        stored("page:visitors:1:hyperloglog", String).memory(14_000).second(|second| {
            second.length = Some(12_304);
            second.is_hyperloglog = Some(true);
        }),
        stored("shop:near:1:geo", ZSet),
        stored(format!("user:tasks:1:{}:set", month(0)), Set).expires(Expiry::In(10 * day)),
        // Written months before.
        stored(format!("user:tasks:1:{}:set", month(6)), Set).expires(Expiry::In(180 * day)),
        stored("lock:order:1:string", String).expires(Expiry::In(30_000)),
        stored("queue:mail:1:zset", ZSet).memory(99_000).second(|second| second.largest_member = Some(4_120)),
    ]
}

#[test]
fn keys_as_declared_have_no_findings() {
    let shop = shop();
    assert_eq!(found(&shop, &tally(&shop, &good())), [""; 0]);
}

/// The keys of other programs are neither unknown nor measured.
#[test]
fn keys_of_other_programs_are_counted_by_program() {
    let (policy, _) = Policy::parse("[foreign]\nsystems = [\"bullmq\"]\npatterns = [\"user:*\"]");
    let shop = shop().with_foreign(ForeignKeys::of(&Foreign::of(&[policy.into()])));
    let keys = [
        stored("bull:mails:id", String).expires(Expiry::Never),
        stored("bull:mails:1", Hash).memory(999_999).second(|second| second.length = Some(9_999)),
        stored("user:legacy", Set),
        // A declaration comes first.
        stored("user:profile:1:string", String),
        stored("bulls", String),
    ];
    let tally = tally(&shop, &keys);
    assert_eq!(found(&shop, &tally), ["unknown bad_name 1", "unknown unknown_key 1"]);
    let foreign: Vec<_> = tally.foreign().map(|(name, counts)| (name, counts.keys, counts.without_expiry)).collect();
    assert_eq!(foreign, [("bullmq", 2, 1), ("user:*", 1, 0)]);
    let findings: Vec<_> = tally.foreign().flat_map(|(_, counts)| counts.findings().map(|(id, _)| id)).collect();
    assert_eq!(findings, [FindingId::ForeignNoExpiry]);
    assert_eq!(tally.total().0, 5);
    let mut twice = tally.clone();
    twice.merge(tally);
    assert_eq!(twice.foreign().map(|(_, counts)| counts.keys).collect::<Vec<_>>(), [4, 2]);
}

#[test]
fn each_planted_fault_is_found_once() {
    let shop = shop();
    let mut keys = good();
    let day = 86_400_000;
    let is_hashtable = |second: &mut SecondLook| second.encoding = Some("hashtable".to_owned());
    keys.extend([
        stored("user:profile:11:string", String).memory(20_600).second(|second| second.length = Some(20_481)),
        stored("user:profile:12:string", List),
        stored("user:profile:13:string", String).expires(Expiry::Never),
        stored("user:profile:14:string", String).expires(Expiry::In(3_900_001)),
        stored("user:profile:15:string", String).second(|second| second.frequency = Some(HOT)),
        stored("cart:items:11:hash", Hash).memory(300).second(|second| second.length = Some(101)),
        stored("cart:items:12:hash", Hash).memory(5_000).second(|second| second.largest_member = Some(4_097)),
        stored("cart:items:13:hash", Hash).second(is_hashtable),
        stored("shop:tags:11:set", Set).memory(4_000).second(|second| {
            second.length = Some(128);
            second.encoding = Some("hashtable".to_owned());
        }),
        stored("shop:recent:11:list", List).memory(90).second(|second| second.length = Some(101)),
        stored("game:ranking:11:zset", ZSet).memory(9_000).second(|second| second.length = Some(1_001)),
        stored("shop:events:11:stream", Stream).memory(9_000).second(|second| second.length = Some(1_101)),
        stored("user:days:11:bitmap", Hash),
        stored("user:days:12:bitmap", String).memory(10_300).second(|second| second.length = Some(10_241)),
        stored("page:visitors:11:hyperloglog", String).second(|second| second.is_hyperloglog = Some(false)),
        stored("shop:near:11:geo", Set),
        stored(format!("user:tasks:11:{}:set", month(0)), Set).expires(Expiry::In(42 * day)),
        stored("queue:mail:11:zset", ZSet).memory(5_000).second(|second| second.largest_member = Some(4_121)),
    ]);
    assert_eq!(
        found(&shop, &tally(&shop, &keys)),
        [
            "Cart big_collection 1",
            "Cart big_member 1",
            "Cart left_compact_encoding 1",
            "Days big_value 1",
            "Days wrong_type 1",
            "Events big_collection 1",
            "Mails big_member 1",
            "Near wrong_type 1",
            "Profile big_value 1",
            "Profile hot_key 1",
            "Profile long_expiry 1",
            "Profile no_expiry 1",
            "Profile wrong_type 1",
            "Ranking big_collection 1",
            "Recent big_collection 1",
            "Tags left_compact_encoding 1",
            "Tasks long_expiry 1",
            "Visitors wrong_type 1",
        ]
    );
}

#[test]
fn unknown_keys_have_default_limits() {
    let shop = shop();
    let keys = [
        stored("other:thing:1:string", String).memory(10_300).second(|second| second.length = Some(10_240)),
        stored("other:thing:2:string", String).expires(Expiry::In(u64::MAX)),
        stored("other:log:1:stream", Stream).memory(9_000_000).second(|second| second.length = Some(1_000_000)),
        stored("other:thing:3:string", Hash),
        stored("Legacy_1", String).memory(10_300).second(|second| second.length = Some(10_241)),
        stored("other:list:1:list", List).second(|second| second.length = Some(5_001)),
        stored("other:set:1:set", Set).memory(5_000).second(|second| second.largest_member = Some(4_097)),
        stored("other:never:1:set", Set).expires(Expiry::Never),
    ];
    assert_eq!(
        found(&shop, &tally(&shop, &keys)),
        [
            "unknown bad_name 1",
            "unknown big_collection 1",
            "unknown big_member 1",
            "unknown big_value 1",
            "unknown no_expiry 1",
            "unknown unknown_key 8",
            "unknown wrong_type 1",
        ]
    );
}

#[test]
fn only_suspects_get_a_second_look() {
    let shop = shop();
    let mut tally = Tally::new(&facts());
    let mut needs = |stored: &StoredKey| tally.first_look(&shop, &stored.look(&shop));
    // The first of each declaration, and the largest of all.
    for number in 0..30 {
        needs(&stored(format!("user:profile:{number}:string"), String).memory(1_000_000));
        for name in ["cart:items:N:hash", "shop:tags:N:set", "page:visitors:N:hyperloglog", "shop:recent:N:list", "n:N"]
        {
            needs(&stored(
                name.replace('N', &number.to_string()),
                if name.starts_with("shop:tags") { Set } else { String },
            ));
        }
    }
    for (stored, expected) in [
        (stored("user:profile:90:string", String).memory(20_480), false),
        (stored("user:profile:91:string", String).memory(20_481), true),
        (stored("user:profile:92:string", String).memory(2_000_000), true),
        (stored("cart:items:90:hash", Hash).memory(201), false),
        (stored("cart:items:91:hash", Hash).memory(202), true),
        (stored("shop:tags:90:set", Set).memory(4_096), false),
        (stored("shop:tags:91:set", Set).memory(4_097), true),
        // The memory of a short list is exact.
        (stored("shop:recent:90:list", List).memory(202), true),
        (stored("shop:recent:91:list", List).memory(201), false),
        (stored("n:list:90", List).memory(255), false),
        (stored("n:list:91", List).memory(256), true),
        (stored("page:visitors:90:hyperloglog", String).memory(70), true),
        (stored("n:90", String).memory(10_240), false),
        (stored("n:91", String).memory(10_241), true),
        (StoredKey { memory: None, ..stored("user:profile:93:string", String) }, true),
    ] {
        assert_eq!(needs(&stored), expected, "{stored:?}");
    }
    // A sample of the others.
    let sampled =
        (100..100 + 10 * SAMPLE).filter(|number| needs(&stored(format!("user:profile:{number}:string"), String)));
    assert_eq!(sampled.count(), 10);
}

#[test]
fn what_was_not_seen_is_counted() {
    let shop = shop();
    let keys = [
        StoredKey { memory: None, ..stored("user:profile:1:string", String) },
        stored("user:profile:2:string", String).memory(30_000).second(|second| second.length = None),
        stored("shop:recent:1:list", List).memory(300).second(|second| second.length = None),
        stored("shop:tags:1:set", Set).second(|second| second.length = None),
    ];
    let tally = tally(&shop, &keys);
    let all: Vec<_> = (0..13).filter_map(|number| tally.declared(number)).collect();
    assert_eq!(all.iter().map(|counts| counts.without_memory).sum::<u64>(), 1);
    assert_eq!(all.iter().map(|counts| counts.unmeasured).sum::<u64>(), 2);
}

/// The memory can prove that a string is too large if its length is unknown.
#[test]
fn what_the_memory_proves_is_found() {
    let shop = shop();
    let string = |number: u32, memory| {
        stored(format!("user:profile:{number}:string"), String).memory(memory).second(|second| second.length = None)
    };
    let keys = [
        // The limit is 20,480 bytes. What was appended can take two and a half times the memory.
        string(1, 20_480 / 2 * 5 + 400),
        string(2, 20_480 / 2 * 5 + 1_000),
        string(3, 20_000_000),
        stored("n:4", String).memory(20_000_000).second(|second| second.length = None),
        stored("shop:tags:1:set", Set).memory(20_000_000).second(|second| second.length = None),
    ];
    let tally = tally(&shop, &keys);
    assert_eq!(
        found(&shop, &tally),
        ["Profile big_value 2", "unknown bad_name 1", "unknown big_value 1", "unknown unknown_key 1"]
    );
    let of = |name: &str| {
        let index = shop.catalog.keys.iter().position(|key| key.name == name).unwrap();
        let counts = tally.declared(index).unwrap();
        (counts.unmeasured, counts.measured_by_memory)
    };
    assert_eq!([of("Profile"), of("Tags")], [(1, 2), (1, 0)]);
}

/// Many keys, good and bad ones, of which the same number always has the same.
fn many(count: u64) -> Vec<StoredKey> {
    let of = |number: u64| {
        let bytes = 50 + number * 7_919 % 30_000;
        let expiry = if number.is_multiple_of(17) { Expiry::Never } else { Expiry::In(number * 104_729 % 5_000_000) };
        let (name, redis_type) = match number % 5 {
            0 => (format!("user:profile:{number}:string"), String),
            1 => (format!("cart:items:{number}:hash"), if number.is_multiple_of(11) { Set } else { Hash }),
            2 => (format!("shop:recent:{number}:list"), List),
            3 => (format!("legacy{}:x:{number}", number % 90), String),
            _ => (format!("a:{}:{}", number % 40, number), Set),
        };
        let stored = stored(name, redis_type).memory(bytes).expires(expiry).second(|second| {
            second.length = (!number.is_multiple_of(19)).then_some(bytes);
            second.frequency = number.is_multiple_of(23).then_some(number % 200);
        });
        // The server refuses to tell the memory of some.
        let memory = stored.memory.filter(|_| !number.is_multiple_of(13));
        StoredKey { memory, ..stored }
    };
    (0..count).map(of).collect()
}

#[test]
fn merged_tallies_are_as_one() {
    let shop = shop();
    let keys = many(6_000);
    // Which keys get a second look depends on those before, so here all do.
    let count = |keys: &[StoredKey]| {
        let mut tally = Tally::new(&facts());
        for stored in keys {
            let look = stored.look(&shop);
            tally.first_look(&shop, &look);
            tally.second_look(&shop, &look, &stored.second);
        }
        tally
    };
    let whole = count(&keys);
    let mut merged = count(&keys[..1_000]);
    merged.merge(count(&keys[1_000..4_500]));
    merged.merge(count(&keys[4_500..]));
    assert_eq!(merged, whole);
    let mut other_order = count(&keys[4_500..]);
    other_order.merge(count(&keys[..4_500]));
    assert_eq!(other_order, whole);
}

#[test]
fn a_saved_tally_goes_on() {
    let shop = shop();
    let keys = many(3_000);
    let mut half = tally(&shop, &keys[..1_500]);
    let text = serde_json::to_string(&half).unwrap();
    let mut loaded: Tally = serde_json::from_str(&text).unwrap();
    assert_eq!(loaded, half);
    for tally in [&mut half, &mut loaded] {
        for stored in &keys[1_500..] {
            tally.first_look(&shop, &stored.look(&shop));
        }
    }
    assert_eq!(loaded, half);
    for wrong in ["{}", "[]", r#"{"declared":7}"#] {
        assert!(serde_json::from_str::<Tally>(wrong).is_err());
    }
}

/// The memory of this process in kilobytes.
fn resident_kb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
    line.trim().trim_end_matches(" kB").parse().unwrap_or(0)
}

/// With `REDIS_KEYS_AUDIT_KEYS=10000000` and `--release --nocapture` it prints the memory of that many keys.
#[test]
fn memory_is_bounded() {
    let count = std::env::var("REDIS_KEYS_AUDIT_KEYS").ok().and_then(|text| text.parse().ok()).unwrap_or(200_000_u64);
    let declarations =
        (0..2_000).map(|number| key("Key", &format!("module{}:thing{number}:{{id}}:string", number % 60), &json!({})));
    let before = resident_kb();
    let schemas = schemas(declarations.collect());
    let with_schemas = resident_kb();
    let mut tally = Tally::new(&facts());
    let mut random = 1_u64;
    let (mut name, start) = (std::string::String::new(), std::time::Instant::now());
    for number in 0..count {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let thing = (random >> 33) % 2_000;
        name.clear();
        let _ = match number % 20 {
            0 => write!(name, "old{}:{:x}:part{}:{random:x}", random % 70, random % 999, random >> 50),
            _ => write!(name, "module{}:thing{thing}:{number}:string", thing % 60),
        };
        let look = FirstLook {
            key: name.as_bytes(),
            declaration: schemas.find(name.as_bytes()),
            redis_type: String,
            expiry: if random.is_multiple_of(9) { Expiry::Never } else { Expiry::In((random >> 20) % 7_200_000) },
            memory: Some(60 + (random >> 40) % (1 << ((random >> 5) % 16))),
        };
        if tally.first_look(&schemas, &look) {
            let second = SecondLook { length: look.memory, ..SecondLook::default() };
            tally.second_look(&schemas, &look, &second);
        }
    }
    let took: Duration = start.elapsed();
    let after = resident_kb();
    let saved = serde_json::to_string(&tally).unwrap();
    println!(
        "{count} keys of 2,000 declarations: {} KB for the declarations, {} KB for the tally, {after} KB in all, {} KB saved, {} ns a key",
        with_schemas.saturating_sub(before),
        after.saturating_sub(with_schemas),
        saved.len() / 1_024,
        took.as_nanos() / u128::from(count),
    );
    assert_eq!(tally.total().0, count);
    assert!(saved.len() < 20 << 20, "{}", saved.len());
}

//! Reports in all forms.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on")]
#![allow(clippy::cast_precision_loss, clippy::float_cmp, reason = "the numbers are small and whole")]

use std::time::{Duration, UNIX_EPOCH};

use redis_keys_core::metric::{Metric, MetricKind};
use redis_keys_schema::Policy;
use redis_keys_tests::{Family, read_exposition};
use serde_json::{Value, json};
use snapbox::{assert_data_eq, file};

use super::*;
use crate::declare::catalog::Foreign;
use crate::declare::redis_type::RedisType;
use crate::operate::audit::fixtures::{self, facts, key, schemas, shop, stored, tally};
use crate::operate::server::foreign::ForeignKeys;
use crate::operate::server::hot_keys::{HotKeys, KeyCosts};
use crate::operate::server::scan::Expiry;
use crate::render::{Code, FindingId, KeyText};

/// Keys of other programs with all that could harm a terminal, a page or a program that reads the report.
fn hostile_keys() -> Vec<Vec<u8>> {
    let mut keys: Vec<_> = [
        "<script>alert(1)</script>:a:string",
        "\"><img src=x onerror=alert(1)>:b:string",
        "</title><style>*{display:none}</style>",
        "\u{1b}[2J\u{1b}]0;title\u{7}:c:string",
        "user:\u{202e}gnirts:d",
        "user:\r\n::error::e",
        "user:\u{9b}31m:f",
        "'; DROP TABLE; --",
        "{{7*7}}:${x}:`id`",
    ]
    .map(|key| key.as_bytes().to_vec())
    .into();
    keys.push(b"\xff\xfe\xc3\x28:g".to_vec());
    keys.push(b"\0".to_vec());
    keys.push(Vec::new());
    keys.push(vec![b'A'; 10_240]);
    keys.push(format!("long:{}", "\u{202e}<b>".repeat(2_000)).into_bytes());
    keys
}

fn run() -> Run {
    Run {
        started: UNIX_EPOCH + Duration::from_secs(1_798_761_600),
        took: Duration::from_millis(2_500),
        servers: vec!["127.0.0.1:6379/0".to_owned()],
        options: vec![("pace".to_owned(), "share 50%".to_owned())],
        is_complete: true,
        has_ended_early: false,
        shows_keys: true,
    }
}

fn node(keys: &[crate::operate::audit::fixtures::StoredKey], schemas: &Schemas) -> Node {
    Node { took: Duration::from_millis(2_400), ..fixtures::node(facts(), tally(schemas, keys)) }
}

/// The report of a shop with some faults.
fn shop_document() -> Document {
    let shop = shop();
    let mut keys: Vec<_> = (0..40_u64)
        .map(|number| stored(format!("user:profile:{number}:string"), RedisType::String).memory(200 + 10 * number))
        .collect();
    keys.extend((0..30).map(|number| stored(format!("cart:items:{number}:hash"), RedisType::Hash).memory(900)));
    keys.extend(
        (0..70).map(|number| stored(format!("session_{number}:data"), RedisType::String).expires(Expiry::Never)),
    );
    keys.push(
        stored("shop:recent:1:list", RedisType::List).memory(90_000).second(|second| second.length = Some(20_000)),
    );
    keys.push(stored("user:kept:1:string", RedisType::String).expires(Expiry::Never));
    let mut node = node(&keys, &shop);
    node.facts.not_checked.push("CONFIG is refused".to_owned());
    Document::new(&shop, &run(), &[node], MAX_PATTERNS)
}

fn summary(document: &Document) -> String {
    let mut out = Vec::new();
    terminal::write(&document.report(false), None, &mut out).unwrap();
    anstream::adapter::strip_str(&String::from_utf8(out).unwrap()).to_string()
}

#[test]
fn the_summary() {
    let shown = summary(&shop_document());
    assert!(shown.lines().count() <= 50 && shown.lines().all(|line| line.chars().count() <= 120));
    assert_data_eq!(shown, file!["snapshots/summary.txt"].raw());
}

#[test]
fn the_summary_fits_a_narrow_terminal() {
    let mut document = shop_document();
    document.unknown[0].pattern = "a:pattern:with:many:words:{integer}:that:is:too:long".to_owned();
    document.findings[0].message = "a detail with many words ".repeat(5).trim_end().to_owned();
    for width in [80, 60] {
        let mut out = Vec::new();
        terminal::write(&document.report(false), Some(width), &mut out).unwrap();
        let text = anstream::adapter::strip_str(&String::from_utf8(out).unwrap()).to_string();
        let tables = text.lines().filter(|line| line.starts_with("  "));
        let longest = tables.max_by_key(|line| line.chars().count()).unwrap();
        assert!(longest.chars().count() <= width, "{width}: {longest}");
        assert!(text.contains('…'), "{text}");
    }
}

#[test]
fn the_json_form() {
    let document = shop_document();
    let text = document.to_json().unwrap();
    assert_eq!(Document::from_json(&text), Ok(document));
    assert_data_eq!(text, file!["snapshots/report.json"].raw());
    for (text, message) in [
        ("{}", "not a report of an audit: missing field `format`"),
        (r#"{"format":9}"#, "the report has format 9, expected 1"),
        (r#"{"format":1}"#, "not a report of an audit: missing field"),
        (r#"{"format":1,"findings":[{"id":"\u001b[31m"}]}"#, "not a report of an audit: unknown variant `\\x1b[31m`"),
    ] {
        let failure = Document::from_json(text).err().unwrap().to_string();
        assert!(failure.starts_with(message) && failure.contains("\nhelp: "), "{failure}");
    }
}

#[test]
fn the_forms_of_continuous_integration() {
    let document = shop_document();
    assert_data_eq!(document.written(Form::Markdown, &run()).unwrap(), file!["snapshots/report.md"].raw());
    let annotations = document.written(Form::Github, &run()).unwrap();
    assert_eq!(annotations.lines().count(), document.findings.len());
    let expected = "::error title=big_collection::shop:recent:{id}:list: The collection has more elements than its \
                    declaration allows. 1 key, 87.9 KB; the limit is 100 elements\n";
    assert!(annotations.starts_with(expected), "{annotations}");
    assert!(annotations.contains("\n::notice title=no_lfu::127.0.0.1:6379: "), "{annotations}");
    let sarif: Value = serde_json::from_str(&document.written(Form::Sarif, &run()).unwrap()).unwrap();
    let result = &sarif["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "big_collection");
    assert_eq!(result["locations"][0]["logicalLocations"][0]["fullyQualifiedName"], "shop:recent:{id}:list");
    let rules = sarif["runs"][0]["tool"]["driver"]["rules"].to_string();
    assert!(rules.contains("`cargo redis-keys explain big_collection` says more."), "{rules}");
}

/// The metrics of a report.
fn metrics(document: &Document) -> Vec<Family> {
    let text = document.to_prometheus(run().started);
    read_exposition(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn family<'a>(families: &'a [Family], name: &str) -> &'a Family {
    families.iter().find(|family| family.name == format!("redis_keys_stock_{name}")).unwrap()
}

#[test]
fn the_metrics() {
    let document = shop_document();
    assert_data_eq!(document.to_prometheus(run().started), file!["snapshots/metrics.txt"].raw());
    // What is declared and does not exist is there all the same.
    let families = metrics(&document);
    assert_eq!(family(&families, "keys").value("template", "user:days:{id}:bitmap"), Some(0.0));
    let unknown_findings =
        family(&families, "findings").samples.iter().filter(|(labels, _)| labels["template"].is_empty());
    assert_eq!(unknown_findings.count(), 4);
}

/// Keys that a server has found hot: of declarations, of unknown keys, of another program, and one that is gone.
fn hot_keys() -> HotKeys {
    let keys =
        |keys: &[(&str, u64)]| keys.iter().map(|(key, measure)| (KeyText::new(key.as_bytes()), *measure)).collect();
    let cpu = [
        ("user:profile:1:string", 300),
        ("session_7:data", 100),
        ("user:profile:2:string", 110),
        ("celery", 40),
        ("secret/4711/token", 20),
    ];
    let network = [("user:profile:3:string", 512), ("session_8:data", 256), ("user:profile:1:string", 1_024)];
    HotKeys {
        cpu_us: Some(KeyCosts { total: 1_000, keys: keys(&cpu) }),
        network_bytes: Some(KeyCosts { total: 4_096, keys: keys(&network) }),
        sample_ratio: 1,
        collected_ms: 600_000,
    }
}

/// The report of a shop whose servers have found these keys hot.
fn hot_document(hot: impl IntoIterator<Item = (&'static str, Option<HotKeys>)>) -> Document {
    let (policy, _) = Policy::parse("[foreign]\nsystems = [\"celery\"]");
    let shop = shop().with_foreign(ForeignKeys::of(&Foreign::of(&[policy.into()])));
    let mut keys: Vec<_> = (0..70).map(|number| stored(format!("session_{number}:data"), RedisType::String)).collect();
    keys.push(stored("user:profile:1:string", RedisType::String));
    keys.push(stored("celery", RedisType::List));
    let node = |(run_id, hot_keys): (&str, _)| {
        let mut node = node(&keys, &shop);
        run_id.clone_into(&mut node.facts.run_id);
        Node { hot_keys, ..node }
    };
    Document::new(&shop, &run(), &hot.into_iter().map(node).collect::<Vec<_>>(), MAX_PATTERNS)
}

#[test]
fn hot_keys_are_summed_by_what_they_belong_to() {
    let document = hot_document([("a", Some(hot_keys()))]);
    let shown = "\nHot keys, as the server counted them for 10m\n  CPU  network  hot keys  key\n  \
                 41%      38%         3  user:profile:{id}:string\n  \
                 10%       6%         2  session_{integer}:data\n   \
                 4%       0%         1  celery\n   \
                 2%       0%         1  other keys\n";
    let summary = summary(&document);
    assert!(summary.contains(shown), "{summary}");
    let page = include_str!("../../../../../redis-keys/docs/guide/operations/audit.md");
    let heading: Vec<_> = shown.trim_start().split_inclusive('\n').take(2).collect();
    assert!(page.contains(&heading.concat()), "the guide shows the same");
    let json = document.to_json().unwrap();
    let expected = r#"  "hot_keys": [
    {"subject":{"template":"user:profile:{id}:string"},"keys":3,"cpu_us":410,"network_bytes":1536},
    {"subject":{"pattern":"session_{integer}:data"},"keys":2,"cpu_us":100,"network_bytes":256},
    {"subject":{"program":"celery"},"keys":1,"cpu_us":40,"network_bytes":0},
    {"subject":"others","keys":1,"cpu_us":20,"network_bytes":0}
  ],
  "hot_total": {"servers":1,"collected_ms":600000,"sample_ratio":1,"cpu_us":1000,"network_bytes":4096},
"#;
    assert!(json.contains(expected), "{json}");
    assert_eq!(Document::from_json(&json), Ok(document.clone()));
    let page = html::page(&document.report(false));
    assert!(page.contains("<h2>Hot keys, as the server counted them for 10m</h2>"), "{page}");
    let families = metrics(&document);
    let share = |name: &str, template: &str| family(&families, name).value("template", template);
    assert_eq!(share("hot_cpu_ratio", "user:profile:{id}:string"), Some(0.41));
    assert_eq!((share("hot_cpu_ratio", ""), share("hot_network_ratio", "")), (Some(0.16), Some(0.0625)));
    // The text of a key that the audit has not seen is in no form.
    for text in [&summary, &json, &page, &document.to_prometheus(run().started)] {
        assert!(!text.contains("4711"), "{text}");
    }
}

/// Databases of one server share a collection, servers of a cluster have one each, and each can measure something else.
#[test]
fn collections_of_several_servers() {
    let only_cpu = HotKeys { network_bytes: None, sample_ratio: 100, collected_ms: 1_000, ..hot_keys() };
    let document =
        hot_document([("a", Some(hot_keys())), ("a", Some(hot_keys())), ("b", None), ("c", Some(only_cpu.clone()))]);
    let total = document.hot_total.clone().unwrap();
    assert_eq!((total.servers, total.cpu_us, total.network_bytes), (2, Some(2_000), Some(4_096)));
    assert_eq!((document.hot_keys[0].keys, document.hot_keys[0].cpu_us), (3, 820));
    assert!(summary(&document).contains("as the server counted 1 in 100 commands for 10m"));

    let document = hot_document([("a", Some(only_cpu))]);
    assert!(metrics(&document).iter().all(|family| !family.name.ends_with("hot_network_ratio")));
    assert!(summary(&document).contains("41%                  2  user:profile"), "{}", summary(&document));

    let huge = KeyCosts { total: u64::MAX, keys: vec![(KeyText::new(b"session_1:data"), u64::MAX); 2] };
    let huge = HotKeys { cpu_us: Some(huge), ..HotKeys::default() };
    let document = hot_document([("a", Some(huge.clone())), ("b", Some(huge))]);
    assert_eq!(family(&metrics(&document), "hot_cpu_ratio").sum(), 1.0);
    assert_eq!(Document::from_json(&document.to_json().unwrap()), Ok(document));

    // A collection of which nothing is hot yet, and none.
    let nothing = HotKeys { cpu_us: Some(KeyCosts::default()), ..HotKeys::default() };
    for hot in [Some(nothing), None] {
        let document = hot_document([("a", hot)]);
        assert!(!summary(&document).contains("Hot keys") && !html::page(&document.report(false)).contains("Hot keys"));
        assert!(metrics(&document).iter().all(|family| !family.name.contains("hot")));
    }
}

/// The families of the table, and no others, with their labels and in their order.
#[test]
fn the_metrics_are_those_of_the_table() {
    let mut document = hot_document([("a", Some(hot_keys()))]);
    document.declarations[0].stale_ms = Some(1);
    let families = metrics(&document);
    let written: Vec<_> = families.iter().map(|family| (family.name.as_str(), family.help.as_str())).collect();
    let table: Vec<_> = STOCK.iter().map(|metric| (metric.name, metric.description)).collect();
    assert_eq!(written, table);
    for (Metric { kind, labels, description, .. }, family) in STOCK.iter().zip(&families) {
        assert_eq!((*kind, family.kind.as_str()), (MetricKind::Gauge, "gauge"));
        assert!(description.ends_with('.') && !description.contains('\n'), "{description}");
        for (sample, _) in &family.samples {
            assert!(labels.len() == sample.len() && labels.iter().all(|label| sample.contains_key(*label)));
        }
    }
    assert_eq!(family(&families, "foreign_keys").value("program", "celery"), Some(1.0));
}

/// The sums of the samples are those of the report.
fn assert_sums(document: &Document) {
    let families = metrics(document);
    let sum = |name: &str| families.iter().find(|family| family.name.ends_with(name)).map_or(0.0, Family::sum);
    let declared =
        |of: fn(&document::DeclarationSummary) -> u64| document.declarations.iter().map(of).sum::<u64>() as f64;
    assert_eq!(sum("stock_keys"), declared(|summary| summary.keys));
    assert_eq!(sum("stock_bytes"), declared(|summary| summary.bytes));
    assert_eq!(sum("stock_keys_without_expiry"), declared(|summary| summary.without_expiry));
    assert_eq!(sum("unknown_keys"), document.total.unknown_keys as f64);
    assert_eq!(sum("stock_keys") + sum("unknown_keys") + sum("foreign_keys"), document.total.keys as f64);
    assert_eq!(sum("stock_bytes") + sum("unknown_bytes") + sum("foreign_bytes"), document.total.bytes as f64);
    assert_eq!((sum("audit_keys"), sum("audit_bytes")), (document.total.keys as f64, document.total.bytes as f64));
    assert_eq!(
        sum("findings"),
        document.findings.iter().map(|finding| finding.figures.count.max(1)).sum::<u64>() as f64
    );
}

#[test]
fn few_patterns_have_samples_of_their_own() {
    let shop = shop();
    let words = || ('a'..='d').flat_map(|one| ('a'..='z').map(move |other| format!("{one}{other}")));
    let mut keys = Vec::new();
    for (place, word) in words().enumerate() {
        // Of two types and with and without expiry, so that a pattern has several rows in the report.
        for number in 0..60 + place % 50 {
            let key = format!("{word}:of:{number}");
            let redis_type = if number % 2 == 0 { RedisType::String } else { RedisType::List };
            let expiry = if number % 3 == 0 { Expiry::Never } else { Expiry::In(60_000) };
            keys.push(stored(key, redis_type).expires(expiry));
        }
    }
    keys.push(stored("other", RedisType::String));
    for most in [MAX_PATTERNS, 20] {
        let document = Document::new(&shop, &run(), &[node(&keys, &shop)], most);
        assert_sums(&document);
        let families = metrics(&document);
        let unknown = family(&families, "unknown_keys");
        assert!(unknown.samples.len() <= 51, "{}", unknown.samples.len());
        assert!(unknown.value("pattern", "other").unwrap() > 1.0);
        assert_eq!(unknown.samples.len(), family(&families, "unknown_bytes").samples.len());
    }
}

#[test]
fn a_template_of_several_packages_has_one_sample() {
    let one = key("Page", "page:text:{id}:string", &json!({}));
    let other = key("Text", "page:text:{id}:string", &json!({"package": "other"}));
    let schemas = schemas(vec![one, other]);
    let keys = [7, 8].map(|id| stored(format!("page:text:{id}:string"), RedisType::String).memory(100 * id));
    let document = Document::new(&schemas, &run(), &[node(&keys, &schemas)], MAX_PATTERNS);
    assert_sums(&document);
    let families = metrics(&document);
    let value = |name: &str| family(&families, name).value("template", "page:text:{id}:string");
    assert_eq!(["keys", "bytes", "largest_value_bytes"].map(value), [Some(2.0), Some(1_500.0), Some(800.0)]);
}

#[test]
fn the_share_of_the_keys_that_were_seen() {
    let shop = shop();
    let keys = ["user:profile:1:string", "user:profile:2:string"].map(|key| stored(key, RedisType::String));
    let coverage = |options: &[&str], change: fn(&mut Node)| {
        let mut node = node(&keys, &shop);
        // Keys can expire during the audit.
        node.facts.keys = 3;
        change(&mut node);
        let options: Vec<_> = options.iter().map(|name| ((*name).to_owned(), "x".to_owned())).collect();
        let run = Run { is_complete: !options.iter().any(|(name, _)| name == "sample"), options, ..run() };
        let document = Document::new(&shop, &run, &[node], MAX_PATTERNS);
        assert_eq!(Document::from_json(&document.to_json().unwrap()).unwrap(), document);
        let families = metrics(&document);
        let written = families.iter().find(|family| family.name.ends_with("coverage_ratio")).map(Family::sum);
        assert_eq!(written, document.total.coverage);
        document.total.coverage
    };
    assert_eq!(coverage(&["pace", "legacy-prefix"], |_| {}), Some(1.0));
    for option in ["match", "sample", "namespace"] {
        assert_eq!(coverage(&[option], |_| {}), Some(0.666_666));
    }
    assert_eq!(coverage(&[], |node| node.refused_keys = 1), Some(0.666_666));
    assert_eq!(coverage(&["sample"], |node| node.facts.keys = 1), Some(1.0));
    assert_eq!(coverage(&["sample"], |node| node.facts.keys = 0), None);
}

#[test]
fn nothing_found() {
    let empty = schemas(Vec::new());
    let document = Document::new(&empty, &run(), &[], MAX_PATTERNS);
    assert!(summary(&document).contains("Findings\n  none"), "{}", summary(&document));
    assert!(html::page(&document.report(false)).contains("<h2>Findings</h2><p>none</p>"));
    assert_sums(&document);
    assert_eq!(Document::from_json(&document.to_json().unwrap()), Ok(document));
}

#[test]
fn hostile_keys_are_harmless_in_every_form() {
    let shop = shop();
    let mut keys: Vec<_> = hostile_keys().into_iter().map(|key| stored(key, RedisType::String)).collect();
    // As examples of findings of their own as well.
    keys.extend(
        hostile_keys().into_iter().map(|key| stored(key, RedisType::List).memory(1 << 30).expires(Expiry::Never)),
    );
    let mut node = node(&keys, &shop);
    node.facts.address = "evil\u{1b}[31m<script>".to_owned();
    node.facts.version = "\u{202e}<script>".to_owned();
    node.facts.maxmemory_policy = Some("<script>\u{1b}".to_owned());
    let document = Document::new(&shop, &run(), &[node], MAX_PATTERNS);

    let is_harmless = |character: char| {
        character == '\n'
            || !(character.is_control() || matches!(character, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'))
    };
    let shown = summary(&document);
    assert!(shown.chars().all(is_harmless), "{shown:?}");

    let page = html::page(&document.report(false));
    let harm = page.char_indices().find(|(_, character)| !is_harmless(*character));
    assert_eq!(harm.map(|(place, _)| page[place.saturating_sub(80)..].chars().take(90).collect::<String>()), None);
    let (before, script) = page.rsplit_once("<script>").unwrap();
    assert!(!before.contains("<script") && !before.contains("<img") && !before.contains("<b>"));
    assert_eq!(before.matches("<style>").count(), 1);
    assert!(script.len() < 4_000);

    let text = document.to_prometheus(run().started);
    assert!(text.chars().all(is_harmless), "{text:?}");
    assert_sums(&document);

    let text = document.to_json().unwrap();
    let value: Value = serde_json::from_str(&text).unwrap();
    assert!(text.chars().all(|character| character == '\n' || !character.is_ascii_control()));
    let examples = value["findings"][0]["examples"].as_array().unwrap();
    assert!(examples.iter().any(|example| example["key"]["base64"] == "//7DKDpn") || examples.len() == 5);
    assert!(value["largest"].as_array().unwrap().iter().any(|large| large["key"]["length"] == 10_240));
    assert_eq!(Document::from_json(&text), Ok(document));
}

#[test]
fn a_page_is_small() {
    let declarations = (0..2_000_u64).map(|number| {
        let template = format!("module{}:{}.{number}:{{id}}:string", number % 90, "a.long.name".repeat(4));
        key("ALongNameOfADeclaration", &template, &json!({}))
    });
    let schemas = schemas(declarations.collect());
    let mut keys: Vec<_> = (0..8_000_u64)
        .map(|number| {
            let thing = number % 2_000;
            let key = format!("module{}:{}.{thing}:{number}:string", thing % 90, "a.long.name".repeat(4));
            stored(key, RedisType::String).memory(100 + number * 31 % 9_000).expires(Expiry::Never)
        })
        .collect();
    let name = |number: u32| {
        (0..4).map(|place| char::from(b'a' + u8::try_from(number >> (3 * place) & 7).unwrap())).collect::<String>()
    };
    keys.extend((0..3_000).map(|number| {
        let (one, other) = (name(number), name(number * 7));
        stored(format!("{}:{}<>{}", &one[..1], &one[1..], other.repeat(9)), RedisType::Set)
    }));
    let node = node(&keys, &schemas);
    let page = html::page(&Document::new(&schemas, &run(), &[node], MAX_PATTERNS).report(false));
    println!("{} bytes", page.len());
    assert!(page.len() < 300 * 1_024, "{}", page.len());
    assert!(page.matches("<tr>").count() <= 520, "{}", page.matches("<tr>").count());
}

#[test]
fn a_baseline_shows_what_is_new_or_larger() {
    let shop = shop();
    let profiles = |count: u64| -> Vec<_> {
        (0..count).map(|number| stored(format!("user:profile:{number}:string"), RedisType::String)).collect()
    };
    let document = |keys: &[crate::operate::audit::fixtures::StoredKey]| {
        Document::new(&shop, &run(), &[node(keys, &shop)], MAX_PATTERNS)
    };
    let before = document(&profiles(100));
    assert_eq!(changes(&before, &document(&profiles(100))), []);
    assert_eq!(changes(&before, &document(&profiles(109))), []);
    // 10 % of 110 are 11.
    assert_eq!(changes(&document(&profiles(110)), &document(&profiles(120))), []);
    let mut grown = document(&profiles(110));
    let shown = |changes: &[document::Change]| -> Vec<_> {
        changes.iter().map(|change| format!("{} {} {}", change.shown(), change.keys_before, change.keys)).collect()
    };
    assert_eq!(shown(&changes(&before, &grown)), ["all keys 100 110", "user:profile:{id}:string 100 110"]);
    grown.changes = Some(changes(&before, &grown));
    assert!(
        summary(&grown).contains("user:profile:{id}:string")
            && html::page(&grown.report(false)).contains("keys before")
    );

    let mut keys = profiles(100);
    keys.push(stored("user:profile:900:string", RedisType::String).expires(Expiry::Never));
    let mut faulty = document(&keys);
    faulty.changes = Some(changes(&before, &faulty));
    assert_eq!(shown(faulty.changes.as_ref().unwrap()), ["no_expiry in user:profile:{id}:string 0 1"]);
    assert!(faulty.fails(Level::Error));
    // More memory of the same keys is no new finding.
    keys[100] = keys[100].clone().memory(500_000);
    assert_eq!(shown(&changes(&faulty, &document(&keys))), ["all keys 101 101", "user:profile:{id}:string 101 101"]);
    keys[100] = keys[100].clone().memory(100);
    // The same finding as before is none.
    let mut same = document(&keys);
    assert!(same.fails(Level::Error));
    same.changes = Some(changes(&faulty, &same));
    assert!(!same.fails(Level::Note));
    assert!(summary(&same).contains("baseline\n  nothing"));

    // So are keys of a new kind without a declaration.
    let unknown = |name: &str| (0..40).map(|id| stored(format!("{name}_{id}"), RedisType::String)).collect::<Vec<_>>();
    let found = changes(&document(&unknown("cart")), &document(&[unknown("cart"), unknown("basket")].concat()));
    assert!(shown(&found).iter().any(|line| line.ends_with("basket_{integer} 0 40")), "{:?}", shown(&found));
    assert!(!shown(&found).iter().any(|line| line.contains("cart_")), "{:?}", shown(&found));
}

/// A pattern is not new if it is a part of a known one, or if its values were text before.
#[test]
fn patterns_contain_others() {
    for (pattern, other) in [
        ("queue:{text}", "queue:mails"),
        ("queue:{text}:{integer}", "queue:{text}:{integer}"),
        ("queue:{text}:{integer}", "queue:mails:{integer}"),
        ("shard:{integer}", "shard:7"),
        ("blob:{hex}", "blob:{integer}"),
        ("file/{path}", "file/a/{text}"),
        ("{{{text}}}", "{{a}}"),
    ] {
        assert!(pattern::contains(pattern, other), "{pattern} {other}");
    }
    for (pattern, other) in [
        ("{hex}", "basket:{integer}"),
        ("{text}", "basket:{integer}"),
        ("{text}:{integer}", "basket:{integer}:x"),
        ("user:{email}", "user:{integer}"),
        ("queue:{text}", "queue:"),
        ("queue:mails", "queue:{text}"),
        ("a", "ab"),
        ("{{a}}", "{a}"),
    ] {
        assert!(!pattern::contains(pattern, other), "{pattern} {other}");
    }
}

#[test]
fn the_status_depends_on_the_level() {
    let document = shop_document();
    assert!(document.fails(Level::Note) && document.fails(Level::Error));
    let shop = shop();
    let good = Document::new(&shop, &run(), &[node(&[], &shop)], MAX_PATTERNS);
    assert!(good.fails(Level::Note) && !good.fails(Level::Warning));
}

/// The keys of other programs have a table and findings of their own.
#[test]
fn other_programs_have_a_table() {
    let (policy, _) = Policy::parse("[foreign]\nsystems = [\"celery\"]");
    let shop = shop().with_foreign(ForeignKeys::of(&Foreign::of(&[policy.into()])));
    let keys = [stored("unacked", RedisType::Hash).expires(Expiry::Never), stored("celery", RedisType::List)];
    let document = Document::new(&shop, &run(), &[node(&keys, &shop)], 200);
    assert_eq!(document.total.unknown_keys, 0);
    let summary = summary(&document);
    let expected = "Keys of other programs\n  memory  keys  no expiry  program\n   200 B     2          1  celery\n";
    assert!(summary.contains(expected), "{summary}");
    assert!(document.findings.iter().any(|finding| {
        finding.code == Code::Audit(FindingId::ForeignNoExpiry)
            && finding.subject.shown() == "celery"
            && finding.figures.count == 1
    }));
    assert!(html::page(&document.report(false)).contains("<h2>Keys of other programs</h2>"));
    let read = Document::from_json(&document.to_json().unwrap()).unwrap();
    assert_eq!(read, document);
}

/// Declarations with two texts, and the lines about them.
#[test]
fn texts_are_counted_and_names_are_checked() {
    let mut item = key("Item", "shop:item:{item_name}:string", &json!({"legacy": "Item:{item_name}"}));
    "String".clone_into(&mut item.parameters[0].declared.type_name);
    let cart = key("Cart", "cart:items:{id}:hash", &json!({"formerly": "cart/{id:05}"}));
    let schemas = || schemas(vec![item.clone(), cart.clone()]);
    let stored = |key: &str| stored(key, RedisType::String);
    let document = |schemas: Schemas, keys: &[&str], run: &Run| {
        let keys: Vec<_> = keys.iter().map(|key| stored(key)).collect();
        Document::new(&schemas, run, &[node(&keys, &schemas)], MAX_PATTERNS)
    };
    let shown = |document: &Document| {
        let findings = document.findings.iter().filter(|finding| finding.code != Code::Audit(FindingId::NoLfu));
        findings
            .map(|finding| format!("{} {}: {}", finding.code.name(), finding.figures.count, finding.message))
            .collect::<Vec<_>>()
    };
    let keys = ["Item:a", "Item:green-tea", "Item:a-b", "Item:Tea", "shop:item:a:string"];
    let old = document(schemas(), &keys, &run());
    let unneeded = "unneeded_formerly 0: no key has the former text any more: remove `formerly` from `Cart`";
    let refused = "refused_name 3: 2 keys: `item_name` contains `-`: add `base32`; 1 key: `item_name` contains an \
                   upper-case letter: add `base32`";
    assert_eq!(shown(&old), [refused, unneeded]);
    let texts = old.declarations.iter().find_map(|summary| summary.texts.clone());
    assert_eq!(texts.map(|texts| (texts.legacy_keys, texts.template_keys)), Some((4, 1)));
    let summary = summary(&old);
    let rows = ["  in use  other  texts\n", "       4      1  Item:{item_name}, and shop:item:{item_name}:string\n"];
    assert!(rows.iter().all(|row| summary.contains(row)), "{summary}");
    let page = html::page(&old.report(false));
    assert!(
        page.contains("<h2>Declarations with two texts</h2>") && page.contains(">Item:{item_name}</code>"),
        "{page}"
    );

    // Only a look at all keys shows that none is left.
    assert!(shown(&document(schemas(), &["cart/00007"], &run())).iter().all(|line| !line.contains("unneeded")));
    let matched = Run { options: vec![("match".to_owned(), "cart*".to_owned())], ..run() };
    let sampled = Run { is_complete: false, ..run() };
    for run in [matched, sampled] {
        assert_eq!(shown(&document(schemas(), &[], &run)), [""; 0]);
    }
    let behind = document(schemas(), &["app/cart/00007"], &run());
    assert!(shown(&behind).iter().all(|line| !line.contains("unneeded")), "{:?}", behind.findings);
    let reason = "1 unknown key with a legacy text behind another prefix: see `--legacy-prefix`";
    assert!(behind.not_checked.contains(&reason.to_owned()), "{:?}", behind.not_checked);
    let found = document(schemas().with_legacy_prefix(Some("app/")), &["app/cart/00007"], &run());
    assert_eq!(found.total.unknown_keys, 0);
    // A legacy text is in no namespace.
    let schemas = Schemas::new(schemas().catalog, Some("shop"));
    assert!(schemas.is_in_namespace(b"Item:a") && schemas.is_in_namespace(b"shop:a"));
    assert!(!schemas.is_in_namespace(b"other:a") && !schemas.is_in_namespace(b"shop"));
}

/// The declarations whose keys never expire and cannot be restored, if there are such keys.
#[test]
fn keys_that_cannot_be_rebuilt_are_listed() {
    let never = |rebuild: Option<&str>| {
        let options = json!({"ttl_ms": null, "jitter_ms": 0, "reason": "a table", "rebuild": rebuild});
        let schemas = schemas(vec![key("Kept", "user:kept:{id}:string", &options)]);
        let found = |keys: &[crate::operate::audit::fixtures::StoredKey]| {
            let document = Document::new(&schemas, &run(), &[node(keys, &schemas)], MAX_PATTERNS);
            let notes =
                document.findings.into_iter().filter(|finding| finding.code == Code::Audit(FindingId::NoRebuild));
            notes.map(|finding| (finding.figures.count, finding.figures.bytes, finding.message)).collect::<Vec<_>>()
        };
        let kept = ["user:kept:1:string", "user:kept:2:string"];
        let kept = kept.map(|key| stored(key, RedisType::String).expires(Expiry::Never));
        (found(&kept), found(&[]))
    };
    assert_eq!(never(None), (vec![(2, 200, "`Kept` has no `rebuild`".to_owned())], vec![]));
    assert_eq!(never(Some("from the database")), (vec![], vec![]));
}

/// A channel has no keys: it is not listed as a declaration without any. A key of its name is of the wrong type.
#[test]
fn channels_are_no_unused_keys() {
    let nothing_expires = json!({"ttl_ms": null, "jitter_ms": 0});
    let schemas = schemas(vec![key("Changes", "order:changes:{id}:channel", &nothing_expires)]);
    let changes = &schemas.catalog.keys[0];
    assert_eq!([changes.expiry(), changes.expiry_brief()], ["–", "–"], "it is not a key that never expires");
    let listed = |keys: &[crate::operate::audit::fixtures::StoredKey]| {
        let document = Document::new(&schemas, &run(), &[node(keys, &schemas)], MAX_PATTERNS);
        let is_wrong = document.findings.iter().any(|finding| finding.code == Code::Audit(FindingId::WrongType));
        (document.declarations.len(), is_wrong)
    };
    assert_eq!(listed(&[]), (0, false));
    let key = stored("order:changes:1:channel", RedisType::String);
    assert_eq!(listed(&[key]), (1, true));
}

/// The place of a calendar bucket in a template says nothing about a legacy text.
#[test]
fn a_bucket_is_not_looked_for_in_a_legacy_text() {
    let changed = json!({"ttl_ms": 1_000, "jitter_ms": 0, "ttl_from_end_of": "month", "legacy": "a:b:{month}:{id}"});
    let schemas = schemas(vec![key("Tasks", "user:tasks:{month}:{id}:set", &changed)]);
    assert_eq!(schemas.template_text(b"user:tasks:202001:7:set"), b"user:tasks:202001:7:set");
    assert_eq!(schemas.template_text(b"a:b:202001:7"), b"");
}

//! The report as data, and its JSON form.

use serde::{Deserialize, Serialize};

use crate::Failure;
use crate::declare::catalog::from_json;
use crate::render::{Example, Finding, FindingId, KeyText, StoredSubject, one_line, visible_json};

mod json_findings;

/// The version of the JSON form.
pub(super) const FORMAT: u32 = 1;

/// The report of an audit. Sizes are in bytes, times in milliseconds.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(crate) struct Document {
    /// This form's version.
    pub(super) format: u32,
    /// The start of the audit, in UTC.
    pub(super) started: String,
    pub(super) took_ms: u64,
    /// Whether all keys were seen that the options ask for.
    pub(super) is_complete: bool,
    /// The servers that were named, with their databases.
    pub(super) servers: Vec<String>,
    /// Whether real keys are shown.
    pub(super) shows_keys: bool,
    /// The options that say which keys were seen, and how.
    pub(super) options: Vec<(String, String)>,
    /// All keys.
    pub(super) total: Totals,
    /// The servers.
    pub(super) nodes: Vec<NodeSummary>,
    /// The findings, the most serious first.
    #[serde(deserialize_with = "json_findings::deserialize")]
    pub(super) findings: Vec<Finding>,
    /// The differences from the baseline, if there is a baseline.
    #[serde(default)]
    pub(super) changes: Option<Vec<Change>>,
    /// The declarations, with most memory first.
    pub(super) declarations: Vec<DeclarationSummary>,
    /// The hot keys that the servers have found, with most CPU time first.
    #[serde(default)]
    pub(super) hot_keys: Vec<HotSummary>,
    /// The cost of all keys together, if a server has collected its hot keys.
    #[serde(default)]
    pub(super) hot_total: Option<HotTotal>,
    /// The modules, with most memory first.
    pub(super) modules: Vec<ModuleSummary>,
    /// The keys without declaration by pattern, with most memory first.
    pub(super) unknown: Vec<PatternSummary>,
    /// The keys of all other patterns.
    pub(super) unknown_others: OtherPatterns,
    /// The keys of other programs that the policy names, with most memory first.
    #[serde(default)]
    pub(super) foreign: Vec<ForeignSummary>,
    /// Each type's memory.
    pub(super) types: Vec<TypeSummary>,
    /// The keys by the time until they expire.
    pub(super) expiries: Vec<ExpirySummary>,
    /// The largest keys, the largest first.
    pub(super) largest: Vec<LargeKeySummary>,
    /// The missing checks, with the reason.
    pub(super) not_checked: Vec<String>,
}

/// All keys together.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Totals {
    pub(super) keys: u64,
    pub(super) bytes: u64,
    pub(super) without_expiry: u64,
    pub(super) unknown_keys: u64,
    pub(super) second_looks: u64,
    /// The keys that may exceed a limit, and whose size is unknown.
    #[serde(default)]
    pub(super) unmeasured: u64,
    /// The share of the servers' keys that were seen: 1 if all were. `None` if the servers refuse to count their keys.
    #[serde(default)]
    pub(super) coverage: Option<f64>,
}

/// A server.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct NodeSummary {
    pub(super) address: String,
    pub(super) version: String,
    /// The keys that were seen.
    pub(super) keys: u64,
    /// Their memory.
    pub(super) bytes: u64,
    pub(super) used_memory: u64,
    pub(super) maxmemory: Option<u64>,
    pub(super) maxmemory_policy: Option<String>,
    pub(super) took_ms: u64,
    /// The first and the last slot of each range that moved meanwhile, whose keys may be missing or counted twice.
    pub(super) moved_slots: Vec<(u16, u16)>,
}

/// A declaration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct DeclarationSummary {
    pub(super) name: String,
    pub(super) template: String,
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) package: String,
    pub(super) owner: Option<String>,
    /// The declared expiry, and the time after it for which an expired value stays.
    #[serde(default)]
    pub(super) ttl_ms: Option<u64>,
    #[serde(default)]
    pub(super) stale_ms: Option<u64>,
    pub(super) keys: u64,
    pub(super) bytes: u64,
    pub(super) without_expiry: u64,
    /// The keys that may exceed a limit, and whose size is unknown.
    #[serde(default)]
    pub(super) unmeasured: u64,
    /// Each key's memory.
    pub(super) sizes: Option<Percentiles>,
    /// The time until each key expires.
    pub(super) times_left_ms: Option<Percentiles>,
    pub(super) largest: Vec<Example>,
    /// The keys by their texts, of a declaration with two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) texts: Option<TextsSummary>,
}

/// A declaration's keys by their texts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct TextsSummary {
    /// The option: `legacy` or `formerly`.
    pub(super) option: String,
    /// Its format string.
    pub(super) legacy: String,
    /// The number of keys with the format string.
    pub(super) legacy_keys: u64,
    /// The number of keys with the template.
    pub(super) template_keys: u64,
}

/// Percentiles of the values, known to two digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Percentiles {
    pub(super) p50: u64,
    pub(super) p90: u64,
    pub(super) p99: u64,
    pub(super) max: u64,
}

/// The hot keys of a declaration, of a pattern or of another program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct HotSummary {
    pub(super) subject: HotSubject,
    /// The number of hot keys.
    pub(super) keys: u64,
    /// The CPU time of commands on them, in microseconds.
    pub(super) cpu_us: u64,
    /// The bytes of these commands and their replies.
    pub(super) network_bytes: u64,
}

/// The declaration, the pattern or the program of a hot key.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum HotSubject {
    /// The declaration with this template.
    Template(String),
    /// The pattern of unknown keys.
    Pattern(String),
    /// The name of another program in the policy.
    Program(String),
    /// No other subject: the audit has seen no such key.
    Others,
}

/// All keys together, while the servers collected their hot keys.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct HotTotal {
    /// The number of servers that did.
    pub(super) servers: u64,
    /// The duration of the longest collection.
    pub(super) collected_ms: u64,
    /// The number of commands among which one was measured, the largest number if several differ.
    pub(super) sample_ratio: u64,
    /// The CPU time of all commands on keys in microseconds, if it was collected.
    pub(super) cpu_us: Option<u64>,
    /// The bytes of all commands on keys and their replies, if they were collected.
    pub(super) network_bytes: Option<u64>,
}

/// A module: the first segment of keys.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct ModuleSummary {
    pub(super) module: String,
    pub(super) keys: u64,
    pub(super) bytes: u64,
    pub(super) unknown_keys: u64,
    pub(super) unknown_bytes: u64,
}

/// Keys without declaration with the same pattern and type, which either all expire or all do not.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct PatternSummary {
    /// The text, with the class of each value: `user:{integer}`.
    pub(super) pattern: String,
    /// The number of patterns that are shown like this.
    pub(super) patterns: u64,
    #[serde(rename = "type")]
    pub(super) redis_type: String,
    pub(super) keys: u64,
    pub(super) bytes: u64,
    pub(super) without_expiry: u64,
    /// Each key's memory.
    pub(super) sizes: Option<Percentiles>,
    /// The bytes of a string or the number of elements, of a sample.
    pub(super) lengths: Option<Percentiles>,
    /// The time until the first and the last key expires.
    pub(super) times_left_ms: Option<(u64, u64)>,
    /// The largest key, if real keys are shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) example: Option<KeyText>,
}

/// The keys of all patterns that are not listed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct OtherPatterns {
    pub(super) keys: u64,
    pub(super) bytes: u64,
    pub(super) without_expiry: u64,
}

/// Another program's keys.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct ForeignSummary {
    /// The name or the pattern in the policy.
    pub(super) program: String,
    pub(super) keys: u64,
    pub(super) bytes: u64,
    pub(super) without_expiry: u64,
}

/// A type's keys.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct TypeSummary {
    #[serde(rename = "type")]
    pub(super) name: String,
    pub(super) keys: u64,
    pub(super) bytes: u64,
}

/// The keys that expire in a span of time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct ExpirySummary {
    pub(super) within: String,
    pub(super) keys: u64,
}

/// One of the largest keys.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct LargeKeySummary {
    pub(super) key: KeyText,
    pub(super) bytes: u64,
    #[serde(rename = "type")]
    pub(super) redis_type: String,
    /// The bytes of a string or the number of elements, if known.
    pub(super) length: Option<u64>,
    pub(super) template: Option<String>,
}

/// A difference from an earlier report: a new or a larger item.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Change {
    pub(super) what: ReportPart,
    pub(super) keys_before: u64,
    pub(super) keys: u64,
    pub(super) bytes_before: u64,
    pub(super) bytes: u64,
    /// Whether a pattern of unknown keys without an expiry is new, which is a finding.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) is_new_without_expiry: bool,
}

/// A part of a report that is compared with an earlier report.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ReportPart {
    /// All keys.
    Total,
    /// A finding.
    Finding { id: FindingId, subject: StoredSubject },
    /// A declaration's keys.
    Declaration {
        /// The struct's name.
        name: String,
        /// The template.
        template: String,
    },
    /// Unknown keys of a pattern.
    Unknown {
        /// The pattern.
        pattern: String,
        /// The type.
        #[serde(rename = "type")]
        redis_type: String,
        /// Whether they expire.
        expires: bool,
    },
}

impl Document {
    /// The JSON form: one item of a list in each line, so that differences are easy to read.
    pub(super) fn to_json(&self) -> Result<String, Failure> {
        self.json_fields().map_err(|error| Failure::new(format!("cannot write the report as JSON: {error}")))
    }

    fn json_fields(&self) -> serde_json::Result<String> {
        let mut fields = vec![
            field("format", &self.format)?,
            field("started", &self.started)?,
            field("took_ms", &self.took_ms)?,
            field("is_complete", &self.is_complete)?,
            field("servers", &self.servers)?,
            field("shows_keys", &self.shows_keys)?,
            field("options", &self.options)?,
            field("total", &self.total)?,
            list("nodes", &self.nodes)?,
            list("findings", &json_findings::of(&self.findings))?,
        ];
        if let Some(changes) = &self.changes {
            fields.push(list("changes", changes)?);
        }
        fields.push(list("declarations", &self.declarations)?);
        if let Some(total) = &self.hot_total {
            fields.extend([list("hot_keys", &self.hot_keys)?, field("hot_total", total)?]);
        }
        fields.extend([
            list("modules", &self.modules)?,
            list("unknown", &self.unknown)?,
            field("unknown_others", &self.unknown_others)?,
            list("foreign", &self.foreign)?,
            list("types", &self.types)?,
            list("expiries", &self.expiries)?,
            list("largest", &self.largest)?,
            list("not_checked", &self.not_checked)?,
        ]);
        Ok(visible_json(&format!("{{\n{}\n}}\n", fields.join(",\n"))))
    }

    /// Reads the JSON form.
    pub(super) fn from_json(text: &str) -> Result<Self, Failure> {
        let wrong = |why: &str| {
            let failure = Failure::new(format!("not a report of an audit: {}", one_line(why)));
            failure.help("write one with `cargo redis-keys audit URL --json FILE`")
        };
        let outdated = |format| {
            let failure = Failure::new(format!("the report has format {format}, expected {FORMAT}"));
            failure.help("audit again with this version of cargo-redis-keys")
        };
        from_json(text, FORMAT..=FORMAT, wrong, outdated)
    }
}

fn field(name: &str, value: &impl Serialize) -> serde_json::Result<String> {
    Ok(format!("  \"{name}\": {}", serde_json::to_string(value)?))
}

/// A list with one item in each line.
fn list(name: &str, items: &[impl Serialize]) -> serde_json::Result<String> {
    if items.is_empty() {
        return Ok(format!("  \"{name}\": []"));
    }
    let items: Vec<_> = items.iter().map(serde_json::to_string).collect::<Result<_, _>>()?;
    Ok(format!("  \"{name}\": [\n    {}\n  ]", items.join(",\n    ")))
}

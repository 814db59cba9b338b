//! A key of the catalogue.

use serde::{Deserialize, Serialize};

use super::values::Values;

/// A key of the catalogue. The first fields, up to `line`, are those of a serialized `SCHEMA`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Key {
    /// The name of the struct.
    pub name: String,
    /// The template, in canonical form.
    pub template: String,
    /// The key type, such as `zset`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The parameters, in the order of the template.
    pub parameters: Vec<Parameter>,
    /// The time to live without jitter, or `None` if the key never expires.
    pub ttl_ms: Option<u64>,
    /// The most that is added to the time to live.
    pub jitter_ms: u64,
    /// The calendar parameter from whose end the expiry counts.
    pub ttl_from_end_of: Option<String>,
    /// What restarts the expiry.
    pub renew: Option<String>,
    /// The rest of the expiry below which it is restarted.
    pub renew_below_ms: Option<u64>,
    /// The pattern that the key follows: `cache`, `lock`, `limit` or `jobs`.
    pub pattern: Option<String>,
    /// How long a cached key remembers that there is no value.
    pub null_ttl_ms: Option<u64>,
    /// How long a load or a job takes at most.
    pub lease_ms: Option<u64>,
    /// After which share of the expiry a cached key is loaded again.
    pub refresh_percent: Option<u64>,
    /// How many a rate limit allows.
    pub limit: Option<u64>,
    /// The period of a rate limit.
    pub limit_per_ms: Option<u64>,
    /// How many a rate limit allows at once.
    pub burst: Option<u64>,
    /// How often a job is tried.
    pub tries: Option<u64>,
    /// The stored form of the value.
    pub value: Option<String>,
    /// The stored form of a hash's field names.
    pub field: Option<String>,
    /// The maximum size of a string or a bitmap.
    pub max_bytes: Option<u64>,
    /// The maximum number of elements of a collection, unless it is trimmed.
    pub max_len: Option<u64>,
    /// The maximum size of each element.
    pub max_member_bytes: Option<u64>,
    /// How many of the newest elements are kept.
    pub keep_last: Option<u64>,
    /// Whether a few more than `keep_last` may stay.
    pub keep_about: bool,
    /// How many members with the highest scores are kept.
    pub keep_top: Option<u64>,
    /// The maximum length of the key itself.
    pub max_key_bytes: usize,
    /// The reason for the declaration.
    pub reason: Option<String>,
    /// The owner of the key.
    pub owner: Option<String>,
    /// The doc comment.
    pub docs: Option<String>,
    /// The lints that the declaration allows.
    pub allowed: Vec<Allowed>,
    /// The source file, relative to the workspace.
    pub file: String,
    /// The source line, from 1.
    pub line: usize,
    /// The length of the longest key.
    pub longest: usize,
    /// An example of a key, if the values of all parameters are known.
    pub example: Option<String>,
    /// The package that declares it.
    pub package: String,
    /// The target of the package, such as `lib:shop` or `bin:worker`.
    pub target: String,
    /// The module path inside of the target, such as `keys::user`. Empty for the root, `None` if it is unknown.
    pub module: Option<String>,
    /// The `cfg` under which it is declared, if the tool cannot decide it.
    pub condition: Option<String>,
    /// The macro that declares it.
    pub made_by: Option<String>,
}

/// A parameter of a key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parameter {
    /// The name of the field.
    pub name: String,
    /// The type of the field.
    #[serde(rename = "type")]
    pub type_name: String,
    /// Whether it is the key's hash tag.
    pub hash_tag: bool,
    /// How it is written in the key: `plain`, `shard`, `copy`, `digest` or `base32`.
    pub form: String,
    /// The number of shards.
    pub shards: Option<u64>,
    /// The number of copies.
    pub copies: Option<u64>,
    /// The texts that it can have, or `None` if they are unknown.
    pub values: Option<Values>,
    /// Whether a text can contain a `.`, or `None` if that is unknown.
    pub dotted: Option<bool>,
}

/// A lint that a declaration allows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Allowed {
    /// The name of the lint.
    pub lint: String,
    /// The reason.
    pub reason: String,
}

impl Key {
    /// The module in the key's text, its first segment.
    pub fn business_module(&self) -> &str {
        self.template.split(':').next().unwrap_or_default()
    }

    /// What keys are sorted by.
    pub(super) fn order(&self) -> impl Ord + '_ {
        (&self.template, &self.package, &self.target, &self.module, &self.name, &self.file, self.line)
    }
}

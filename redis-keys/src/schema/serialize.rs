//! Serialization of schemas.

use std::time::Duration;

use serde::{Serialize, Serializer, ser::SerializeStruct};

use super::{Allowances, Allowed, Keep, Parameter, ParameterForm, Parameters, Pattern, Renew, Schema};

impl Serialize for Schema {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (keep_last, keep_top) = match self.keep {
            Some(Keep::Last(count) | Keep::AboutLast(count)) => (Some(count), None),
            Some(Keep::Top(count)) => (None, Some(count)),
            None => (None, None),
        };
        let (renew, below) = match self.renew {
            Some(Renew::Write) => (Some("write"), None),
            Some(Renew::Read) => (Some("read"), None),
            Some(Renew::Below(left)) => (Some("below"), Some(left)),
            None => (None, None),
        };
        let pattern = PatternFields::of(self.pattern);
        let mut schema = serializer.serialize_struct("Schema", 32)?;
        schema.serialize_field("name", self.name)?;
        schema.serialize_field("template", self.template)?;
        schema.serialize_field("type", self.kind.name())?;
        schema.serialize_field("parameters", &self.parameters)?;
        schema.serialize_field("ttl_ms", &self.expiry.ttl().map(ms))?;
        schema.serialize_field("jitter_ms", &ms(self.expiry.jitter()))?;
        schema.serialize_field("ttl_from_end_of", &self.ttl_from_end_of)?;
        schema.serialize_field("renew", &renew)?;
        schema.serialize_field("renew_below_ms", &below.map(ms))?;
        schema.serialize_field("pattern", &pattern.name)?;
        schema.serialize_field("null_ttl_ms", &pattern.null_ttl.map(ms))?;
        schema.serialize_field("lease_ms", &pattern.lease.map(ms))?;
        schema.serialize_field("refresh_percent", &pattern.refresh_percent)?;
        schema.serialize_field("limit", &pattern.limit)?;
        schema.serialize_field("limit_per_ms", &pattern.limit_per.map(ms))?;
        schema.serialize_field("burst", &pattern.burst)?;
        schema.serialize_field("tries", &pattern.tries)?;
        schema.serialize_field("value", &self.value)?;
        schema.serialize_field("field", &self.field)?;
        schema.serialize_field("max_bytes", &self.max_bytes)?;
        schema.serialize_field("max_len", &self.max_len)?;
        schema.serialize_field("max_member_bytes", &self.max_member_bytes)?;
        schema.serialize_field("keep_last", &keep_last)?;
        schema.serialize_field("keep_about", &matches!(self.keep, Some(Keep::AboutLast(_))))?;
        schema.serialize_field("keep_top", &keep_top)?;
        schema.serialize_field("max_key_bytes", &self.max_key_bytes)?;
        schema.serialize_field("reason", &self.reason)?;
        schema.serialize_field("owner", &self.owner)?;
        schema.serialize_field("docs", &self.docs)?;
        schema.serialize_field("allowed", &self.allowed)?;
        schema.serialize_field("file", self.file)?;
        schema.serialize_field("line", &self.line)?;
        schema.end()
    }
}

/// The fields of all patterns.
#[derive(Default)]
struct PatternFields {
    name: Option<&'static str>,
    null_ttl: Option<Duration>,
    lease: Option<Duration>,
    refresh_percent: Option<u8>,
    limit: Option<u64>,
    limit_per: Option<Duration>,
    burst: Option<u64>,
    tries: Option<u8>,
}

impl PatternFields {
    fn of(pattern: Option<Pattern>) -> Self {
        match pattern {
            None => Self::default(),
            Some(Pattern::Cache(cache)) => Self {
                name: Some("cache"),
                null_ttl: Some(cache.null_ttl),
                lease: Some(cache.lease),
                refresh_percent: cache.refresh_percent,
                ..Self::default()
            },
            Some(Pattern::Lock) => Self { name: Some("lock"), ..Self::default() },
            Some(Pattern::Limit(limit)) => Self {
                name: Some("limit"),
                limit: Some(limit.count),
                limit_per: Some(limit.per),
                burst: Some(limit.burst),
                ..Self::default()
            },
            Some(Pattern::Jobs(jobs)) => {
                Self { name: Some("jobs"), lease: Some(jobs.lease), tries: Some(jobs.tries), ..Self::default() }
            }
        }
    }
}

fn ms(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

impl Serialize for Parameters {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl Serialize for Parameter {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (form, shards, copies) = match self.form {
            ParameterForm::Plain => ("plain", None, None),
            ParameterForm::Shard(shards) => ("shard", Some(shards), None),
            ParameterForm::Digest => ("digest", None, None),
            ParameterForm::Base32 => ("base32", None, None),
            ParameterForm::Copy(copies) => ("copy", None, Some(copies)),
        };
        let mut parameter = serializer.serialize_struct("Parameter", 6)?;
        parameter.serialize_field("name", self.name)?;
        parameter.serialize_field("type", self.type_name)?;
        parameter.serialize_field("hash_tag", &self.hash_tag)?;
        parameter.serialize_field("form", form)?;
        parameter.serialize_field("shards", &shards)?;
        parameter.serialize_field("copies", &copies)?;
        parameter.end()
    }
}

impl Serialize for Allowances {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl Serialize for Allowed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut allowed = serializer.serialize_struct("Allowed", 2)?;
        allowed.serialize_field("lint", self.lint)?;
        allowed.serialize_field("reason", self.reason)?;
        allowed.end()
    }
}

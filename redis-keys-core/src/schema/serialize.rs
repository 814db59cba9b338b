//! The JSON of a schema. The names and meanings of its fields never change.
//!
//! An option that is several fields has a module for `#[serde(flatten, with = …)]`. All fields are always present.
#![allow(
    clippy::ref_option,
    clippy::struct_field_names,
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes references, and the fields have the names of the options"
)]

use std::time::Duration;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::literal::ms;
use super::{
    Allowance, Allowances, BloomOptions, CacheOptions, JobOptions, Keep, LimitOptions, ParameterForm, Parameters,
    Renew, Role,
};

/// Returns a field that another field's value requires.
fn given<N, E: Error>(name: &str, number: Option<N>) -> Result<N, E> {
    number.ok_or_else(|| E::custom(format_args!("`{name}` is missing")))
}

fn time<E: Error>(name: &str, ms: Option<u64>) -> Result<Duration, E> {
    given(name, ms).map(Duration::from_millis)
}

/// A number that is null instead of 0.
pub(super) mod zero_as_null {
    use super::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<S: Serializer>(number: &u64, serializer: S) -> Result<S::Ok, S::Error> {
        Some(*number).filter(|number| *number != 0).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
        Option::deserialize(deserializer).map(Option::unwrap_or_default)
    }
}

pub(super) mod renew {
    use super::{Deserialize, Deserializer, Renew, Serialize, Serializer, ms, time};

    #[derive(Serialize, Deserialize)]
    struct Fields {
        renew: Option<Name>,
        renew_below_ms: Option<u64>,
    }

    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Name {
        Write,
        Read,
        Below,
    }

    pub(crate) fn serialize<S: Serializer>(renew: &Option<Renew>, serializer: S) -> Result<S::Ok, S::Error> {
        let (name, left) = match *renew {
            Some(Renew::Write) => (Some(Name::Write), None),
            Some(Renew::Read) => (Some(Name::Read), None),
            Some(Renew::Below(left)) => (Some(Name::Below), Some(left)),
            None => (None, None),
        };
        Fields { renew: name, renew_below_ms: left.map(ms) }.serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Renew>, D::Error> {
        let Fields { renew, renew_below_ms } = Fields::deserialize(deserializer)?;
        Ok(match renew {
            Some(Name::Write) => Some(Renew::Write),
            Some(Name::Read) => Some(Renew::Read),
            Some(Name::Below) => Some(Renew::Below(time("renew_below_ms", renew_below_ms)?)),
            None => None,
        })
    }
}

pub(super) mod role {
    use super::{
        BloomOptions, CacheOptions, Deserialize, Deserializer, Duration, JobOptions, LimitOptions, Role, Serialize,
        Serializer, given, ms, time,
    };

    #[derive(Default, Serialize, Deserialize)]
    struct Fields {
        pattern: Option<Name>,
        null_ttl_ms: Option<u64>,
        lease_ms: Option<u64>,
        refresh_percent: Option<u8>,
        #[serde(default)]
        near_ms: Option<u64>,
        #[serde(default)]
        stale_ms: Option<u64>,
        limit: Option<u64>,
        limit_per_ms: Option<u64>,
        burst: Option<u64>,
        tries: Option<u8>,
        #[serde(default)]
        expected: Option<u64>,
        #[serde(default)]
        false_positives_per_million: Option<u32>,
        #[serde(default)]
        bits: Option<u64>,
    }

    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Name {
        Cache,
        Lock,
        Limit,
        Jobs,
        Bloom,
    }

    pub(crate) fn serialize<S: Serializer>(role: &Option<Role>, serializer: S) -> Result<S::Ok, S::Error> {
        let fields = match *role {
            None => Fields::default(),
            Some(Role::Cache(CacheOptions { null_ttl, lease, refresh_percent, near, stale })) => Fields {
                pattern: Some(Name::Cache),
                null_ttl_ms: Some(ms(null_ttl)),
                lease_ms: Some(ms(lease)),
                refresh_percent,
                near_ms: near.map(ms),
                stale_ms: stale.map(ms),
                ..Fields::default()
            },
            Some(Role::Lock) => Fields { pattern: Some(Name::Lock), ..Fields::default() },
            Some(Role::Limit(LimitOptions { count, per, burst })) => Fields {
                pattern: Some(Name::Limit),
                limit: Some(count),
                limit_per_ms: Some(ms(per)),
                burst: Some(burst),
                ..Fields::default()
            },
            Some(Role::Jobs(JobOptions { lease, tries })) => {
                Fields { pattern: Some(Name::Jobs), lease_ms: Some(ms(lease)), tries: Some(tries), ..Fields::default() }
            }
            Some(Role::Bloom(BloomOptions { expected, false_positives_per_million, bits })) => Fields {
                pattern: Some(Name::Bloom),
                expected: Some(expected),
                false_positives_per_million: Some(false_positives_per_million),
                bits: Some(bits),
                ..Fields::default()
            },
        };
        fields.serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Role>, D::Error> {
        let fields = Fields::deserialize(deserializer)?;
        let Some(name) = fields.pattern else { return Ok(None) };
        Ok(Some(match name {
            Name::Cache => Role::Cache(CacheOptions {
                null_ttl: time("null_ttl_ms", fields.null_ttl_ms)?,
                lease: time("lease_ms", fields.lease_ms)?,
                refresh_percent: fields.refresh_percent,
                near: fields.near_ms.map(Duration::from_millis),
                stale: fields.stale_ms.map(Duration::from_millis),
            }),
            Name::Lock => Role::Lock,
            Name::Limit => Role::Limit(LimitOptions {
                count: given("limit", fields.limit)?,
                per: time("limit_per_ms", fields.limit_per_ms)?,
                burst: given("burst", fields.burst)?,
            }),
            Name::Jobs => Role::Jobs(JobOptions {
                lease: time("lease_ms", fields.lease_ms)?,
                tries: given("tries", fields.tries)?,
            }),
            Name::Bloom => Role::Bloom(BloomOptions::new(
                given("expected", fields.expected)?,
                given("false_positives_per_million", fields.false_positives_per_million)?,
                given("bits", fields.bits)?,
            )),
        }))
    }
}

pub(super) mod keep {
    use super::{Deserialize, Deserializer, Keep, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    struct Fields {
        keep_last: Option<u64>,
        keep_about: bool,
        keep_top: Option<u64>,
    }

    pub(crate) fn serialize<S: Serializer>(keep: &Option<Keep>, serializer: S) -> Result<S::Ok, S::Error> {
        let (keep_last, keep_about, keep_top) = match *keep {
            Some(Keep::Last(count)) => (Some(count), false, None),
            Some(Keep::AboutLast(count)) => (Some(count), true, None),
            Some(Keep::Top(count)) => (None, false, Some(count)),
            None => (None, false, None),
        };
        Fields { keep_last, keep_about, keep_top }.serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Keep>, D::Error> {
        let Fields { keep_last, keep_about, keep_top } = Fields::deserialize(deserializer)?;
        let last = if keep_about { Keep::AboutLast } else { Keep::Last };
        Ok(keep_last.map(last).or(keep_top.map(Keep::Top)))
    }
}

pub(super) mod form {
    use super::{Deserialize, Deserializer, ParameterForm, Serialize, Serializer, given};

    #[derive(Serialize, Deserialize)]
    struct Fields {
        form: Name,
        shards: Option<u32>,
        copies: Option<u32>,
        slug_bytes: Option<u32>,
    }

    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Name {
        Plain,
        Shard,
        Digest,
        Base32,
        Slug,
        Copy,
    }

    pub(crate) fn serialize<S: Serializer>(form: &ParameterForm, serializer: S) -> Result<S::Ok, S::Error> {
        let (form, shards, copies, slug_bytes) = match *form {
            ParameterForm::Plain => (Name::Plain, None, None, None),
            ParameterForm::Shard(shards) => (Name::Shard, Some(shards), None, None),
            ParameterForm::Digest => (Name::Digest, None, None, None),
            ParameterForm::Base32 => (Name::Base32, None, None, None),
            ParameterForm::Slug(slug_bytes) => (Name::Slug, None, None, slug_bytes),
            ParameterForm::Copy(copies) => (Name::Copy, None, Some(copies), None),
        };
        Fields { form, shards, copies, slug_bytes }.serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<ParameterForm, D::Error> {
        let Fields { form, shards, copies, slug_bytes } = Fields::deserialize(deserializer)?;
        Ok(match form {
            Name::Plain => ParameterForm::Plain,
            Name::Shard => ParameterForm::Shard(given("shards", shards)?),
            Name::Digest => ParameterForm::Digest,
            Name::Base32 => ParameterForm::Base32,
            Name::Slug => ParameterForm::Slug(slug_bytes),
            Name::Copy => ParameterForm::Copy(given("copies", copies)?),
        })
    }
}

impl<T: AsRef<str>> Serialize for Parameters<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(Parameters { lines: self.lines.as_ref() }.iter())
    }
}

impl<T: AsRef<str>> Serialize for Allowances<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(Allowances { lines: self.lines.as_ref() }.iter())
    }
}

impl<'de> Deserialize<'de> for Allowances<String> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::<Allowance<String>>::deserialize(deserializer).map(Self::from_iter)
    }
}

//! How long values stay stored, as far as the consequences of a change depend on it.

use std::time::Duration;

use redis_keys_core::Kind;
use redis_keys_core::duration::render;
use redis_keys_core::schema::{Renew, Role, Schema};

use crate::bucket::Bucket;

/// Programs that still run, and releases that are rolled back to, have this long beyond the life of the values.
const GRACE: Duration = Duration::from_secs(14 * 24 * 60 * 60);

/// How long values stay stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Lifetime {
    /// A message, which is not stored.
    Message,
    /// A cached value, which is loaded again when it cannot be read. Until when, in words.
    Cached(String),
    /// A job waits until a worker takes it.
    Job,
    /// The key never expires.
    Endless,
    /// Each read restarts the expiry, also of a value that cannot be read. The declared option.
    RenewedByReads(String),
    /// Each write of an element restarts the expiry of all.
    RenewedByWrites,
    /// Until when, in words.
    Limited(String),
}

impl Lifetime {
    pub(super) fn of(schema: &Schema<String>) -> Self {
        let until = until(schema);
        match (schema.role, schema.renew, until) {
            _ if schema.kind == Kind::Channel => Self::Message,
            (Some(Role::Jobs(_)), ..) => Self::Job,
            (_, _, None) => Self::Endless,
            (Some(Role::Cache(_)), _, Some(until)) => Self::Cached(until),
            (_, Some(Renew::Read), _) => Self::RenewedByReads("renew = read".to_owned()),
            (_, Some(Renew::Below(rest)), _) => Self::RenewedByReads(format!("renew = below({})", render(rest))),
            (_, Some(Renew::Write), _) if schema.kind.is_collection() => Self::RenewedByWrites,
            (_, _, Some(until)) => Self::Limited(until),
        }
    }
}

/// Until when values of one program stay stored after it has stopped. `None` if for ever.
fn until(schema: &Schema<String>) -> Option<String> {
    let life = render(schema.longest_life()?);
    Some(match &schema.ttl_from_end_of {
        Some(bucket) => {
            format!("until {life} after the end of the `{bucket}` in which the last old program has stopped")
        }
        None => format!("for up to {life} after the last old program has stopped"),
    })
}

/// Returns how long values of a former shape can stay stored, with two weeks for programs that still run: so long the
/// file keeps the shape. `None` if for ever.
pub fn expires_after(schema: &Schema<String>) -> Option<Duration> {
    let life = match Lifetime::of(schema) {
        Lifetime::Message => Duration::ZERO,
        Lifetime::Cached(_) | Lifetime::Limited(_) => {
            schema.longest_life()?.saturating_add(schema.ttl_from_end_of.as_deref().map_or(Duration::ZERO, longest))
        }
        Lifetime::Job | Lifetime::Endless | Lifetime::RenewedByReads(_) | Lifetime::RenewedByWrites => return None,
    };
    Some(life.saturating_add(GRACE))
}

/// The longest time until the end of a calendar bucket. Another name is not known, so it can be a year.
fn longest(bucket: &str) -> Duration {
    let hours = match Bucket::from_name(bucket) {
        Some(Bucket::Hour) => 1,
        Some(Bucket::Day) => 24,
        Some(Bucket::Week) => 7 * 24,
        Some(Bucket::Month) => 31 * 24,
        Some(Bucket::Year) | None => 366 * 24,
    };
    Duration::from_secs(hours * 60 * 60)
}

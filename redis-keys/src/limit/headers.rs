//! The headers of a response to a limited request, as the IETF's draft for them has it:
//! <https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/10/>.

use std::{fmt, sync::Arc, time::Duration};

use http::{
    HeaderMap, HeaderValue,
    header::{HeaderName, RETRY_AFTER},
};

use super::{Decision, rate::Rate};
use crate::schema::{LimitOptions, Pattern, Schema};

const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");

const LIMIT: HeaderName = HeaderName::from_static("ratelimit");

/// Adds the headers. A response can have those of other limits already.
pub(super) fn add(headers: &mut HeaderMap, policy: &str, schema: &Schema, decision: Decision) {
    let Some(Pattern::Limit(options)) = schema.pattern else { return };
    let (quota, window) = quota(options);
    append(headers, POLICY, format_args!("\"{policy}\";q={quota};w={window}"));
    // "The time until additional quota is made available", which is no later than what `Retry-After` says.
    let more = seconds(decision.retry_after.unwrap_or_else(|| Rate::of(schema).until_more(decision)));
    append(headers, LIMIT, format_args!("\"{policy}\";r={};t={more}", decision.remaining));
    if !decision.allowed {
        headers.insert(RETRY_AFTER, more.into());
    }
}

fn append(headers: &mut HeaderMap, name: HeaderName, value: fmt::Arguments<'_>) {
    // The name of the policy is printable ASCII, and so is the rest.
    if let Ok(value) = HeaderValue::try_from(value.to_string()) {
        headers.append(name, value);
    }
}

/// The name of a policy without the characters that a header would have to escape, or cannot have.
pub(super) fn policy_name(name: &str) -> Arc<str> {
    let is_plain = |c: &char| (' '..='~').contains(c) && !['"', '\\'].contains(c);
    name.chars().filter(is_plain).collect::<String>().into()
}

/// How many are allowed in how many seconds. The headers have whole seconds, so the numbers of a shorter period are scaled up.
fn quota(LimitOptions { count, per, .. }: LimitOptions) -> (u128, u64) {
    let window = seconds(per);
    let quota = u128::from(count).saturating_mul(1000).saturating_mul(window.into()).checked_div(per.as_millis());
    (quota.unwrap_or_default(), window)
}

/// Whole seconds, rounded up, at least one.
fn seconds(time: Duration) -> u64 {
    time.as_secs().saturating_add(u64::from(time.subsec_nanos() > 0)).max(1)
}

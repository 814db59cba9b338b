//! The expiry that counts from the end of a calendar bucket.

use redis_keys_core::limits::LONGEST_TTL;

use super::builder::Builder;
use super::render::calendar;
use super::value::Value;
use crate::declare::bucket_end;
use crate::render::units;

/// The argument from the end of whose bucket the expiry counts.
pub(crate) fn bucket_field(builder: &Builder<'_>) -> Option<usize> {
    let name = builder.key.ttl_from_end_of.as_ref()?;
    builder.fields.iter().position(|field| field.name == name)
}

/// The time at which a key's expiry has passed, in milliseconds since 1970. `None` if it does not depend on arguments, or
/// if they are wrong.
pub(crate) fn elapsed_at(builder: &Builder<'_>, values: &[Value]) -> Option<i64> {
    let field = bucket_field(builder)?;
    let text = calendar(builder.fields.get(field)?.argument, values.get(field)?).ok()?;
    let end_ms = bucket_end::seconds(text.as_bytes())?.checked_mul(1_000)?;
    end_ms.checked_add(i64::try_from(builder.key.ttl_ms()?).ok()?)
}

/// The milliseconds for a write at a time, without the jitter. `None` if it has passed, or is longer than ten years.
pub(crate) fn expiry_ms(builder: &Builder<'_>, values: &[Value], now_ms: i64) -> Option<u64> {
    let left = u64::try_from(elapsed_at(builder, values)?.checked_sub(now_ms)?).ok()?;
    (left > 0 && left <= units::millis(LONGEST_TTL)).then_some(left)
}

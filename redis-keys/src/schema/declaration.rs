//! A declaration as the derive emits it.

use std::time::Duration;

use redis_keys_core::{Kind, limits};

use super::{Allowances, CacheOptions, Expiry, JobOptions, Keep, LimitOptions, Parameters, Pattern, Renew, Schema};

/// What every declaration has: name, template, number of the type, parameters, value, source file, documentation,
/// milliseconds of expiry and of jitter, and source line.
///
/// The compiler checks a constant of plain literals fastest. The schema is built from it at compile time as well, but only
/// for keys that are used.
pub type Declaration =
    (&'static str, &'static str, u8, &'static str, &'static str, &'static str, &'static str, u64, u64, u32);

/// Options that only some declarations have: reason, owner, type of the field names, `max_bytes`, when the expiry restarts (1
/// for writes, 2 for reads too, 3 below a threshold), the milliseconds of that threshold, and the limits. An empty text or 0
/// means that an option is not given.
pub type RareOptions = (&'static str, &'static str, &'static str, u64, u8, u64, Limits);

/// `max_len`, `max_member_bytes`, how many elements are kept, whether approximately so many, and `max_key_bytes`.
type Limits = (u64, u64, u64, bool, usize);

/// The pattern of a key and its options:
///
/// - 1, a cached value: the milliseconds of `null_ttl` and of `lease`, the percentage of `refresh`, 0 if it is not given
/// - 2, a lock
/// - 3, a rate limit: its number, the milliseconds of its period, its burst
/// - 4, a queue of jobs: the milliseconds of `lease`, the number of tries
pub type PatternNumbers = (u8, u64, u64, u64);

/// The numbers of a key that follows no pattern.
pub(crate) const NO_PATTERN: PatternNumbers = (0, 0, 0, 0);

/// The options of a declaration that has none of them.
pub(crate) const NO_RARE_OPTIONS: RareOptions = ("", "", "", 0, 0, 0, (0, 0, 0, false, 0));

impl Schema {
    /// Builds the schema from what the derive emits. `allowed` has a line `lint: reason` for each allowed lint.
    pub(crate) const fn new(
        declaration: Declaration,
        options: RareOptions,
        pattern_numbers: PatternNumbers,
        ttl_from_end_of: &'static str,
        allowed: &'static str,
    ) -> Self {
        let (name, template, kind, parameters, value, file, docs, ttl_ms, jitter_ms, line) = declaration;
        let (reason, owner, field, max_bytes, renew, renew_below_ms, caps) = options;
        let (max_len, max_member_bytes, keep_count, keep_about, max_key_bytes) = caps;
        let kind = match Kind::from_number(kind) {
            Some(kind) => kind,
            None => Kind::String,
        };
        let collection = kind.is_collection();
        let pattern = pattern(pattern_numbers);
        // Nobody chooses what a lock or a rate limit stores.
        let single_value =
            matches!(kind, Kind::String | Kind::Bitmap) && !matches!(pattern, Some(Pattern::Lock | Pattern::Limit(_)));
        Self {
            name,
            template,
            kind,
            parameters: Parameters { lines: parameters },
            expiry: Expiry { ttl_ms, jitter_ms },
            ttl_from_end_of: non_empty(ttl_from_end_of),
            renew: renewal(renew, renew_below_ms),
            pattern,
            value: non_empty(value),
            field: non_empty(field),
            max_bytes: limit(max_bytes, limits::DEFAULT_MAX_BYTES, single_value),
            max_len: limit(max_len, limits::MAX_MAX_LEN, collection && keep_count == 0),
            max_member_bytes: limit(max_member_bytes, limits::DEFAULT_MAX_MEMBER_BYTES, collection),
            keep: keep(keep_count, keep_about, kind),
            max_key_bytes: if max_key_bytes == 0 { limits::MAX_KEY_BYTES } else { max_key_bytes },
            reason: non_empty(reason),
            owner: non_empty(owner),
            docs: non_empty(docs),
            allowed: Allowances { lines: allowed },
            file,
            line,
        }
    }
}

const fn non_empty(text: &'static str) -> Option<&'static str> {
    if text.is_empty() { None } else { Some(text) }
}

/// Returns the declared limit or the default one, or `None` for keys without such a limit.
const fn limit(declared: u64, default: u64, applies: bool) -> Option<u64> {
    match declared {
        _ if !applies => None,
        0 => Some(default),
        declared => Some(declared),
    }
}

const fn keep(count: u64, about: bool, kind: Kind) -> Option<Keep> {
    match kind {
        _ if count == 0 => None,
        Kind::ZSet => Some(Keep::Top(count)),
        _ if about => Some(Keep::AboutLast(count)),
        _ => Some(Keep::Last(count)),
    }
}

#[allow(clippy::cast_possible_truncation, reason = "the derive allows 95 percent and 60 tries at most")]
const fn pattern((pattern, first, second, third): PatternNumbers) -> Option<Pattern> {
    match pattern {
        1 => Some(Pattern::Cache(CacheOptions {
            null_ttl: Duration::from_millis(first),
            lease: Duration::from_millis(second),
            refresh_percent: if third == 0 { None } else { Some(third as u8) },
        })),
        2 => Some(Pattern::Lock),
        3 => Some(Pattern::Limit(LimitOptions { count: first, per: Duration::from_millis(second), burst: third })),
        4 => Some(Pattern::Jobs(JobOptions { lease: Duration::from_millis(first), tries: second as u8 })),
        _ => None,
    }
}

const fn renewal(number: u8, below_ms: u64) -> Option<Renew> {
    match number {
        1 => Some(Renew::Write),
        2 => Some(Renew::Read),
        3 => Some(Renew::Below(Duration::from_millis(below_ms))),
        _ => None,
    }
}

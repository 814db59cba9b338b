//! Options for loading a cached key and for taking jobs: `lease`, `refresh` and `tries`.

use std::time::Duration;

use super::duration::suggested_duration;
use super::expiry::suggested_share;
use crate::Rule;
use crate::diagnostic::Diagnostics;
use crate::edit::Suggestion;
use crate::piece::Piece;

pub(crate) const DEFAULT_LEASE: Duration = Duration::from_secs(10);

pub(crate) const DEFAULT_JOB_LEASE: Duration = Duration::from_secs(60);

pub(crate) const DEFAULT_TRIES: u8 = 5;

/// The score of a job has six bits for its tries.
const MAX_TRIES: u8 = 60;

/// The least and the most of `refresh`, in percent.
const SHARES: (u32, u32) = (50, 95);

/// Reads `refresh`: a share of the ttl, in percent. Problems with it are reported when the ttl is known.
pub(super) fn read_refresh(text: &str) -> Option<u8> {
    let percent = text.strip_suffix('%')?.trim().parse::<u8>().ok()?;
    (SHARES.0..=SHARES.1).contains(&percent.into()).then_some(percent)
}

/// Returns the suggestion for a text that is no share of this ttl, after `name`.
pub(crate) fn suggested_refresh(name: &str, text: &str, ttl: Option<Duration>) -> Suggestion {
    let percent = suggested_percent(text).or_else(|| share_of(suggested_duration(text)?, ttl?));
    let (least, most) = SHARES;
    let write = |percent| Suggestion::write(format!("{name}{percent}%"));
    match percent {
        Some(percent) if (least..=most).contains(&percent) => write(percent),
        Some(percent) if percent > most && percent <= 100 => write(most),
        Some(left) if (100 - most..least).contains(&left) => {
            write(100 - left).and(&format!(", which is when {left}% of the ttl is left"))
        }
        _ => write(80),
    }
}

/// The percents of `80`, `0.8` and `80pct`.
fn suggested_percent(text: &str) -> Option<u32> {
    suggested_share(text).map(u32::from).or_else(|| text.trim_end_matches('%').trim_end().parse().ok())
}

/// Returns the percentage of the ttl that a duration is, rounded.
fn share_of(duration: Duration, ttl: Duration) -> Option<u32> {
    let (part, whole) = (duration.as_millis().checked_mul(100)?, ttl.as_millis());
    u32::try_from((part + whole / 2).checked_div(whole)?).ok()
}

/// A tenth of the ttl, in a round number of its largest unit.
pub(crate) fn tenth(ttl: Duration) -> Duration {
    let millis = u64::try_from(ttl.as_millis() / 10).unwrap_or(u64::MAX).max(1);
    let round = [86_400_000, 3_600_000, 60_000, 1_000].into_iter().find(|unit| millis >= *unit).unwrap_or(1);
    Duration::from_millis(millis / round * round)
}

pub(crate) const USUAL_NULL_TTL: Duration = Duration::from_secs(5 * 60);

/// The `null_ttl` to suggest beside a ttl.
pub(crate) fn usual_null_ttl(ttl: Duration) -> Duration {
    tenth(ttl).min(USUAL_NULL_TTL)
}

/// Reads a number of tries, or reports the problem.
pub(super) fn read_tries(value: Piece<'_>, diagnostics: &mut Diagnostics) -> Option<u8> {
    let tries = value.text.parse().ok().filter(|tries| (1..=MAX_TRIES).contains(tries));
    if tries.is_none() {
        let message = format!("expected 1 to {MAX_TRIES} tries, found `{}`", value.text);
        let is_more = value.text.parse::<u64>().is_ok_and(|tries| tries > MAX_TRIES.into());
        let usual = if is_more { MAX_TRIES } else { DEFAULT_TRIES };
        diagnostics.report(value.range(), Rule::Jobs, message, Suggestion::write(usual.to_string()));
    }
    tries
}
